package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Runs each test on every coroutine backend with a virtual clock, and checks afterwards that
/// nothing is left.
public abstract class OnEveryBackend extends BackendTest {

  private static final int TASKS_OF_ADD_ONS = 3;

  protected final VirtualClock clock = new VirtualClock();
  protected final List<Object> log = new ArrayList<>();
  protected boolean closedByTheTest;
  protected Scheduler scheduler;
  protected WaitForTime time;
  protected WaitForCondition conditions;
  protected WaitForSignal signals;

  @BeforeEach
  final void makeScheduler() {
    scheduler = clock.scheduler(builder());
    time = WaitForTime.on(scheduler);
    conditions = WaitForCondition.on(scheduler);
    signals = WaitForSignal.on(scheduler);
  }

  /// Runs a task and everything else to the end.
  protected final void run(TaskAction<?> main) {
    Task<Void> task = scheduler.spawn("main", main);
    scheduler.start();
    task.join();
  }

  /// Steps until no task is ready.
  protected final void settle() {
    clock.advanceBy(Duration.ZERO);
  }

  protected static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /// Logs a word and the virtual time.
  protected final void log(String word) {
    log.add(word + "@" + clock.elapsed().toMillis());
  }

  @AfterEach
  final void nothingIsLeft() {
    assertEquals(0, time.waiterCount(), "timers");
    assertEquals(0, conditions.waiterCount(), "conditions");
    assertEquals(0, signals.waiterCount(), "signals");
    int expected = closedByTheTest ? 0 : TASKS_OF_ADD_ONS;
    assertEquals(expected, scheduler.tasks().size(), () -> scheduler.tasks().toString());
    assertEquals(List.of(), takeFailures());
    scheduler.close();
  }
}
