package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests what every [Waitable] must do, whatever ends the wait. A subclass makes the waitable and
/// its event; all tests run on every backend.
///
/// @param <T> what the event carries
@BackendsDiffer
public abstract class WaitableContract<T extends @Nullable Object> extends WaitableWaits<T> {

  /// What happens to an event.
  public enum Kind {
    /// One wait takes it. It is kept until then: an element, a permit.
    TAKEN,
    /// All tasks that wait when it happens receive it. If none waits it is lost: a signal.
    PASSING,
    /// It happens once, and every later wait receives it at once: the end of a task.
    LASTING
  }

  /// For subclasses.
  protected WaitableContract() {}

  // Selects.

  /// Fires every waiter inside `arm`, as if arming caused the event.
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
      runTask(() -> {
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
    runTask(() -> {
      assertThrows(
          IllegalStateException.class, () -> scheduler.<Object>select(waitable, throwsWhenArmed()));
      assertThrows(
          IllegalStateException.class, () -> scheduler.<Object>select(throwsWhenArmed(), waitable));
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
    runTask(() -> assertThrows(TimedOutException.class, () -> scheduler.await(choice, SECOND)));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  /// An event that wins against the waitable.
  private static final class Others implements Waitable<Object> {

    private final WaitQueue<Object> waiting = new WaitQueue<>();

    int fireAll(Object value) {
      return waiting.fireAll(value);
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      waiting.add(waiter);
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      boolean _ = waiting.remove(waiter);
    }
  }

  /// Parts that never come, but one, so that a choice of them and the waitable has several parts.
  private Waitable<Object> withOthers(Waitable<Object> other) {
    return Waitable.anyOf(List.of(Waitable.never(), other, waitable, Waitable.never()));
  }

  /// A task that awaits a choice of the waitable and of other parts. One of these wins three times.
  private Task<Void> awaitsAgain() {
    var others = new Others();
    Waitable<Object> choice = withOthers(others);
    Task<Void> task =
        scheduler.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            assertEquals("other", scheduler.await(choice));
          }
          scheduler.suspend();
          trace("choice=" + scheduler.await(choice));
        });
    for (int i = 0; i < 3; i++) {
      drive();
      assertRegistered(1);
      assertEquals(1, others.fireAll("other"));
    }
    drive();
    return task;
  }

  @Test
  void choice_awaitedAgain_leavesNothingBetweenWaitsAndTheEventIsNotLost() {
    Task<Void> task = awaitsAgain();
    T value = happen();
    drive();
    assertRegistered(0);
    scheduler.scheduleTask(task);
    drive();
    if (kind() == Kind.PASSING) {
      assertRegistered(1);
      value = happen();
      drive();
    }
    assertTrace("choice=" + value);
    assertRegistered(0);
  }

  @Test
  void choice_awaitedAgain_isBehindWaitsThatBeganMeanwhile() {
    assumeTrue(kind() == Kind.TAKEN);
    Task<Void> task = awaitsAgain();
    waiter("meanwhile");
    drive();
    scheduler.scheduleTask(task);
    drive();
    assertRegistered(2);
    T first = happen();
    T second = happen();
    drive();
    assertTrace("meanwhile=%s choice=%s".formatted(first, second));
    assertRegistered(0);
  }

  @Test
  void choice_awaitedAgainInATaskThatEnds_leavesNothing() {
    Task<Void> task = awaitsAgain();
    assertTrue(task.cancel("it ends"));
    scheduler.start();
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void anyOf_nestedMappedAndGuarded_deliversTheMappedValue() {
    AtomicInteger made = new AtomicInteger();
    Waitable<String> guarded =
        Waitable.guard(() -> {
          made.incrementAndGet();
          return waitable.map(value -> "mapped " + value);
        });
    Waitable<String> nested =
        Waitable.<String>anyOf(
                List.of(Waitable.never(), Waitable.anyOf(List.of(Waitable.never(), guarded))))
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
        scheduler.spawn(() -> {
          var told =
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      scheduler.await(
                          waitable.map(value -> {
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
    Waitable<Object> again = withOthers(Waitable.never());
    for (int i = 0; i < 300; i++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          happen();
          happened++;
        }
        case 2 ->
            tasks.add(
                scheduler.spawn(() -> {
                  scheduler.select(Waitable.never(), waitable, waitable);
                  taken.incrementAndGet();
                }));
        case 3 ->
            tasks.add(
                scheduler.spawn(() -> {
                  scheduler.await(again);
                  taken.incrementAndGet();
                }));
        case 4 ->
            tasks.add(
                scheduler.spawn(() -> {
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
      runTask(() -> {
        Waitable<Object> none = Waitable.always("none");
        more[0] = scheduler.<Object>select(waitable, none).index() == 0;
      });
      taken.addAndGet(more[0] ? 1 : 0);
    }
    assertEquals(happened, taken.get(), "seed " + seed);
  }
}
