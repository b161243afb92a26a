package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Endpoints between two schedulers, which a test steps in turn on one thread: each order of events
/// is the test's.
final class EndpointTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Endpoint<String> rendezvous = new Endpoint<>("r", 0);
  private final Endpoint<String> buffered = new Endpoint<>("b", 2);
  private Scheduler other;

  @BeforeEach
  void openOther() {
    other = newScheduler();
  }

  @AfterEach
  void closeOther() {
    other.close();
  }

  /// Steps a scheduler until it has nothing to do.
  private static void settle(Scheduler stepped) {
    while (stepped.step()) {
      // goes on
    }
  }

  private void assertAllEnded() {
    for (Scheduler each : List.of(scheduler, other)) {
      assertEquals(List.of(), each.tasks().stream().filter(task -> !task.isDaemon()).toList());
    }
  }

  private void settleBoth() {
    for (int i = 0; i < 4; i++) {
      settle(scheduler);
      settle(other);
    }
  }

  // Sending and receiving.

  @Test
  void rendezvous_senderWaits_untilAReceiverHasTheMessage() {
    Task<?> sender = scheduler.spawn(() -> rendezvous.send("a"));
    settle(scheduler);
    assertFalse(sender.isDone());
    assertEquals(1, rendezvous.waitingSenderCount());
    other.spawn(() -> trace(rendezvous.receive()));
    settle(other);
    assertTrace("a");
    assertFalse(sender.isDone(), "its scheduler has not had a turn");
    settle(scheduler);
    assertTrue(sender.isDone());
    assertEquals(0, rendezvous.waitingSenderCount());
  }

  @Test
  void rendezvous_receiverWaits_senderGoesOnAtOnce() {
    other.spawn(() -> trace(rendezvous.receive()));
    settle(other);
    Task<?> sender = scheduler.spawn(() -> rendezvous.send("a"));
    settle(scheduler);
    assertTrue(sender.isDone());
    settle(other);
    assertTrace("a");
  }

  @Test
  void buffered_full_senderWaitsForRoomAndKeepsTheOrder() {
    Task<?> sender = scheduler.spawn(() -> List.of("a", "b", "c", "d").forEach(buffered::send));
    settle(scheduler);
    assertFalse(sender.isDone());
    assertEquals(2, buffered.size());
    other.spawn(() -> {
      for (int i = 0; i < 4; i++) {
        trace(buffered.receive());
      }
    });
    settleBoth();
    assertTrace("a b c d");
    assertTrue(sender.isDone());
  }

  @Test
  void receiveSome_takesWhatIsThere() {
    scheduler.spawn(() -> List.of("a", "b", "c").forEach(buffered::send));
    settle(scheduler);
    other.spawn(() -> {
      assertEquals(List.of("a", "b", "c"), buffered.receiveSome(10));
      assertEquals(List.of("d"), buffered.receiveSome(10));
    });
    settle(other);
    scheduler.spawn(() -> buffered.send("d"));
    settleBoth();
    assertAllEnded();
  }

  @Test
  void receiveSome_waitingSendersOfARendezvous_areServed() {
    scheduler.spawn(() -> rendezvous.send("a"));
    scheduler.spawn(() -> rendezvous.send("b"));
    scheduler.spawn(() -> rendezvous.send("c"));
    settle(scheduler);
    other.spawn(() -> assertEquals(List.of("a", "b"), rendezvous.receiveSome(2)));
    settleBoth();
    assertEquals("c", rendezvous.tryReceive());
    settle(scheduler);
    assertAllEnded();
  }

  @Test
  void tryBoth_neverWait() {
    assertFalse(rendezvous.trySend("a"));
    assertNull(rendezvous.tryReceive());
    assertTrue(buffered.trySend("a"));
    assertTrue(buffered.trySend("b"));
    assertFalse(buffered.trySend("c"));
    assertEquals("a", buffered.tryReceive());
  }

  // A wait ends otherwise.

  @Test
  void cancelledReceiver_messageGoesToTheNext() {
    Task<?> first = scheduler.spawn(() -> trace("first " + rendezvous.receive()));
    settle(scheduler);
    other.spawn(() -> trace("second " + rendezvous.receive()));
    settle(other);
    first.cancel("not any more");
    assertTrue(rendezvous.trySend("a"));
    settleBoth();
    assertTrue(first.isCancelled());
    assertTrace("second a");
  }

  @Test
  void cancelledSender_hasNotSent() {
    Task<?> first = scheduler.spawn(() -> rendezvous.send("a"));
    scheduler.spawn(() -> rendezvous.send("b"));
    settle(scheduler);
    first.cancel("not any more");
    assertEquals("b", rendezvous.tryReceive());
    assertNull(rendezvous.tryReceive());
    settle(scheduler);
    assertTrue(first.isCancelled());
  }

  @Test
  void cancel_afterTheMessageWasTaken_isToldAtTheNextSuspensionPoint() {
    Task<?> sender =
        scheduler.spawn(() -> {
          rendezvous.send("a");
          trace("sent");
          scheduler.yield();
          trace("not reached");
        });
    settle(scheduler);
    assertEquals("a", rendezvous.tryReceive());
    sender.cancel("too late");
    settle(scheduler);
    assertTrue(sender.isCancelled());
    assertTrace("sent");
  }

  @Test
  void timeouts_leaveNothingBehind() {
    runTask(() -> {
      var receive = assertThrows(TimedOutException.class, () -> rendezvous.receive(SECOND));
      assertEquals("gave up after 1 s: receive from endpoint 'r'", receive.getMessage());
      var send = assertThrows(TimedOutException.class, () -> rendezvous.send("a", SECOND));
      assertEquals("gave up after 1 s: send to endpoint 'r'", send.getMessage());
      assertThrows(TimedOutException.class, () -> rendezvous.receive(Duration.ZERO));
    });
    assertEquals(0, rendezvous.waitingReceiverCount());
    assertEquals(0, rendezvous.waitingSenderCount());
    assertFalse(rendezvous.trySend("b"));
  }

  @Test
  void scheduledDirectly_nothingIsSentOrReceived() {
    Task<?> receiver =
        scheduler.spawn(
            () -> assertThrows(ScheduledDirectlyException.class, () -> rendezvous.receive()));
    Task<?> sender =
        scheduler.spawn(
            () -> assertThrows(ScheduledDirectlyException.class, () -> buffered.send("c")));
    buffered.trySend("a");
    buffered.trySend("b");
    settle(scheduler);
    assertTrue(scheduler.scheduleTask(receiver));
    assertTrue(scheduler.scheduleTask(sender));
    settle(scheduler);
    assertFalse(rendezvous.trySend("x"));
    assertEquals(List.of("a", "b"), buffered.cancel());
  }

  @Test
  void closedScheduler_itsWaitsAreGone() {
    other.spawn(() -> rendezvous.receive());
    other.spawn(() -> buffered.receive());
    settle(other);
    other.close();
    assertEquals(0, rendezvous.waitingReceiverCount());
    assertFalse(rendezvous.trySend("a"));
    assertTrue(buffered.trySend("a"));
    assertEquals("a", buffered.tryReceive());
  }

  @Test
  void promisedMessage_theTaskEndsWithItsScheduler_goesToTheNext() throws Exception {
    var steps = other.host().spawnSteps("steps", self -> self.await(rendezvous.receiving()));
    settle(other);
    scheduler.spawn(() -> trace("next " + rendezvous.receive()));
    settle(scheduler);
    assertTrue(elsewhere(() -> rendezvous.trySend("a"))); // promised to the step task
    steps.cancel("ends at once");
    settleBoth();
    assertTrace("next a");
  }

  @Test
  void promisedMessage_noOtherReceiver_isFirstInTheBuffer() throws Exception {
    var steps = other.host().spawnSteps("steps", self -> self.await(buffered.receiving()));
    settle(other);
    assertTrue(elsewhere(() -> buffered.trySend("a")));
    assertTrue(buffered.trySend("b"));
    steps.cancel("ends at once");
    settleBoth();
    assertEquals("a", buffered.tryReceive());
    assertEquals("b", buffered.tryReceive());
  }

  // Selects.

  @Test
  void select_onBothSides_exchangesOneMessage() {
    Endpoint<String> second = new Endpoint<>("s", 0);
    scheduler.spawn(() ->
        trace("sent" + scheduler.select(rendezvous.sending("x"), second.sending("y")).index()));
    settle(scheduler);
    other.spawn(() -> {
      Selection<String> got = other.select(second.receiving(), rendezvous.receiving());
      trace("got" + got.index() + got.value());
    });
    settleBoth();
    assertTrace("got0y sent1");
    assertEquals(0, rendezvous.waitingSenderCount() + second.waitingSenderCount());
    assertEquals(0, rendezvous.waitingReceiverCount() + second.waitingReceiverCount());
  }

  @Test
  void select_fairOverFullEndpoints_servesAllOfThem() {
    int rounds = 300;
    int[] served = new int[3];
    Select fair = Select.fair(new Random(19));
    for (int i = 0; i < served.length; i++) {
      int number = i;
      Endpoint<String> full = new Endpoint<>("full" + i, 1);
      spawnDaemon(
          other,
          () -> {
            while (true) {
              full.send("m");
            }
          });
      fair.on(full.receiving(), message -> served[number]++);
    }
    settle(other);
    Task<?> receiver =
        scheduler.spawn(() -> {
          for (int i = 0; i < rounds; i++) {
            fair.run();
          }
        });
    while (!receiver.isDone()) {
      settleBoth();
    }
    assertEquals(rounds, Arrays.stream(served).sum());
    for (int each : served) {
      assertTrue(each > rounds / 5, () -> Arrays.toString(served));
    }
  }

  @Test
  void select_receiversOfTwoSchedulers_areServedInTurn() {
    for (Scheduler each : List.of(scheduler, other)) {
      String name = each == scheduler ? "a" : "b";
      each.spawn(() -> {
        for (int i = 0; i < 3; i++) {
          each.select(buffered.receiving(), rendezvous.receiving());
          trace(name);
        }
      });
    }
    settleBoth();
    for (int i = 0; i < 3; i++) {
      assertTrue(rendezvous.trySend("m"));
      assertTrue(buffered.trySend("m"));
      settleBoth();
    }
    assertTrace("a b a b a b");
  }

  // A scheduler that ends.

  @Test
  void endedScheduler_thatAMessageWasPromisedTo_theNextReceives() throws Exception {
    assumeTrue(backend.sharesThread());
    var exchange = new Exchange(0);
    var promised = new Promised(exchange);
    Scheduler victim = newScheduler();
    victim.spawn(() -> victim.await(promised));
    settle(victim);
    LoopControl.of(victim.host()).abandon();
    elsewhere(() -> {
      requireNonNull(promised.party).settle("from another thread");
      return null;
    });
    assertEquals("from another thread", exchange.take(null));
    requireNonNull(promised.party).settle("from its thread");
    assertEquals("from its thread", exchange.take(null));
  }

  /// A wait that a thread has taken the claim of.
  private static final class Promised implements Waitable<Object> {
    private final Exchange exchange;
    private @Nullable TaskParty party;

    Promised(Exchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      party = new TaskParty(exchange, waiter, WaitClaim.of(waiter), null);
      assertTrue(party.claim.tryTake());
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {}
  }

  @Test
  void crashedScheduler_messagePromisedToItIsGone_laterOnesAreNot() {
    assumeTrue(backend.sharesThread());
    Scheduler victim = newScheduler();
    victim.spawn(() -> rendezvous.receive());
    victim.spawn(() -> rendezvous.receive());
    settle(victim);
    assertTrue(rendezvous.trySend("gone"));
    LoopControl.of(victim.host()).abandon(); // as a simulated crash does
    scheduler.spawn(() -> rendezvous.send("kept"));
    settle(scheduler);
    other.spawn(() -> trace(rendezvous.receive()));
    settleBoth();
    assertTrace("kept");
    assertEquals(0, rendezvous.waitingReceiverCount());
  }

  @Test
  void crashedScheduler_thatWaitsToSend_itsMessageIsReceivedOnce() {
    assumeTrue(backend.sharesThread());
    Scheduler victim = newScheduler();
    victim.spawn(() -> rendezvous.send("last"));
    settle(victim);
    LoopControl.of(victim.host()).abandon();
    assertEquals("last", rendezvous.tryReceive());
    assertNull(rendezvous.tryReceive());
  }

  private static void spawnDaemon(Scheduler scheduler, TaskAction<?> code) {
    Task<Void> task = scheduler.newTask("daemon", code);
    scheduler.scheduleTask(task.daemon());
  }

  @Test
  void select_armsTwoEndpoints_theSecondHasAPartner() {
    // The sender waits at the second endpoint before the receiver arms, but after it has polled:
    // a guard between the two polls cannot do that, the arming of another branch can.
    assumeTrue(backend.sharesThread());
    Endpoint<String> second = new Endpoint<>("s", 0);
    Waitable<String> meddler =
        new Meddling(() -> {
          other.spawn(() -> second.send("y"));
          settle(other);
        });
    scheduler.spawn(
        () -> trace(scheduler.select(rendezvous.receiving(), meddler, second.receiving()).value()));
    settleBoth();
    assertTrace("y");
    assertEquals(0, rendezvous.waitingReceiverCount());
  }

  @Test
  void select_promisedByAnotherThreadWhileItArms_takesNothingElse() {
    assumeTrue(backend.sharesThread());
    Waitable<String> meddler =
        new Meddling(() -> {
          try {
            assertTrue(elsewhere(() -> rendezvous.trySend("x") && buffered.trySend("y")));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    scheduler.spawn(() ->
        trace(scheduler.select(rendezvous.receiving(), meddler, buffered.receiving()).value()));
    settle(scheduler);
    assertTrace("x");
    assertEquals("y", buffered.tryReceive());
    assertEquals(0, buffered.waitingReceiverCount());
  }

  @Test
  void select_promisedWhileItArms_takesNothingElse() {
    Waitable<String> meddler =
        new Meddling(() -> {
          assertTrue(rendezvous.trySend("x"));
          assertTrue(buffered.trySend("y"));
        });
    scheduler.spawn(() ->
        trace(scheduler.select(rendezvous.receiving(), meddler, buffered.receiving()).value()));
    settle(scheduler);
    assertTrace("x");
    assertEquals("y", buffered.tryReceive());
  }

  /// Does something while it is armed.
  private static final class Meddling implements Waitable<String> {
    private final Runnable action;

    Meddling(Runnable action) {
      this.action = action;
    }

    @Override
    public void arm(Waiter<? super String> waiter) {
      action.run();
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {}
  }

  @Test
  void select_ownTaskOnBothSides_exchangesNothingWithItself() {
    Task<?> task =
        scheduler.spawn(() ->
            scheduler.select(rendezvous.receiving(), rendezvous.sending("a").map(sent -> "sent")));
    settle(scheduler);
    assertFalse(task.isDone());
    assertEquals("a", rendezvous.tryReceive());
    settle(scheduler);
    assertTrue(task.isDone());
    assertEquals(0, rendezvous.waitingReceiverCount());
  }

  @Test
  void select_besideATimer_takesWhatComesFirst() throws Exception {
    List<String> got = new ArrayList<>();
    scheduler.spawn(() -> {
      Select select =
          Select.biased()
              .on(rendezvous.receiving(), got::add)
              .after(SECOND, () -> got.add("nothing"));
      select.run();
      select.run();
    });
    settle(scheduler);
    assertTrue(rendezvous.trySend("a"));
    scheduler.start();
    assertEquals(List.of("a", "nothing"), got);
    assertFalse(rendezvous.trySend("b"));
  }

  // The end.

  @Test
  void close_drainsThenTellsReceivers_andRefusesSenders() {
    assertTrue(buffered.trySend("a"));
    buffered.close();
    assertTrue(buffered.isClosedForSend());
    assertFalse(buffered.isClosedForReceive());
    var refused = assertThrows(ClosedException.class, () -> buffered.trySend("b"));
    assertEquals(
        "send to endpoint 'b', which was closed: the message was not taken", refused.getMessage());
    runTask(() -> {
      for (String each : buffered) {
        trace(each);
      }
      var told = assertThrows(ClosedException.class, buffered::receive);
      assertTrue(told.getMessage().contains("closed and is empty"), told.getMessage());
      trace(scheduler.await(buffered.receivingOrEnd()).isPresent());
      assertThrows(ClosedException.class, () -> scheduler.await(buffered.sending("x")));
    });
    assertTrace("a false");
    assertTrue(buffered.isClosedForReceive());
  }

  @Test
  void close_tellsAllThatWait() {
    var cause = new IllegalStateException("broken");
    scheduler.spawn(() -> {
      var told = assertThrows(ClosedException.class, rendezvous::receive);
      assertSame(cause, told.getCause());
      assertTrue(told.getMessage().endsWith(", which has failed: " + cause), told.getMessage());
    });
    other.spawn(() -> {
      assertTrue(buffered.trySend("a") && buffered.trySend("b"));
      var told = assertThrows(ClosedException.class, () -> buffered.send("c"));
      assertSame(cause, told.getCause());
      assertTrue(told.getMessage().contains(", which has failed: " + cause), told.getMessage());
    });
    settleBoth();
    rendezvous.close(cause);
    buffered.close(cause);
    settleBoth();
    assertAllEnded();
    assertEquals(Optional.of("a"), Optional.ofNullable(buffered.tryReceive()));
    assertEquals(List.of("b"), buffered.cancel());
  }

  @Test
  void cancel_returnsWhatWasNotReceived() {
    assertTrue(buffered.trySend("a") && buffered.trySend("b"));
    Task<?> sender =
        scheduler.spawn(() -> assertThrows(ClosedException.class, () -> buffered.send("c")));
    settle(scheduler);
    assertEquals(List.of("a", "b"), buffered.cancel());
    assertEquals(List.of(), buffered.cancel());
    settle(scheduler);
    assertTrue(sender.isDone());
    var told = assertThrows(ClosedException.class, buffered::tryReceive);
    assertTrue(told.getMessage().contains("whose receiver has ended"), told.getMessage());
  }

  @Test
  void cancel_withACause_tellsSendersWhy() {
    assertTrue(buffered.trySend("a") && buffered.trySend("b"));
    var cause = new IllegalStateException("broken");
    Task<ClosedException> sender =
        scheduler.spawn(() -> assertThrows(ClosedException.class, () -> buffered.send("c")));
    settle(scheduler);
    assertEquals(List.of("a", "b"), buffered.cancel(cause));
    settle(scheduler);
    ClosedException told = sender.join();
    assertSame(cause, told.getCause());
    assertTrue(told.getMessage().contains("whose receiver has failed"), told.toString());
    assertSame(cause, assertThrows(ClosedException.class, buffered::tryReceive).getCause());
  }

  @Test
  void outsideOfAStackfulTask_waitingIsRefused() {
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              assertThrows(IllegalStateException.class, () -> rendezvous.send("a"));
              assertThrows(IllegalStateException.class, rendezvous::receive);
              return self.done(null);
            });
    settle(scheduler);
    assertAllEnded();
  }

  @Test
  void capacity_belowZero_isRefused() {
    var told = assertThrows(IllegalArgumentException.class, () -> new Endpoint<>("x", -1));
    assertTrue(told.getMessage().contains("but is -1"), told.getMessage());
  }

  @Test
  void timeout_negative_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> rendezvous.receive(Duration.ofSeconds(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> rendezvous.send("a", Duration.ofSeconds(-1)));
  }
}
