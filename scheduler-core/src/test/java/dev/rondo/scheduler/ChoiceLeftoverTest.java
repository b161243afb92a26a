package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// One wait for a choice leaves nothing behind for the next.
class ChoiceLeftoverTest extends SchedulerTest {

  private final WaitQueueEvent a = new WaitQueueEvent();
  private final WaitQueueEvent b = new WaitQueueEvent();

  private static Waitable<@Nullable Object> any(
      Waitable<@Nullable Object> one, Waitable<@Nullable Object> other) {
    return Waitable.anyOf(List.of(one, other));
  }

  @Test
  void scheduleOn_taskThatWaitsForAChoice_waitsForTheOtherOne() {
    var c = new WaitQueueEvent();
    var d = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(any(a, b))));
    drive();
    assertTrue(scheduler.queue().scheduleOn(task, any(c, d)));
    assertEquals(0, a.waiters() + b.waiters());
    assertEquals(List.of(1, 1), List.of(c.waiters(), d.waiters()));
    d.fireAll("d");
    drive();
    assertTrace("d");
    assertEquals(0, c.waiters());
  }

  /// Fires another event while it is being armed, after it has stored its waiter.
  private static final class Meddling implements Waitable<@Nullable Object> {

    private final WaitQueueEvent own;
    private final WaitQueueEvent other;
    private boolean meddles;

    Meddling(WaitQueueEvent own, WaitQueueEvent other) {
      this.own = own;
      this.other = other;
    }

    @Override
    public void arm(Waiter<? super @Nullable Object> waiter) {
      own.arm(waiter);
      if (meddles) {
        other.fireAll("meddled");
      }
    }

    @Override
    public void disarm(Waiter<? super @Nullable Object> waiter) {
      own.disarm(waiter);
    }
  }

  @Test
  void await_partThatWonTheLastTimeFiresItsSisterWhileArmed_isLeft() {
    var meddling = new Meddling(b, a);
    Waitable<@Nullable Object> choice = any(a, meddling);
    scheduler.spawn(() -> {
      trace(scheduler.await(choice));
      trace(scheduler.await(choice));
    });
    drive();
    meddling.meddles = true;
    b.fireAll("b");
    drive();
    assertTrace("b meddled");
    assertEquals(0, a.waiters() + b.waiters());
  }

  @Test
  void await_choiceThatIsKept_doesNotHoldItsLastValue() {
    Waitable<@Nullable Object> choice = any(a, b);
    scheduler.spawn(() -> {
      scheduler.await(choice);
    });
    drive();
    WeakReference<Object> value = fire();
    drive();
    runTask(() -> {}); // replaces the last task that had a turn
    for (int i = 0; i < 20 && value.get() != null; i++) {
      System.gc();
    }
    assertNull(value.get(), () -> choice + " holds it");
  }

  private WeakReference<Object> fire() {
    var value = new Object();
    a.fireAll(value);
    return new WeakReference<>(value);
  }
}
