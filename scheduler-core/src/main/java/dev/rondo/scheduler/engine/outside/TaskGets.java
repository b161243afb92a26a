package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes threads wait for the result of a task, and throws the exceptions of a `Future`. Any
/// thread.
public final class TaskGets {

  /// The latch on which threads wait. All threads share one latch, because a thread that gives up
  /// its wait could not remove a latch of its own.
  private static final class Latch extends CountDownLatch implements TaskCore.Tentative {

    private final TaskCore<?> task;

    /// The number of threads that have not given up their wait.
    private final AtomicInteger waiting = new AtomicInteger();

    Latch(TaskCore<?> task) {
      super(1);
      this.task = task;
    }

    @Override
    public boolean ended() {
      if (waiting.get() > 0) {
        var _ = task.taken();
      }
      countDown();
      return false; // a thread that waits now receives the outcome
    }

    /// Gives up the wait of a thread.
    ///
    /// @return false if the task has ended meanwhile: then the thread has to receive the outcome
    boolean giveUp() {
      waiting.decrementAndGet(); // before the look at the task, which ends before it counts
      return !task.isDone();
    }

    /// Gives up the wait of a thread that was interrupted. If the task has ended meanwhile, the
    /// thread stays interrupted and receives the outcome.
    void giveUp(InterruptedException interrupted) throws InterruptedException {
      if (giveUp()) {
        throw interrupted;
      }
      Thread.currentThread().interrupt();
    }
  }

  private TaskGets() {}

  /// The latch of a task, on which the calling thread is going to wait.
  private static Latch latch(TaskCore<?> task) {
    Latch latch = task.sharedListener(Latch.class, () -> new Latch(task));
    latch.waiting.incrementAndGet();
    return latch;
  }

  /// Joins a task that has not ended, outside of a task with a stack.
  public static <T extends @Nullable Object> T join(TaskCore<T> task) {
    Loop loop = task.loop;
    if (loop.isCaller()) {
      return joiner(task, "join").awaitEvent(task); // throws: no task could wait
    }
    requireFreeLoop(task, "join");
    Latch latch = latch(task);
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return task.value();
  }

  public static <T extends @Nullable Object> T get(TaskCore<T> task)
      throws InterruptedException, ExecutionException {
    if (!task.isDone()) {
      Loop loop = task.loop;
      if (loop.isCaller()) {
        return getHere(task, joiner -> joiner.awaitEvent(task));
      }
      requireFreeLoop(task, "get");
      Latch latch = latch(task);
      try {
        latch.await();
      } catch (InterruptedException e) {
        latch.giveUp(e);
      }
    }
    return value(task);
  }

