package dev.rondo.scheduler;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Whole schedulers, called by another thread while they run, sleep, stop or close. A lost call
/// makes a run hang, which jcstress reports. Two actors, see [InboxStress].
final class SchedulerStress {

  private SchedulerStress() {}

  /// A scheduler belongs to the thread that makes it: that is the loop's actor, and the other actor
  /// waits for the scheduler.
  abstract static class Raced<T> {

    private volatile @Nullable T published;

    void publish(T target) {
      published = target;
    }

    T target() {
      T seen;
      while ((seen = published) == null) {
        Thread.onSpinWait();
      }
      return seen;
    }
  }

  private static Scheduler quiet() {
    return Scheduler.builder().failureHandler((where, failure) -> {}).build();
  }

  private static void turns(Scheduler scheduler, int count) {
    for (int i = 0; i < count; i++) {
      scheduler.yield();
    }
  }

  private static int bit(boolean fact) {
    return fact ? 1 : 0;
  }

  /// Whether nothing can wake a task any more, so that a task that is left is a deadlock.
  private static boolean expectsNothing(Scheduler scheduler) {
    Task<Object> left = scheduler.spawn(() -> scheduler.suspend());
    try {
      scheduler.start();
      return false;
    } catch (DeadlockException e) {
      return left.taskState() == TaskState.SUSPENDED;
    }
  }

  /// [Scheduler#execute] against `close`.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "taken and run")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "taken, and cancelled by the close")
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
  @Outcome(expect = Expect.FORBIDDEN, desc = "refused and run, or run twice")
  @State
  public static class ExecuteRacingClose extends Raced<Scheduler> {
    private int runs;

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      scheduler.spawn(() -> turns(scheduler, 3));
      publish(scheduler);
      scheduler.start();
      scheduler.close();
      r.r2 = runs;
    }

