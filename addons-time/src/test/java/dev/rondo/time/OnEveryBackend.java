package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/// Runs each test on every coroutine backend with a virtual clock, and checks afterwards that
/// nothing is left.
abstract class OnEveryBackend extends BackendTest {

  /// The add-on's own task.
  private static final int TASKS_OF_ADD_ONS = 1;

  final VirtualClock clock = new VirtualClock();
  final List<Object> log = new ArrayList<>();
  boolean closedByTheTest;
  private Scheduler scheduler;

  final Scheduler scheduler() {
    if (scheduler == null) {
      scheduler = clock.scheduler(builder());
    }
    return scheduler;
  }

  final WaitForTime time() {
    return WaitForTime.on(scheduler());
  }

  /// Runs a task and everything else to the end.
  final void run(TaskAction<?> main) {
    scheduler().spawn("main", main);
    scheduler().start();
  }

  final void sleep(long millis) {
    time().sleep(Duration.ofMillis(millis));
  }

  static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /// Logs a word and the virtual time.
  final void log(String word) {
    log.add(word + "@" + clock.elapsed().toMillis());
  }

  @AfterEach
  final void nothingIsLeft() {
    assertEquals(0, time().waiterCount(), "timers");
    int expected = closedByTheTest ? 0 : TASKS_OF_ADD_ONS;
    assertEquals(expected, scheduler().tasks().size(), () -> scheduler().tasks().toString());
    assertEquals(List.of(), takeFailures());
    scheduler().close();
  }
}
