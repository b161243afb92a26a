package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that uses a scheduler: each test has a new one, on each coroutine backend, with a clock
/// that jumps, on a thread of its own. After each test nothing may be left: no task but add-ons, no
/// waiter, no timer, no failure that the test has not checked. A hang fails.
@ExtendWith(HangGuard.class)
public abstract class SchedulerTest extends BackendTest {

  /// The loop makes a pass every 256 turns at least: more than that.
  static final int ENOUGH_TURNS = 600;

  /// The scheduler's clock and timer.
  protected FakeTime time;

  /// New for each test.
  protected Scheduler scheduler;

  private final List<String> trace = new ArrayList<>();

  /// For subclasses.
  protected SchedulerTest() {}

  /// Makes the scheduler. Called by JUnit.
  @BeforeEach
  public final void openScheduler() {
    time = new FakeTime();
    scheduler = newScheduler();
    time.serve(scheduler);
  }

  /// Makes another scheduler for the calling thread, with the same clock and failure handler. The
  /// test must close it.
  protected final Scheduler newScheduler() {
    return configured().build();
  }

  /// {@return the builder of [#newScheduler()]}
  protected final SchedulerBuilder configured() {
    SchedulerBuilder builder = builder().ticker(time);
    configure(builder);
    return builder;
  }

  /// Sets up schedulers differently. The default does nothing.
  ///
  /// @param builder has the backend, the clock and the failure handler
  protected void configure(SchedulerBuilder builder) {}

  /// Checks that the test has left nothing behind, and closes the scheduler. Called by JUnit.
  @AfterEach
  public final void nothingIsLeft() {
    List<String> left =
        scheduler.tasks().stream()
            .filter(SchedulerTest::isLeftover)
            .map(TaskInfo::toString)
            .toList();
    int alarms = time.alarms();
    scheduler.close();
    assertEquals(List.of(), takeReported(), "failures that the test did not check");
    assertEquals(List.of(), left, "tasks that the test left behind");
    assertEquals(0, alarms, "timers that the test left behind");
    assertEquals(List.of(), trace, "traces that the test did not check");
  }

  /// Whether a task is not just an idle add-on.
  private static boolean isLeftover(TaskInfo task) {
    return !task.isDaemon() || task.waitingFor() != null;
  }

  // Driving.

  /// Runs the scheduler until nothing is ready any more, without sleeping: tasks may be left
  /// waiting.
  ///
  /// Daemons have enough turns, but the run does not wait for them: an add-on may poll in every
  /// turn.
  protected final void drive() {
    scheduler.host().spawnSteps("drive", new Settled()::step);
    scheduler.start();
  }

  /// Stops the scheduler when no other task has been ready for long enough.
  private final class Settled {

    private int alone;

    StepResult step(StepTask<Void> self) {
      boolean othersWork =
          scheduler.queue().readyTasks().stream().anyMatch(task -> !task.isDaemon());
      alone = othersWork ? 0 : alone + 1;
      if (alone < ENOUGH_TURNS) {
        return StepResult.AGAIN;
      }
      scheduler.stop();
      return StepResult.DONE;
    }
  }

  /// Spawns a task and runs the scheduler to its end.
  ///
  /// @param code the task
  protected final void runTask(TaskAction<?> code) {
    var task = scheduler.spawn("main", code);
    scheduler.start();
    assertTrue(task.isDone(), "the scheduler stopped before the task ended");
    task.join();
  }

  /// Runs code on another thread and waits for it, blocking this one.
  ///
  /// @param code what to run
  /// @return what it returned
  /// @throws Exception what it threw
  protected static <T extends @Nullable Object> T elsewhere(Callable<T> code) throws Exception {
    var done = new FutureTask<T>(code);
    Thread.ofPlatform().name("elsewhere").daemon().start(done);
    try {
      return done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw (Error) e.getCause();
    }
  }

  /// Has another thread interrupt one, without a blocking wait for it.
  protected static void interruptFromOutside(Thread interrupted) {
    Thread other = Thread.ofPlatform().daemon().start(interrupted::interrupt);
    while (other.isAlive()) {
      Thread.onSpinWait();
    }
  }

  // Traces.

  /// Appends an event to the trace.
  ///
  /// @param event one word
  protected final void trace(@Nullable Object event) {
    trace.add(String.valueOf(event));
  }

  /// Asserts the events since the last call, in order.
  ///
  /// @param events separated by spaces
  protected final void assertTrace(String events) {
    String happened = String.join(" ", trace);
    trace.clear();
    assertEquals(events, happened);
  }
}