  public static <T extends @Nullable Object> T get(TaskCore<T> task, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!task.isDone()) {
      Loop loop = task.loop;
      if (loop.isCaller()) {
        Duration limit = Duration.ofNanos(Math.max(0, unit.toNanos(timeout)));
        try {
          return getHere(task, joiner -> joiner.awaitEvent(task, limit));
        } catch (TimedOutException e) {
          var timedOut = new TimeoutException(e.getMessage());
          timedOut.initCause(e);
          throw timedOut;
        }
      }
      requireFreeLoop(task, "get");
      Latch latch = latch(task);
      try {
        if (!latch.await(timeout, unit) && latch.giveUp()) {
          throw new TimeoutException(
              "task '" + task.name() + "' has not ended within " + timeout + " " + unit);
        }
      } catch (InterruptedException e) {
        latch.giveUp(e);
      }
    }
    return value(task);
  }

  /// Joins a task, and throws the exceptions of a `Future`.
  private static <T extends @Nullable Object> T getHere(
      TaskCore<T> task, Function<StackfulTask<?>, T> join) throws ExecutionException {
    try {
      return join.apply(joiner(task, "get"));
    } catch (TaskFailedException | CancellationException e) {
      if (!task.isDone()) {
        throw e;
      }
      return value(task);
    }
  }

  /// The running task, which is about to wait for another task.
  private static StackfulTask<?> joiner(TaskCore<?> task, String call) {
    Loop loop = task.loop;
    if (!loop.hasCurrentTask()) {
      requireFreeLoop(task, call);
    }
    return loop.currentStackful(call);
  }

  /// @throws IllegalStateException if the caller would block the thread on which the task has to
  ///   end
  private static void requireFreeLoop(TaskCore<?> task, String call) {
    Loop loop = task.loop;
    if (holdsUp(loop.thread) && Loop.current() != loop) {
      throw new IllegalStateException(
          "%s of task '%s' of another scheduler by %s would block the thread of both: await scheduler.completion(task) instead"
              .formatted(call, task.name(), describeCaller()));
    }
  }

  /// Refuses a blocking call that would block the thread on which the task runs. On BOUND a task
  /// may make such a call for another task of its scheduler, because the call blocks only the task
  /// that makes it.
  static void requireMayBlock(TaskCore<?> task, String call) {
    requireFreeLoop(task, call);
    if (wouldBlock(task.loop)) {
      throw new IllegalStateException(
          "%s of the future of task '%s' by %s would block the thread on which that task is to end: join the task, or await scheduler.completion(task) instead"
              .formatted(call, task.name(), describeCaller()));
    }
  }

  /// Returns the value of a task that has ended, or throws the exceptions of a `Future`.
  private static <T extends @Nullable Object> T value(TaskCore<T> task) throws ExecutionException {
    return switch (task.taken()) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failure<T>(Throwable cause) -> throw failure(task, cause);
      case Outcome.Cancelled<T>(TaskCancelled cause) -> throw Throwables.cancellation(cause);
    };
  }

  /// The message contains only the text of the first failure of a chain. With the messages of all
  /// causes, the memory for a chain would grow with the square of its length.
  private static ExecutionException failure(TaskCore<?> task, Throwable cause) {
    Throwable first = cause;
    while (first instanceof ExecutionException && first.getCause() != null) {
      first = first.getCause();
    }
    return cause instanceof ExecutionException
        ? new ExecutionException(
            "task '" + task.name() + "' failed: " + ReportText.describe(first), cause)
        : new ExecutionException(cause);
  }

  static <T extends @Nullable Object> void copy(TaskCore<T> task, CompletableFuture<T> future) {
    switch (task.taken()) {
      case Outcome.Success<T>(T value) -> future.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> future.completeExceptionally(cause);
      case Outcome.Cancelled<T>(TaskCancelled cause) ->
          future.completeExceptionally(Throwables.cancellation(cause));
    }
  }

  /// Whether the caller keeps a thread from going on: the caller is code of a loop that runs on
  /// that thread, or of a loop above the frames of such a loop. Any thread.
  static boolean holdsUp(Thread thread) {
    for (Loop each = Loop.current(); each != null; each = each.below()) {
      if (each.thread == thread) {
        return true;
      }
    }
    return false;
  }

  /// Whether a blocking call by the caller would block the thread of a loop. If the loop has a
  /// [turn runner][dev.rondo.scheduler.internal.TurnRunner], the call blocks only the task that
  /// makes it. Any thread.
  static boolean wouldBlock(Loop loop) {
    return Loop.current() == loop ? loop.runner == null || loop.isHere() : holdsUp(loop.thread);
  }

  /// Refuses a call that would block the thread of a loop while it waits for a result that comes on
  /// that thread. Any thread.
  static void requireMayBlock(Loop loop, String call, String instead) {
    if (wouldBlock(loop)) {
      throw new IllegalStateException(
          "%s by %s would block the thread on which the result is to come: %s instead"
              .formatted(call, describeCaller(), instead));
    }
  }

  /// Describes what runs on the calling thread, for messages.
  private static String describeCaller() {
    Loop running = Loop.current();
    return running == null ? Loop.thisThread() : running.callerName();
  }
}
