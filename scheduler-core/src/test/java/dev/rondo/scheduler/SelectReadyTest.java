package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A select that takes all events that are there, not only the first.
class SelectReadyTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Permits a = new Permits();
  private final Permits b = new Permits();
  private final Permits c = new Permits();

  private Select all(Select select) {
    return select.on(a, n -> trace("a" + n)).on(b, n -> trace("b" + n)).on(c, n -> trace("c" + n));
  }

  private void nobodyWaits() {
    assertEquals(0, a.waiters() + b.waiters() + c.waiters());
    assertEquals(0, time.alarms());
  }

  @Test
  void runReady_someThere_runsTheirHandlersInOrderOnceEach() {
    a.release();
    a.release();
    c.release();
    var there = new int[1];
    runTask(() -> there[0] = all(Select.biased()).runReady());
    assertTrace("a1 c1");
    assertEquals(2, there[0]);
    assertEquals(1, a.available());
    nobodyWaits();
  }

  @Test
  void runReady_noneThere_waitsForTheFirstAndTakesWhatCameWithIt() {
    var select = all(Select.biased());
    scheduler.spawn(() -> trace(select.runReady() + " " + select.runReady()));
    drive();
    assertEquals(1, b.waiters());
    c.release(); // it came first
    b.release();
    drive();
    nobodyWaitsButTheSecond();
    a.release();
    scheduler.start();
    assertTrace("c1 b1 a1 2 1");
    nobodyWaits();
  }

  private void nobodyWaitsButTheSecond() {
    assertEquals(3, a.waiters() + b.waiters() + c.waiters());
  }

  @Test
  void runReady_handlerFails_thoseBehindItAreNotTaken() {
    a.release();
    b.release();
    c.release();
    Select select =
        Select.biased()
            .on(a, n -> trace("a"))
            .on(
                b,
                n -> {
                  throw new IllegalStateException("b");
                })
            .on(c, n -> trace("c"));
    runTask(() ->
        assertEquals(
            "b", assertThrows(IllegalStateException.class, select::runReady).getMessage()));
    assertTrace("a");
    assertEquals(1, c.available());
    nobodyWaits();
  }

  @Test
  void runReady_eventFails_thoseBeforeItWereHandledAndThoseBehindItAreNotTaken() {
    a.release();
    c.release();
    Waitable<Integer> failing =
        new Waitable<>() {
          @Override
          public boolean poll(Waiter<? super Integer> waiter) {
            return waiter.fail(new IllegalStateException("broken"));
          }

          @Override
          public void arm(Waiter<? super Integer> waiter) {}

          @Override
          public void disarm(Waiter<? super Integer> waiter) {}
        };
    Select select =
        Select.biased()
            .on(a, n -> trace("a"))
            .on(failing, n -> trace("failing"))
            .on(c, n -> trace("c"));
    runTask(() -> assertThrows(IllegalStateException.class, select::runReady));
    assertTrace("a");
    assertEquals(1, c.available());
  }

  @Test
  void runReady_handlerSuspends_seesWhatCameMeanwhile() {
    a.release();
    Select select =
        Select.biased()
            .on(
                a,
                n -> {
                  trace("a");
                  scheduler.yield();
                })
            .on(b, n -> trace("b"));
    scheduler.spawn(() -> trace(select.runReady()));
    scheduler.spawn(b::release);
    scheduler.start();
    assertTrace("a b 2");
    nobodyWaits();
  }

  @Test
  void runReady_nothingComesInTime_runsOnlyThatAction() {
    scheduler.spawn(
        () -> trace(all(Select.biased()).after(SECOND, () -> trace("late")).runReady()));
    drive();
    time.advance(SECOND);
    scheduler.start();
    assertTrace("late 0");
    nobodyWaits();
  }

  @Test
  void runReady_otherwise_neverWaits() {
    b.release();
    Select select = all(Select.biased()).otherwise(() -> trace("none"));
    runTask(() -> {
      trace(select.runReady());
      trace(select.runReady());
    });
    assertTrace("b1 1 none 0");
    nobodyWaits();
  }

  @Test
  void runReady_fairAndAllThere_takesAllInAnyOrder() {
    var orders = new TreeSet<String>();
    var random = new Random(7);
    for (int i = 0; i < 64; i++) {
      var order = new StringBuilder();
      a.release();
      b.release();
      Select select =
          Select.fair(random).on(a, n -> order.append('a')).on(b, n -> order.append('b'));
      runTask(() -> assertEquals(2, select.runReady()));
      orders.add(order.toString());
    }
    assertEquals("[ab, ba]", orders.toString());
  }

  @Test
  void runReady_tasksThatHaveEnded_areAllNamed() {
    Task<String> first = scheduler.spawn(() -> "first");
    Task<String> second = scheduler.spawn(() -> "second");
    Task<String> third = scheduler.spawn(() -> scheduler.await(Waitable.<String>never()));
    drive();
    Select select =
        Select.biased().on(first, x -> trace(x)).on(third, x -> trace(x)).on(second, x -> trace(x));
    scheduler.spawn(select::runReady);
    drive();
    assertTrace("first second");
    third.cancel("test");
    scheduler.start();
  }

  @Test
  void runReady_scheduledDirectly_failsAndRunsNothing() {
    Task<?> waiting =
        scheduler.spawn(() ->
            trace(
                assertThrows(
                        ScheduledDirectlyException.class, () -> all(Select.biased()).runReady())
                    .value()));
    drive();
    scheduler.scheduleTask(waiting, "direct");
    scheduler.start();
    assertTrace("direct");
    nobodyWaits();
  }

  @Test
  void runReady_cancelledWhileItWaits_losesNothing() {
    Task<?> waiting = scheduler.spawn(() -> all(Select.biased()).runReady());
    drive();
    waiting.cancel("test");
    a.release();
    scheduler.start();
    assertEquals(1, a.available());
    assertNull(scheduler.currentTask());
    nobodyWaits();
  }

  @Test
  void runReady_withoutABranch_isRefused() {
    runTask(() -> {
      var e = assertThrows(IllegalStateException.class, () -> Select.biased().runReady());
      assertTrue(e.getMessage().contains("without branches"), e::getMessage);
    });
  }
}
