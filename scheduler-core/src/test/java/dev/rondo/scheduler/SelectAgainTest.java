package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.internal.rooms.Attachment;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A choice that is awaited repeatedly: its waiters serve one wait after the other.
class SelectAgainTest extends SchedulerTest {

  /// Notes the waiters it has seen.
  private static final class Observed implements Waitable<Integer> {

    private final Permits permits = new Permits();
    private final Set<Waiter<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    @Override
    public boolean poll(Waiter<? super Integer> waiter) {
      seen.add(waiter);
      return permits.poll(waiter);
    }

    @Override
    public void arm(Waiter<? super Integer> waiter) {
      assertNull(Attachment.of(waiter));
      permits.arm(waiter);
    }

    @Override
    public void disarm(Waiter<? super Integer> waiter) {
      permits.disarm(waiter);
    }
  }

  private final Observed a = new Observed();
  private final Observed b = new Observed();
  private final Select select =
      Select.biased().on(a, n -> trace("a" + n)).on(b, n -> trace("b" + n));

  private void nobodyWaits() {
    assertEquals(0, a.permits.waiters() + b.permits.waiters());
  }

  @Test
  void run_oftenInOneTask_sameWaitersAndNothingMixedUp() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 4; i++) {
        select.run();
      }
    });
    a.permits.release(); // there already
    drive();
    b.permits.release(); // comes later
    drive();
    b.permits.release();
    drive();
    a.permits.release();
    scheduler.start();
    assertTrace("a1 b1 b2 a2");
    assertEquals(1, a.seen.size());
    assertEquals(1, b.seen.size());
    nobodyWaits();
  }

  @Test
  void run_inSeveralTasksAtOnce_eachHasItsOwn() {
    for (int i = 0; i < 3; i++) {
      scheduler.spawn(() -> {
        select.run();
        select.run();
      });
    }
    drive();
    assertEquals(3, a.permits.waiters());
    for (int i = 0; i < 3; i++) {
      a.permits.release();
      b.permits.release();
    }
    scheduler.start();
    assertTrace("a1 a3 b1 b2 a2 b3");
    nobodyWaits();
  }

  @Test
  void run_inTwoTasksAfterOneHasRunIt_eachHasItsOwn() {
    a.permits.release();
    runTask(select::run);
    scheduler.spawn("first", select::run);
    scheduler.spawn("second", select::run);
    drive();
    assertEquals(2, a.seen.size());
    b.permits.release();
    a.permits.release();
    scheduler.start();
    assertTrace("a1 b1 a2");
    nobodyWaits();
  }

  @Test
  void run_inItsOwnHandler_bothAreRight() {
    var again = Select.biased();
    again.on(
        a,
        n -> {
          trace("a" + n);
          if (n < 3) {
            again.run();
          }
          trace("end" + n);
        });
    scheduler.spawn(again::run);
    drive();
    for (int i = 0; i < 3; i++) {
      a.permits.release();
      drive();
    }
    assertTrace("a1 a2 a3 end3 end2 end1");
    nobodyWaits();
  }

  @Test
  void run_afterACancelledOne_takesWhatComes() {
    Task<?> cancelled = scheduler.spawn(select::run);
    drive();
    cancelled.cancel("test");
    scheduler.start();
    nobodyWaits();
    scheduler.spawn(select::run);
    drive();
    b.permits.release();
    scheduler.start();
    assertTrace("b1");
    nobodyWaits();
  }

  @Test
  void await_choicesWithinAChoice_eachWaitIsRight() {
    Waitable<Integer> inner = Waitable.anyOf(List.of(a, b));
    var c = new Observed();
    Waitable<String> whole =
        Waitable.anyOf(List.of(inner.map(n -> "inner" + n), c.map(n -> "c" + n)));
    scheduler.spawn(() -> {
      for (int i = 0; i < 6; i++) {
        trace(scheduler.await(whole));
      }
    });
    for (Observed each : List.of(b, c, a)) {
      drive();
      each.permits.release();
      each.permits.release();
    }
    scheduler.start();
    assertTrace("inner1 inner2 c1 c2 inner1 inner2");
    assertEquals(0, c.permits.waiters());
    nobodyWaits();
  }

  /// A source must not do this; the next wait must work all the same.
  @Test
  void fire_waiterOfAWaitThatIsOver_isRefused() {
    var kept = new ArrayList<Waiter<? super Integer>>();
    Waitable<Integer> careless =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Integer> waiter) {
            kept.add(waiter);
          }

          @Override
          public void disarm(Waiter<? super Integer> waiter) {}

          @Override
          public String toString() {
            return "something careless";
          }
        };
    Waitable<Integer> either = Waitable.anyOf(List.of(careless, a));
    scheduler.spawn(() -> trace(scheduler.await(either)));
    drive();
    a.permits.release();
    scheduler.start();
    assertTrace("1");
    assertEquals(
        "a waiter for something careless is used after its wait was over: forget it in disarm(..)",
        assertThrows(IllegalStateException.class, () -> kept.getFirst().task()).getMessage());
    assertFalse(kept.getFirst().fire(7));
    assertFalse(kept.getFirst().fail(new IllegalStateException()));
  }
}
