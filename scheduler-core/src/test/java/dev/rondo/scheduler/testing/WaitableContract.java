package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimeoutException;
import dev.rondo.scheduler.Turn;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Waitable] must do, whatever ends the wait. Extend it, say how to make one and how to
/// make its event happen; everything runs on every backend.
///
/// @param <T> what the event carries
public abstract class WaitableContract<T extends @Nullable Object> extends SchedulerTest {

  /// What becomes of an event.
  public enum Kind {
    /// One wait takes it; if nobody waits it is kept: an element, a permit.
    TAKEN,
    /// Those who wait when it happens get it; if nobody does it is lost: a signal.
    PASSING,
    /// It happens once and is there from then on, for everybody: the end of a task.
    LASTING
  }

  /// The answer of [#registered()] where it cannot be told.
  protected static final int UNKNOWN = -1;

  private static final Duration SECOND = Duration.ofSeconds(1);

  private Waitable<T> waitable;

  /// For subclasses.
  protected WaitableContract() {}

  /// Makes the waitable to prove; its event has not happened. Called once for each test, on the
  /// scheduler's thread outside of tasks.
  protected abstract Waitable<T> make();

  /// What becomes of its event.
  protected abstract Kind kind();

  /// Makes the event happen, now or in a turn soon: any number of times, but for [Kind#LASTING] once.
  /// Called on the scheduler's thread, in tasks and outside.
  ///
  /// @return what a wait that gets it results in
  protected abstract T happen();

  /// How many waiters the waitable has in its books, or [#UNKNOWN].
  protected abstract int registered();

  /// Makes the waitable. Called by JUnit.
  @BeforeEach
  public final void makeWaitable() {
    waitable = make();
    drive();
  }

  private void assertRegistered(int expected) {
    if (registered() != UNKNOWN) {
      assertEquals(expected, registered(), "waiters in its books");
    }
  }

  private Task<Void> waiter(String name) {
    return scheduler.spawn(name, () -> trace(name + "=" + scheduler.await(waitable)));
  }

  /// The event goes on being there, for whoever comes next.
  private void assertNotLost(T value) {
    if (kind() != Kind.PASSING) {
      waiter("next");
      scheduler.start();
      assertTrace("next=" + value);
    }
  }

  // One wait.

  @Test
  void await_eventComes_isDeliveredOnce() {
    Task<Void> task = waiter("w");
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("w=" + value);
    assertRegistered(0);
  }

  @Test
  void await_eventThere_isDelivered() {
    assumeTrue(kind() != Kind.PASSING);
    T value = happen();
    drive();
    assertNotLost(value);
    assertRegistered(0);
  }

  @Test
  void await_eventPassedBefore_isNotDelivered() {
    assumeTrue(kind() == Kind.PASSING);
    happen();
    drive();
    Task<Void> task = waiter("w");
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    T value = happen();
    scheduler.start();
    assertTrace("w=" + value);
  }

  @Test
  void await_eventThere_givesWayUnlessItTakesSomething() {
    assumeTrue(kind() != Kind.PASSING);
    assumeTrue(kind() == Kind.TAKEN || !waitable.isEager());
    T value = happen();
    drive();
    waiter("w");
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace(waitable.isEager() ? "w=" + value + " other" : "other w=" + value);
  }

  @Test
  void await_takingWithoutEnd_letsOthersRun() {
    assumeTrue(kind() == Kind.TAKEN && waitable.isEager());
    boolean[] stop = new boolean[1];
    AtomicInteger taken = new AtomicInteger();
    scheduler.spawn(
        () -> {
          while (!stop[0] && taken.incrementAndGet() < 10_000) {
            happen();
            scheduler.await(waitable);
          }
        });
    scheduler.spawn(() -> stop[0] = true);
    scheduler.start();
    assertTrue(taken.get() < 10_000, "it kept the loop");
  }

  @Test
  void await_again_waitsAgain() {
    assumeTrue(kind() != Kind.LASTING);
    scheduler.spawn(
        () -> {
          trace(scheduler.await(waitable));
          trace(scheduler.await(waitable));
        });
    drive();
    T first = happen();
    drive();
    assertTrace("" + first);
    assertRegistered(1);
    T second = happen();
    scheduler.start();
    assertTrace("" + second);
  }

