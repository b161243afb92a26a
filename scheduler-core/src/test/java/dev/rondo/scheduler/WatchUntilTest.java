package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.StepControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What add-ons need from the core: [StepControl#watchUntil],
/// [dev.rondo.scheduler.addon.AddOnHost#checkThread],
/// [dev.rondo.scheduler.addon.AddOnHost#install].
final class WatchUntilTest extends SchedulerTest {

  private StepTask<String> watcher(String name) {
    StepTask<String> watcher =
        scheduler
            .host()
            .newStepTask(
                name,
                self -> {
                  trace(name);
                  return StepControl.watchUntil(
                      self, scheduler.host().deadlineAfter(Duration.ofMillis(1)));
                });
    watcher.daemon();
    scheduler.scheduleTask(watcher);
    return watcher;
  }

  private void spawn(String name) {
    scheduler.spawn(() -> trace(name));
  }

  private void step(int turns) {
    for (int i = 0; i < turns; i++) {
      assertTrue(scheduler.step());
    }
  }

  @Test
  void watchUntil_anotherTaskBecomesReady_turnBehindIt() {
    watcher("watcher");
    step(1);
    spawn("a");
    spawn("b");
    step(3);
    assertTrace("watcher a watcher b");
  }

  @Test
  void watchUntil_timerWakesFromASleep_turnBehindIt() {
    watcher("watcher");
    runTask(() -> {
      assertThrows(
          TimedOutException.class, () -> scheduler.await(Waitable.never(), Duration.ofNanos(500)));
      trace("main");
    });
    // behind the timer's task, which was woken to be armed and woken to fire
    assertTrace("watcher watcher watcher main");
  }

  @Test
  void watchUntil_nobodyBecomesReady_noTurn() {
    watcher("watcher");
    step(1);
    assertFalse(scheduler.step());
    assertTrace("watcher");
  }

  @Test
  void watchUntil_itsInstantHasCome_turn() {
    watcher("watcher");
    step(1);
    time.advance(Duration.ofMillis(1));
    step(1);
    assertTrace("watcher watcher");
  }

  @Test
  void watchUntil_twoWatchers_doNotWakeEachOther() {
    StepTask<String> first = watcher("first");
    watcher("second");
    step(2);
    first.wake();
    step(1);
    assertFalse(scheduler.step());
    assertTrace("first second first");
  }

  @Test
  void watchUntil_cancelled_isNotWokenAnyMore() {
    StepTask<String> watcher = watcher("watcher");
    step(1);
    watcher.cancel("test");
    spawn("a");
    step(1);
    assertFalse(scheduler.step());
    assertTrace("watcher a");
  }

  @Test
  void checkThread_foreignThread_namesBoth() throws Exception {
    scheduler.host().checkThread();
    String told =
        elsewhere(() ->
            assertThrows(WrongThreadException.class, scheduler.host()::checkThread).getMessage());
    assertTrue(told.contains("'elsewhere'") && told.contains("'test-loop'"), told);
  }

  @Test
  void install_neverHadATurn_suspendedSinceItsInstallation() {
    time.advance(Duration.ofSeconds(1));
    StepTask<Void> task = scheduler.host().install(self -> StepResult.SUSPEND);
    var info = scheduler.tasks().stream().filter(each -> each.id() == task.id()).findFirst();
    assertEquals(Duration.ZERO, info.orElseThrow().since());
  }
}
