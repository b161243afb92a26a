package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.ChannelSubscriber;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Receiver;
import dev.rondo.condition.channel.Sender;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Lock;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Phaser;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.ReadWriteLock;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.VirtualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ConditionNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> VirtualClock.create().scheduler())
          .sample(Task.class, scheduler -> scheduler.spawn(() -> {}))
          .sample(WaitForSignal.class, WaitForSignal::on)
          .sample(WaitForCondition.class, WaitForCondition::on)
          .sample(Event.class, scheduler -> Signal.create(scheduler, "s"))
          .sample(Signal.class, scheduler -> Signal.create(scheduler, "s"))
          .sample(QueuedSignal.class, scheduler -> QueuedSignal.create(scheduler, "q"))
          .sample(Cell.class, scheduler -> Cell.create(scheduler, "c", 1))
          .sample(Channel.class, scheduler -> Channel.bounded(scheduler, 1))
          .sample(Sender.class, scheduler -> Channel.bounded(scheduler, 1))
          .sample(Receiver.class, scheduler -> Channel.bounded(scheduler, 1))
          .sample(Broadcast.class, ConditionNullArgumentTest::broadcast)
          .sample(Subscription.class, scheduler -> broadcast(scheduler).subscribe())
          .sample(ChannelSubscriber.class, scheduler -> ChannelSubscriber.create(scheduler, 1))
          .sample(Barrier.class, scheduler -> Barrier.create(scheduler, "b", 1))
          .sample(Latch.class, scheduler -> Latch.create(scheduler, "l", 1))
          .sample(Lock.class, scheduler -> Mutex.create(scheduler, "m"))
          .sample(Mutex.class, scheduler -> Mutex.create(scheduler, "m"))
          .sample(ReadWriteLock.class, scheduler -> ReadWriteLock.create(scheduler, "rw"))
          .sample(Phaser.class, scheduler -> Phaser.create(scheduler, "p"))
          .sample(Promise.class, scheduler -> Promise.create(scheduler, "p"))
          .sample(Semaphore.class, scheduler -> Semaphore.create(scheduler, "s", 1));

  private static Broadcast<Object> broadcast(Scheduler scheduler) {
    return Broadcast.create(scheduler, 1, Overflow.SUSPEND);
  }

  @Test
  void null_toSignalsAndConditions_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForSignal.class));
  }

  @Test
  void null_toChannels_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Channel.class));
  }

  @Test
  void null_toSynchronizers_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Mutex.class));
  }
}
