package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/// Runs each test on every coroutine backend under a virtual clock, and looks afterwards whether
/// anything is left.
@EveryBackend
abstract class OnEveryBackend {

  /// The add-on's own task.
  private static final int TASKS_OF_ADD_ONS = 1;

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean residentTask;

  final VirtualClock clock = new VirtualClock();
  final List<Object> log = new ArrayList<>();
  final List<Throwable> failures = new ArrayList<>();
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
  final void run(TaskAction main) {
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

  /// Takes the failures that the test expects.
  final List<Throwable> takeFailures() {
    var taken = List.copyOf(failures);
    failures.clear();
    return taken;
  }

  final SchedulerBuilder builder() {
    SchedulerBuilder builder =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> failures.add(failure));
    return residentTask ? builder.withResidentTask() : builder;
  }

  @AfterEach
  final void nothingIsLeft() {
    assertEquals(0, time().tasksPending(), "timers");
    int expected = closedByTheTest ? 0 : TASKS_OF_ADD_ONS;
    assertEquals(expected, scheduler().tasksAlive(), () -> scheduler().tasks().toString());
    assertEquals(List.of(), failures);
    scheduler().close();
  }
}
