package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Sending and receiving; how a channel ends is in [ChannelEndTest].
final class ChannelTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private Task<Void> sender(Channel<Integer> channel, int... elements) {
    return scheduler.spawn(() -> {
      for (int each : elements) {
        channel.send(each);
        trace("+" + each);
      }
    });
  }

  private Task<Void> receiver(String name, Receiver<Integer> channel) {
    return scheduler.spawn(() -> trace(name + channel.receive()));
  }

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  // Kinds.

  @Test
  void rendezvous_sender_waitsUntilItsElementIsTaken() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    sender(channel, 1, 2);
    drive();
    assertTrace("");
    assertEquals(1, channel.waitingSenderCount());
    receiver("a", channel);
    drive();
    assertTrace("a1 +1");
    receiver("b", channel);
    scheduler.start();
    assertTrace("b2 +2");
  }

  @Test
  void bounded_full_senderWaitsForRoom() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2);
    sender(channel, 1, 2, 3, 4);
    drive();
    assertTrace("+1 +2");
    assertEquals(2, channel.size());
    runTask(() -> trace(channel.receive() + channel.tryReceive()));
    assertTrace("3 +3 +4");
    assertEquals(List.of(3, 4), channel.cancel());
  }

  @Test
  void unbounded_anyNumber_senderNeverWaits() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    runTask(() -> {
      for (int i = 0; i < 10_000; i++) {
        channel.send(i);
      }
      for (int i = 0; i < 10_000; i++) {
        assertEquals(i, channel.receive());
      }
    });
    assertEquals(0, channel.size());
  }

  @Test
  void conflated_receiver_getsTheLatest() {
    Channel<Integer> channel = Channel.bounded(scheduler, 1, Overflow.DROP_OLDEST);
    runTask(() -> {
      for (int i = 1; i <= 3; i++) {
        channel.send(i);
      }
      assertEquals(3, channel.receive());
      assertNull(channel.tryReceive());
    });
    assertEquals(2, channel.dropped());
  }

  @Test
  void dropLatest_full_keepsTheOldest() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2, Overflow.DROP_LATEST);
    for (int i = 1; i <= 4; i++) {
      assertTrue(channel.trySend(i));
    }
    assertEquals(2, channel.dropped());
    assertEquals(List.of(1, 2), channel.cancel());
  }

  @Test
  void send_receiversWait_servedFirstComeFirstServedWithoutASwitchOfTheSender() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    receiver("a", channel);
    receiver("b", channel);
    drive();
    sender(channel, 1, 2);
    scheduler.start();
    assertTrace("+1 +2 a1 b2");
  }

  @Test
  void send_neverFindsItFull_letsOthersRun() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    boolean[] stop = new boolean[1];
    scheduler.spawn(() -> {
      while (!stop[0] && channel.size() < 10_000) {
        channel.send(1);
      }
    });
    scheduler.spawn(() -> stop[0] = true);
    scheduler.start();
    assertTrue(channel.size() < 10_000, "it kept the loop");
  }

  // At once.

  @Test
  void trySendAndTryReceive_neverWait() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    assertFalse(channel.trySend(1));
    assertNull(channel.tryReceive());
    receiver("a", channel);
    drive();
    assertTrue(channel.trySend(2));
    drive();
    assertTrace("a2");
    sender(channel, 3);
    drive();
    assertEquals(3, channel.tryReceive());
    drive();
    assertTrace("+3");
  }

  // Limits.

  @Test
  void sendAndReceive_timeout_leaveNothing() {
    Channel<Integer> channel = Channel.<Integer>rendezvous(scheduler).named("orders");
    runTask(() -> {
      assertEquals(
          "gave up after 1 s: send to rendezvous channel 'orders'",
          message(TimedOutException.class, () -> channel.send(1, SECOND)));
      assertEquals(
          "gave up after 1 s: receive from rendezvous channel 'orders'",
          message(TimedOutException.class, () -> channel.receive(SECOND)));
      assertThrows(IllegalArgumentException.class, () -> channel.send(1, Duration.ofNanos(-1)));
    });
    assertEquals(0, channel.waitingSenderCount());
    assertEquals(0, channel.waitingReceiverCount());
    assertNull(channel.tryReceive());
  }

  // Selects.

  @Test
  void select_sendAndReceiveOnOneChannel_doesNotMeetItself() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    for (int i = 1; i <= 2; i++) {
      int own = i;
      scheduler.spawn(() ->
          Select.biased()
              .on(channel.sending(own), sent -> trace(own + " sent"))
              .on(channel.receiving(), got -> trace(own + " got " + got))
              .run());
      drive();
      assertEquals(2 - i, channel.waitingSenderCount());
      assertEquals(2 - i, channel.waitingReceiverCount());
    }
    assertTrace("2 sent 1 got 2");
    scheduler.spawn(() ->
        Select.biased()
            .on(channel.receiving(), got -> trace("3 got " + got))
            .on(channel.sending(3), sent -> trace("3 sent"))
            .run());
    drive();
    runTask(() -> trace("main got " + channel.receive()));
    assertTrace("main got 3 3 sent");
  }

  /// Never comes, but runs an action when a select polls it.
  private static Waitable<Object> doing(Runnable action) {
    return new Waitable<>() {
      @Override
      public boolean poll(Waiter<? super Object> waiter) {
        action.run();
        return false;
      }

      @Override
      public void arm(Waiter<? super Object> waiter) {}

      @Override
      public void disarm(Waiter<? super Object> waiter) {}
    };
  }

  @Test
  void select_anotherBranchMakesItPossibleMeanwhile_isNotMissed() {
    Channel<Integer> channel = Channel.bounded(scheduler, 1);
    runTask(() -> {
      Waitable<Object> sending = doing(() -> assertTrue(channel.trySend(1)));
      trace(scheduler.<Object>select(channel.receiving(), sending).value());
      assertTrue(channel.trySend(2));
      Waitable<Object> receiving = doing(() -> trace(channel.tryReceive()));
      trace(scheduler.<Object>select(channel.sending(3), receiving).index());
      trace(channel.receive());
    });
    assertTrace("1 2 0 3");
  }

  @Test
  void poll_waiterHasSomethingElseAlready_elementStaysFirst() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2);
    channel.trySend(1);
    channel.trySend(2);
    runTask(() ->
        trace(
            scheduler.await(
                new Waitable<Object>() {
                  @Override
                  public void arm(Waiter<? super Object> waiter) {
                    assertTrue(waiter.fire("else"));
                    assertFalse(channel.rawReceiving().poll(waiter));
                    assertFalse(channel.rawSending(3).poll(waiter));
                  }

                  @Override
                  public void disarm(Waiter<? super Object> waiter) {}
                })));
    assertTrace("else");
    assertEquals(List.of(1, 2), channel.cancel());
  }

  /// An element that a task sends in two branches is sent once, even if a task receives between the
  /// end of the wait and the end of its other branch.
  @Test
  void select_receivedFromWhileItsBranchesAreLeft_sendsOnce() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2);
    channel.trySend(1);
    channel.trySend(2);
    Waitable<Object> receiving =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {}

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            trace("left " + channel.tryReceive());
          }
        };
    scheduler.spawn(() ->
        scheduler.await(
            Waitable.anyOf(
                List.<Waitable<?>>of(channel.sending(3), receiving, channel.sending(4)))));
    drive();
    assertEquals(1, channel.tryReceive());
    scheduler.start();
    assertTrace("left 2");
    assertEquals(List.of(3), channel.cancel());
  }

  /// The source of another thread, which promises an event to a wait before the event comes.
  private static final class Promised implements Waitable<String> {

    private Waiter<? super String> waiter;
    private WaitClaim claim;

    @Override
    public void arm(Waiter<? super String> waiter) {
      this.waiter = waiter;
      claim = WaitClaim.of(waiter);
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {}

    void come() {
      assertTrue(claim.fire(waiter, "came"));
    }
  }

  @Test
  void receive_onlySenderIsPromisedAnotherBranch_waitsForAnotherElement() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    var other = new Promised();
    scheduler.spawn(() -> trace("branch " + scheduler.select(channel.sending(1), other).index()));
    drive();
    assertTrue(other.claim.tryTake());
    scheduler.spawn(() -> trace("got " + channel.receive(SECOND)));
    drive();
    assertTrace("");
    other.come();
    drive();
    assertTrace("branch 1");
    assertTrue(channel.trySend(2));
    drive();
    assertTrace("got 2");
  }

  @Test
  void receive_firstSenderIsPromisedAnotherBranch_takesFromTheNext() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    var other = new Promised();
    scheduler.spawn(() -> trace("branch " + scheduler.select(channel.sending(1), other).index()));
    sender(channel, 2);
    drive();
    assertTrue(other.claim.tryTake());
    scheduler.spawn(() -> trace("got " + channel.receive(SECOND)));
    drive();
    assertTrace("got 2 +2");
    other.come();
    scheduler.start();
    assertTrace("branch 1");
  }

  @Test
  void trySend_onlyReceiverIsPromisedAnotherBranch_isRefused() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    var other = new Promised();
    scheduler.spawn(() -> trace("branch " + scheduler.select(channel.receiving(), other).index()));
    drive();
    assertTrue(other.claim.tryTake());
    assertFalse(channel.trySend(1));
    sender(channel, 2);
    drive();
    assertTrace("");
    assertEquals(0, channel.size());
    other.come();
    drive();
    assertTrace("branch 1");
    assertEquals(2, channel.tryReceive());
    scheduler.start();
    assertTrace("+2");
  }

  @Test
  void poll_waiterHasSomethingElseAlready_elementOfASenderStays() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    sender(channel, 1);
    drive();
    scheduler.spawn(() ->
        trace(
            scheduler.await(
                new Waitable<Object>() {
                  @Override
                  public void arm(Waiter<? super Object> waiter) {
                    assertTrue(waiter.fire("else"));
                    assertFalse(channel.rawReceiving().poll(waiter));
                    assertEquals(1, channel.tryReceive());
                  }

                  @Override
                  public void disarm(Waiter<? super Object> waiter) {}
                })));
    scheduler.start();
    assertTrace("+1 else");
  }

  @Test
  void select_twoChannels_theOtherKeepsItsElement() {
    Channel<String> a = Channel.bounded(scheduler, 1);
    Channel<String> b = Channel.bounded(scheduler, 1);
    a.trySend("a");
    b.trySend("b");
    runTask(() -> trace(scheduler.select(b.receiving(), a.receiving()).value()));
    assertTrace("b");
    assertEquals(1, a.size());
  }

  @Test
  void await_inAStepTask_sendsAndReceives() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    int[] next = new int[1];
    scheduler
        .host()
        .spawnSteps(
            "sender",
            self -> {
              assertNull(self.received());
              return ++next[0] > 3 ? StepResult.DONE : self.await(channel.sending(next[0]));
            });
    int[] sum = new int[1];
    scheduler
        .host()
        .spawnSteps(
            "receiver",
            self -> {
              Object got = self.received();
              sum[0] += got == null ? 0 : (Integer) got;
              return sum[0] == 6 ? StepResult.DONE : self.await(channel.receiving());
            });
    scheduler.start();
    assertEquals(6, sum[0]);
  }

  // Mistakes.

  @Test
  void anyMethod_badArgument_saysWhatToDo() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    String nothing = "element is null: send an Optional where there may be nothing";
    assertEquals(nothing, message(NullPointerException.class, () -> channel.trySend(null)));
    assertEquals(nothing, message(NullPointerException.class, () -> channel.send(null)));
    assertEquals(nothing, message(NullPointerException.class, () -> channel.send(null, SECOND)));
    assertEquals(nothing, message(NullPointerException.class, () -> channel.sending(null)));
    assertEquals(
        "cause is null: use close()",
        message(NullPointerException.class, () -> channel.close(null)));
    assertEquals(
        "cause is null: use cancel()",
        message(NullPointerException.class, () -> channel.cancel(null)));
    assertEquals(
        "capacity must be at least 1, but is 0; for a channel without a buffer use"
            + " Channel.rendezvous",
        message(IllegalArgumentException.class, () -> Channel.bounded(scheduler, 0)));
    assertEquals(
        "scheduler is null", message(NullPointerException.class, () -> Channel.unbounded(null)));
    assertThrows(NullPointerException.class, () -> Channel.bounded(scheduler, 1, null));
    assertThrows(NullPointerException.class, () -> channel.named(null));
  }

  @Test
  void anyMethod_outsideOfATaskOrOnAnotherThread_saysSo() throws Exception {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    assertThrows(IllegalStateException.class, () -> channel.send(1));
    assertThrows(IllegalStateException.class, channel::receive);
    elsewhere(() -> {
      assertThrows(WrongThreadException.class, () -> channel.trySend(1));
      assertThrows(WrongThreadException.class, channel::tryReceive);
      assertThrows(WrongThreadException.class, channel::close);
      assertThrows(WrongThreadException.class, channel::cancel);
      assertThrows(WrongThreadException.class, channel::size);
      assertThrows(WrongThreadException.class, () -> channel.send(1));
      return null;
    });
    assertEquals(0, channel.size());
  }

  @Test
  void trySend_handedOverByAnotherThread_isReceived() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    runTask(() -> {
      var outside = scheduler.keepAlive();
      Thread.ofPlatform()
          .daemon()
          .start(() -> scheduler.execute(() -> assertTrue(channel.trySend(1))));
      assertEquals(1, channel.receive());
      outside.close();
    });
  }

  @Test
  void start_allWait_deadlockNamesTheChannel() {
    Channel<Integer> channel = Channel.<Integer>rendezvous(scheduler).named("orders");
    Task<Void> task = receiver("a", channel);
    var deadlock = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertTrue(
        deadlock.getMessage().contains("WAITING for receive from rendezvous channel 'orders'"),
        deadlock.getMessage());
    task.cancel("test");
    drive();
  }
}