  @Test
  void await_lasting_everybodyGetsIt() {
    assumeTrue(kind() == Kind.LASTING);
    var got = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      scheduler.spawn(() -> got.add(scheduler.await(waitable)));
    }
    drive();
    T value = happen();
    scheduler.start();
    assertEquals(Collections.nCopies(3, value), got);
    assertNotLost(value);
  }

  @Test
  void await_severalWaiters_areServedInTheOrderTheyBeganToWait() {
    assumeTrue(kind() == Kind.TAKEN);
    for (String name : List.of("a", "b", "c")) {
      waiter(name);
    }
    drive();
    assertRegistered(3);
    T first = happen();
    T second = happen();
    T third = happen();
    scheduler.start();
    assertTrace("a=%s b=%s c=%s".formatted(first, second, third));
  }

  @Test
  void await_inAStepTask_isReceived() {
    boolean[] begun = new boolean[1];
    StepTask<Void> task =
        scheduler.spawnSteps(
            "s",
            self -> {
              if (!begun[0]) {
                begun[0] = true;
                return self.await(waitable);
              }
              trace(self.received());
              return Turn.DONE;
            });
    drive();
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("" + value);
    assertTrue(task.isDone());
  }

  @Test
  void scheduleOn_newTask_receivesIt() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    assertTrue(scheduler.scheduleOn(task, waitable));
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("" + value);
  }

  @Test
  void scheduleOn_eventThere_receivesIt() {
    assumeTrue(kind() != Kind.PASSING);
    T value = happen();
    drive();
    scheduler.scheduleOn(scheduler.newTask("t", () -> trace(scheduler.received())), waitable);
    scheduler.start();
    assertTrace("" + value);
    assertRegistered(0);
  }

  // Waits that end otherwise.

  @Test
  void cancel_waiting_leavesNothingAndTheEventIsNotLost() {
    Task<Void> task = waiter("w");
    drive();
    task.cancel("why");
    assertRegistered(0);
    drive();
    assertTrue(task.isCancelled());
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void timeout_waiting_leavesNothingAndTheEventIsNotLost() {
    runTask(() -> assertThrows(TimeoutException.class, () -> scheduler.await(waitable, SECOND)));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void timeout_scopeAround_leavesNothingAndTheEventIsNotLost() {
    runTask(
        () ->
            assertThrows(
                TimeoutException.class,
                () -> scheduler.within(SECOND, () -> scheduler.await(waitable))));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void scheduleTask_waiting_endsTheWaitAndTheLateEventCannotFire() {
    Task<Void> task =
        scheduler.spawn(
            () -> {
              trace(scheduler.await(waitable));
              trace(scheduler.suspend());
            });
    drive();
    assertTrue(scheduler.scheduleTask(task, null));
    assertRegistered(0);
    drive();
    assertTrace("null");
    T value = happen();
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task, "end");
    drive();
    assertTrace("end");
    assertNotLost(value);
  }

  @Test
  void scheduleTask_waitingAgainTwiceInOneRound_eventIsDeliveredOnce() {
    Task<Void> task =
        scheduler.spawn(
            () -> {
              trace(scheduler.await(waitable));
              trace(scheduler.await(waitable));
              trace(scheduler.await(waitable));
            });
    Object[] value = new Object[1];
    drive();
    runTask(
        () -> {
          scheduler.scheduleTask(task);
          scheduler.yield();
          assertRegistered(1);
          scheduler.scheduleTask(task);
          scheduler.yield();
          assertRegistered(1);
          value[0] = happen();
        });
    assertTrue(task.isDone());
    assertRegistered(0);
    assertTrace("null null " + value[0]);
  }

  @Test
  void unschedule_waiting_leavesNothingAndTheEventIsNotLost() {
    Task<Void> task = waiter("w");
    drive();
    assertTrue(scheduler.unschedule(task));
    assertRegistered(0);
    T value = happen();
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task);
    drive();
    assertTrace("w=null");
    assertNotLost(value);
  }

  // Selects.

  /// Fires whoever arms it, while arming: as an event would that arming itself brings about.
  private static <V> Waitable<V> firesWhenArmed(V value) {
    return new Waitable<>() {
      @Override
      public void arm(Waiter<? super V> waiter) {
        waiter.fire(value);
      }

      @Override
      public void disarm(Waiter<? super V> waiter) {
        throw new AssertionError("a waiter that was fired is not disarmed");
      }
    };
  }

  private static <V> Waitable<V> throwsWhenArmed() {
    return new Waitable<>() {
      @Override
      public void arm(Waiter<? super V> waiter) {
        throw new IllegalStateException("arm");
      }

      @Override
      public void disarm(Waiter<? super V> waiter) {
        throw new AssertionError("a waiter that was not armed is not disarmed");
      }
    };
  }

  @Test
  void select_itComes_wins() {
    scheduler.spawn(() -> trace(scheduler.select(Waitable.never(), waitable, Waitable.never())));
    drive();
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("Selection[index=1, value=" + value + "]");
    assertRegistered(0);
  }

  @Test
  void select_anotherWins_leavesNothingAndTheEventIsNotLost() {
    for (Waitable<Object> winner :
        List.of(Waitable.always((Object) "other"), firesWhenArmed((Object) "other"))) {
      runTask(
          () -> {
            assertEquals("other", scheduler.<Object>select(waitable, winner).value());
            assertEquals("other", scheduler.<Object>select(winner, waitable).value());
          });
      assertRegistered(0);
    }
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void select_bothThere_theFirstWinsAndTheOtherKeepsItsEvent() {
    assumeTrue(kind() != Kind.PASSING);
    T value = happen();
    drive();
    runTask(() -> trace(scheduler.<Object>select(Waitable.always("first"), waitable).index()));
    assertTrace("0");
    assertNotLost(value);
  }

  @Test
  void select_itTwice_deliversOnceAndLeavesNothing() {
    scheduler.spawn(() -> trace(scheduler.select(waitable, waitable).value()));
    drive();
    T value = happen();
    scheduler.start();
    assertTrace("" + value);
    assertRegistered(0);
    if (kind() == Kind.TAKEN) {
      T second = happen();
      drive();
      assertNotLost(second);
    }
  }

  @Test
  void select_anotherThrowsWhenArmed_leavesNothing() {
    runTask(
        () -> {
          assertThrows(
              IllegalStateException.class,
              () -> scheduler.<Object>select(waitable, throwsWhenArmed()));
          assertThrows(
              IllegalStateException.class,
              () -> scheduler.<Object>select(throwsWhenArmed(), waitable));
        });
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void select_cancelledOrTimedOut_leavesNothingAndTheEventIsNotLost() {
    Task<?> task = scheduler.spawn(() -> scheduler.select(waitable, Waitable.never()));
    drive();
    assertRegistered(1);
    task.cancel("why");
    assertRegistered(0);
    var choice = Waitable.<Object>anyOf(List.of(waitable, Waitable.never()));
    runTask(() -> assertThrows(TimeoutException.class, () -> scheduler.await(choice, SECOND)));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void anyOf_nestedMappedAndGuarded_deliversTheMappedValue() {
    AtomicInteger made = new AtomicInteger();
    Waitable<String> guarded =
        Waitable.guard(
            () -> {
              made.incrementAndGet();
              return waitable.map(value -> "mapped " + value);
            });
    Waitable<String> nested =
        Waitable.<String>anyOf(
                List.of(
                    Waitable.never(), Waitable.anyOf(List.of(Waitable.never(), guarded))))
            .map(value -> value + "!");
    scheduler.spawn(() -> trace(scheduler.await(nested)));
    drive();
    assertRegistered(1);
    assertEquals(1, made.get());
    T value = happen();
    scheduler.start();
    assertTrace("mapped " + value + "!");
    assertRegistered(0);
  }

  @Test
  void map_suspendsOrThrows_inTheWaitingTask() {
    Task<?>[] ran = new Task<?>[1];
    Task<Void> task =
        scheduler.spawn(
            () -> {
              var told =
                  assertThrows(
                      IllegalStateException.class,
                      () ->
                          scheduler.await(
                              waitable.map(
                                  value -> {
                                    ran[0] = scheduler.currentTask();
                                    scheduler.yield();
                                    throw new IllegalStateException("map " + value);
                                  })));
              trace(told.getMessage());
            });
    drive();
    T value = happen();
    scheduler.start();
    assertTrace("map " + value);
    assertEquals(task, ran[0]);
    assertRegistered(0);
  }

  // Everything at once.

  @Test
  void anyMixOfEnds_takenEvents_areConserved() {
    assumeTrue(kind() == Kind.TAKEN);
    long seed = new Random().nextLong();
    System.out.println("WaitableContract seed " + seed);
    var random = new Random(seed);
    AtomicInteger taken = new AtomicInteger();
    int happened = 0;
    var tasks = new ArrayList<Task<Void>>();
    for (int i = 0; i < 300; i++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          happen();
          happened++;
        }
        case 2 ->
            tasks.add(
                scheduler.spawn(
                    () -> {
                      scheduler.select(Waitable.never(), waitable, waitable);
                      taken.incrementAndGet();
                    }));
        case 3 ->
            tasks.add(
                scheduler.spawn(
                    () -> {
                      scheduler.await(waitable, SECOND);
                      taken.incrementAndGet();
                    }));
        default -> {
          if (!tasks.isEmpty()) {
            tasks.get(random.nextInt(tasks.size())).cancel("chance");
          }
          time.advance(Duration.ofMillis(random.nextInt(300)));
        }
      }
      if (random.nextBoolean()) {
        drive();
      }
    }
    tasks.forEach(task -> task.cancel("end"));
    drive();
    time.advance(SECOND);
    takeReported(); // timeouts
    assertRegistered(0);
    boolean[] more = {true};
    while (more[0]) {
      runTask(
          () -> {
            Waitable<Object> none = Waitable.always("none");
            more[0] = scheduler.<Object>select(waitable, none).index() == 0;
          });
      taken.addAndGet(more[0] ? 1 : 0);
    }
    assertEquals(happened, taken.get(), "seed " + seed);
  }
}