    @Actor
    public void caller(II_Result r) {
      try {
        target().execute(() -> runs++);
        r.r1 = 1;
      } catch (RejectedExecutionException e) {
        r.r1 = 0;
      }
    }
  }

  /// [Scheduler#execute] against a loop that goes to sleep, with the default idle strategy.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "woken, and run")
  @Outcome(expect = Expect.FORBIDDEN, desc = "ended without it")
  @State
  public static class ExecuteRacingSleep extends Raced<Scheduler> {
    private @Nullable Task<Object> sleeper;

    @Actor
    public void loop(I_Result r) {
      Scheduler scheduler = quiet();
      Task<Object> waiting = scheduler.spawn(() -> scheduler.suspend());
      sleeper = waiting;
      try (KeepAlive _ = scheduler.keepAlive()) {
        publish(scheduler);
        scheduler.start();
      }
      r.r1 = bit(waiting.isDone());
    }

    @Actor
    public void caller() {
      Scheduler scheduler = target();
      Task<Object> waiting = sleeper;
      scheduler.execute(() -> {
        if (waiting != null && !scheduler.scheduleTask(waiting)) {
          waiting.cancel("it has not come so far yet");
        }
      });
    }
  }

  /// [Scheduler#stop()] against tasks that never end.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "start() returned, the task is left")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the task is gone")
  @State
  public static class StopRacingTurns extends Raced<Scheduler> {

    @Actor
    public void loop(I_Result r) {
      Scheduler scheduler = quiet();
      Task<Void> endless = scheduler.spawn(() -> turns(scheduler, Integer.MAX_VALUE));
      publish(scheduler);
      scheduler.start();
      r.r1 = bit(endless.taskState() == TaskState.READY);
      scheduler.close();
    }

    @Actor
    public void caller() {
      target().stop();
    }
  }

  /// [Scheduler#shutdown] against `close`: its future completes in any case.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "completed, with no task left")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a task was left")
  @State
  public static class StopWithGraceRacingClose extends Raced<Scheduler> {

    @Actor
    public void loop() {
      Scheduler scheduler = quiet();
      scheduler.spawn(() -> turns(scheduler, 3));
      publish(scheduler);
      scheduler.start();
      scheduler.close();
    }

    @Actor
    public void caller(I_Result r) {
      r.r1 = bit(target().shutdown(Duration.ZERO, Duration.ZERO).join().isEmpty());
    }
  }

  /// [Scheduler#execute] against the closing of the intake by [Scheduler#shutdown].
  @JCStressTest
  @Outcome(
      id = {"1, 1", "0, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "taken and run, or refused")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "taken after the last turn, cancelled")
  @Outcome(expect = Expect.FORBIDDEN, desc = "refused and run, or run twice")
  @State
  public static class ExecuteRacingStopWithGrace extends Raced<Scheduler> {
    private int runs;

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      scheduler.spawn(() -> {
        var _ = scheduler.shutdown(Duration.ofDays(1), Duration.ofDays(1));
        turns(scheduler, 3);
      });
      publish(scheduler);
      scheduler.start();
      scheduler.close();
      r.r2 = runs;
    }

    @Actor
    public void caller(II_Result r) {
      try {
        target().execute(() -> runs++);
        r.r1 = 1;
      } catch (RejectedExecutionException e) {
        r.r1 = 0;
      }
    }
  }

  /// [Task#cancel(String)] against the task's end.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "cancelled")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "on its way, and too late")
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "had ended")
  @Outcome(expect = Expect.FORBIDDEN, desc = "refused, and cancelled all the same")
  @State
  public static class CancelRacingEnd extends Raced<Task<Void>> {

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      Task<Void> task = scheduler.spawn(() -> turns(scheduler, 3));
      publish(task);
      scheduler.start();
      r.r2 = bit(task.isCancelled());
    }

    @Actor
    public void caller(II_Result r) {
      r.r1 = bit(target().cancel("raced"));
    }
  }

  /// [CancelScope#cancel(String)] against the scope's end.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "told")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "too late")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the task was cancelled, or never told")
  @State
  public static class ScopeCancelRacingEnd extends Raced<CancelScope> {

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      CancelScope scope = scheduler.newScope("raced");
      Task<Integer> task =
          scheduler.spawn(() -> {
            int told = 0;
            try {
              scope.run(() -> turns(scheduler, 3));
            } catch (CancellationException e) {
              told = 1;
            }
            turns(scheduler, 1);
            return told;
          });
      publish(scope);
      scheduler.start();
      r.r2 = task.join();
    }

    @Actor
    public void caller(II_Result r) {
      r.r1 = bit(target().cancel("raced"));
    }
  }

  /// [Task#join()] on another thread against the task's end.
  @JCStressTest
  @Outcome(id = "42, 1", expect = Expect.ACCEPTABLE, desc = "the value, and what was before it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "without what was written before")
  @State
  public static class JoinRacingEnd extends Raced<Task<Integer>> {
    private int written;

    @Actor
    public void loop() {
      Scheduler scheduler = quiet();
      publish(
          scheduler.spawn(() -> {
            scheduler.yield();
            written = 1;
            return 42;
          }));
      scheduler.start();
    }

    @Actor
    public void caller(II_Result r) {
      r.r1 = target().join();
      r.r2 = written;
    }
  }

  /// [Scheduler#completion] against the wait for it.
  @JCStressTest
  @Outcome(id = "42, 1", expect = Expect.ACCEPTABLE, desc = "delivered, and nothing expected after")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or counted wrong")
  @State
  public static class CompletionRacingWait extends Raced<CompletableFuture<Integer>> {

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      var future = new CompletableFuture<Integer>();
      Task<Integer> task = scheduler.spawn(() -> scheduler.await(scheduler.completion(future)));
      publish(future);
      scheduler.start();
      r.r1 = task.join();
      r.r2 = bit(expectsNothing(scheduler));
    }

    @Actor
    public void caller() {
      target().complete(42);
    }
  }

  /// [Scheduler#completion] against the end of the wait by a cancellation.
  @JCStressTest
  @Outcome(
      id = {"42, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one of both, and nothing expected after")
  @Outcome(expect = Expect.FORBIDDEN, desc = "counted wrong")
  @State
  public static class CompletionRacingCancel extends Raced<CompletableFuture<Integer>> {

    @Actor
    public void loop(II_Result r) {
      Scheduler scheduler = quiet();
      var future = new CompletableFuture<Integer>();
      Task<Integer> task = scheduler.spawn(() -> scheduler.await(scheduler.completion(future)));
      scheduler.step();
      publish(future);
      scheduler.step();
      task.cancel("raced");
      scheduler.start();
      r.r1 = task.isCancelled() ? 0 : task.join();
      r.r2 = bit(expectsNothing(scheduler));
    }

    @Actor
    public void caller() {
      target().complete(42);
    }
  }

  /// A task's listener that runs on the caller's thread, see [TaskResultStress], against the task's
  /// end: the executor receives it once.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "told once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not told, or twice")
  @State
  public static class ListenerRacingEnd extends Raced<Task<Void>> {
    private final AtomicInteger told = new AtomicInteger();

    @Actor
    public void loop() {
      Scheduler scheduler = quiet();
      Task<Void> task = scheduler.spawn(() -> turns(scheduler, 1));
      publish(task);
      scheduler.start();
    }

    @Actor
    public void caller() {
      target().addListener(told::incrementAndGet, Runnable::run);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = told.get();
    }
  }
}
