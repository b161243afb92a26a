package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.FakeTime;
import dev.rondo.scheduler.testing.LastFrames;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// A stack that ends in a task's own code is a failure of that task. One that ends inside of the
/// scheduler ends the scheduler, with a report.
@BackendsDiffer
@Nightly("exhausts the stack at each of its last frames")
class StackEndTest extends SchedulerTest {

  /// More frames than the longest operation needs room for, also if they are compiled.
  private static final int MOST = 500;

  private static final Duration DAY = Duration.ofDays(1);

  private final WaitQueueEvent signal = new WaitQueueEvent();

  /// Runs an operation in each of the last frames of a task's stack. Either none of these has left
  /// a change half done, or the scheduler ends.
  ///
  /// @return whether the scheduler has ended
  private boolean endsWithReport(Function<Scheduler, TaskAction<?>> operations) {
    var ended = new ArrayList<String>();
    var clock = new FakeTime();
    boolean broken = false;
    Task<Void> deep;
    try (Scheduler own = builder().ticker(clock).build()) {
      clock.serve(own);
      TaskAction<?> operation = operations.apply(own);
      own.spawn(
          "other",
          () -> {
            try {
              while (true) {
                own.yield();
                signal.fireAll("fired");
              }
            } finally {
              ended.add("other");
            }
          });
      own.spawn(
          "waiting",
          () -> {
            try {
              own.suspend();
            } finally {
              ended.add("waiting");
            }
          });
      deep =
          own.spawn(
              "deep",
              () -> {
                operation.run(); // a class initializer that runs out of stack fails for ever
                new LastFrames(MOST).run(operation);
                own.stop();
              });
      try {
        own.start();
        assertEquals(TaskState.SUCCEEDED, deep.taskState());
      } catch (IllegalStateException report) {
        broken = true;
        String text = report.getMessage();
        assertTrue(text.startsWith("the stack of task 'deep' ended in the scheduler, when "), text);
        assertTrue(text.contains("cancels all of them"), text);
        assertEquals(StackOverflowError.class, report.getCause().getClass());
        assertThrows(IllegalStateException.class, own::start);
        assertThrows(IllegalStateException.class, own::step);
      }
    }
    assertTrue(ended.containsAll(List.of("other", "waiting")), ended::toString);
    assertTrue(deep.isDone());
    takeFailures();
    return broken;
  }

  @Test
  void await_atTheEndOfTheStack_endsTheScheduler() {
    assertTrue(endsWithReport(own -> () -> own.await(signal)));
  }

  @Test
  void awaitWithLimit_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.await(signal, DAY));
  }

  @Test
  void within_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.within(DAY, () -> own.await(signal)));
  }

  @Test
  void select_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.select(signal, Waitable.never()));
  }

  @Test
  void spawn_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.spawn(() -> {}));
  }

  /// The table of tasks has 16 slots, and grows with the next task.
  @Test
  void spawn_atTheEndOfTheStackWhenTheTableGrows_isWholeOrEndsTheScheduler() {
    for (int i = 0; i < 16; i++) {
      int others = i;
      var _ =
          endsWithReport(own -> {
            for (int k = 0; k < others; k++) {
              own.spawn(() -> own.suspend());
            }
            return () -> own.spawn(() -> {});
          });
    }
  }

  @Test
  void execute_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.execute(() -> {}));
  }

  @Test
  void join_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.spawn(() -> own.yield()).join());
  }

  @Test
  void group_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ =
        endsWithReport(own ->
            () -> {
              var group = own.<Object>newGroup("group");
              group.run(() -> {
                group.spawn(() -> own.yield());
              });
            });
  }

  @Test
  void cancel_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ = endsWithReport(own -> () -> own.spawn(() -> own.yield()).cancel("enough"));
  }

  @Test
  void fireAll_atTheEndOfTheStack_isWholeOrEndsTheScheduler() {
    var _ =
        endsWithReport(own -> {
          own.spawn(
              "waiter",
              () -> {
                while (true) {
                  own.await(signal);
                }
              });
          return () -> {
            signal.fireAll("fired");
            own.yield();
          };
        });
  }

  /// The failure is that of the task, and the scheduler goes on.
  @Test
  void recursion_inCodeOfTheTask_isTheFailureOfTheTask() {
    Task<Integer> bad = scheduler.spawn("bad", () -> this.descend());
    Task<Void> good = scheduler.spawn("good", () -> scheduler.yield());
    scheduler.start();
    assertEquals(TaskState.SUCCEEDED, good.taskState());
    assertEquals(TaskState.FAILED, bad.taskState());
    assertTrue(
        takeFailures().stream().allMatch(StackOverflowError.class::isInstance), "other failures");
  }

  @SuppressWarnings("InfiniteRecursion")
  private int descend() {
    return descend() + 1;
  }

  /// Fails where a task joins the queue, once.
  private static final class FailingPolicy implements SchedulingPolicy {

    private final ArrayDeque<Task<?>> tasks = new ArrayDeque<>();
    private boolean fails;

    @Override
    public void add(Task<?> task) {
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("fake");
      }
      tasks.add(task);
    }

    @Override
    public void addFirst(Task<?> task) {
      tasks.addFirst(task);
    }

    @Override
    public void addAfter(Task<?> anchor, Task<?> task) {
      tasks.add(task);
    }

    @Override
    public void remove(Task<?> task) {
      tasks.remove(task);
    }

    @Override
    public Task<?> next() {
      return tasks.remove();
    }
  }

  @Test
  void yield_policyFails_throwsThatAndTheTurnGoesOn() {
    var policy = new FailingPolicy();
    try (Scheduler ordered = configured().policy(() -> policy).build()) {
      Task<Void> task =
          ordered.spawn(() -> {
            policy.fails = true;
            assertThrows(OutOfMemoryError.class, ordered::yield);
            assertEquals(TaskState.RUNNING, ordered.currentTask().taskState());
            ordered.yield();
          });
      ordered.start();
      task.join();
    }
  }
}
