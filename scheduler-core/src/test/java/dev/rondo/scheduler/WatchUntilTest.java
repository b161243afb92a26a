package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [StepTask#watchUntil] and [Scheduler#checkThread].
final class WatchUntilTest {

  private final List<String> log = new ArrayList<>();
  private final Scheduler scheduler =
      Scheduler.builder()
          .backend(CoroutineBackends.handoff())
          .ticker(
              new Ticker() {
                @Override
                public long read() {
                  return 0; // no deadline ever comes
                }
              })
          .build();

  private StepTask<String> watcher(String name) {
    StepTask<String> watcher =
        scheduler.newStepTask(
            name,
            self -> {
              log.add(name);
              return self.watchUntil(1);
            });
    watcher.daemon();
    scheduler.scheduleTask(watcher);
    return watcher;
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
    scheduler.spawnSteps("a", self -> done("a"));
    scheduler.spawnSteps("b", self -> done("b"));
    step(3);
    assertEquals(List.of("watcher", "a", "watcher", "b"), log);
  }

  @Test
  void watchUntil_nobodyBecomesReady_noTurn() {
    watcher("watcher");
    step(1);
    assertFalse(scheduler.step());
  }

  @Test
  void watchUntil_twoWatchers_doNotWakeEachOther() {
    StepTask<String> first = watcher("first");
    watcher("second");
    step(2);
    first.wake();
    step(1);
    assertFalse(scheduler.step());
    assertEquals(List.of("first", "second", "first"), log);
  }

  @Test
  void watchUntil_cancelled_nothingLeft() {
    StepTask<String> watcher = watcher("watcher");
    step(1);
    watcher.cancel("test");
    scheduler.spawnSteps("a", self -> done("a"));
    step(1);
    assertFalse(scheduler.step());
    assertEquals(0, scheduler.tasksAlive());
  }

  @Test
  void checkThread_foreignThread_namesBoth() throws InterruptedException {
    scheduler.checkThread();
    var thrown = new ArrayList<WrongThreadException>();
    Thread foreign =
        Thread.ofPlatform()
            .name("foreign")
            .start(
                () -> thrown.add(assertThrows(WrongThreadException.class, scheduler::checkThread)));
    foreign.join();
    assertTrue(thrown.getFirst().getMessage().contains("'foreign'"));
  }

  private Turn done(String name) {
    log.add(name);
    return Turn.DONE;
  }
}
