package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Receiver;
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
      new NullArguments(() -> new VirtualClock().scheduler(Scheduler.builder()))
          .sample(Task.class, scheduler -> scheduler.spawn(() -> {}))
          .sample(WaitForSignal.class, WaitForSignal::on)
          .sample(WaitForCondition.class, WaitForCondition::on)
          .sample(Event.class, scheduler -> new Signal<>(scheduler, "s"))
          .sample(Signal.class, scheduler -> new Signal<>(scheduler, "s"))
          .sample(QueuedSignal.class, scheduler -> new QueuedSignal<>(scheduler, "q"))
          .sample(Cell.class, scheduler -> new Cell<>(scheduler, "c", 1))
          .sample(Channel.class, scheduler -> Channel.bounded(scheduler, 1))
          .sample(Receiver.class, scheduler -> Channel.bounded(scheduler, 1))
          .sample(Broadcast.class, ConditionNullArgumentTest::broadcast)
          .sample(Subscription.class, scheduler -> broadcast(scheduler).subscribe())
          .sample(Barrier.class, scheduler -> new Barrier(scheduler, "b", 1))
          .sample(Latch.class, scheduler -> new Latch(scheduler, "l", 1))
          .sample(Lock.class, scheduler -> new Mutex(scheduler, "m"))
          .sample(Mutex.class, scheduler -> new Mutex(scheduler, "m"))
          .sample(ReadWriteLock.class, scheduler -> new ReadWriteLock(scheduler, "rw"))
          .sample(Phaser.class, scheduler -> new Phaser(scheduler, "p"))
          .sample(Promise.class, scheduler -> new Promise<>(scheduler, "p"))
          .sample(Semaphore.class, scheduler -> new Semaphore(scheduler, "s", 1));

  private static Broadcast<Object> broadcast(Scheduler scheduler) {
    return new Broadcast<>(scheduler, 1, Overflow.SUSPEND);
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
