package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.TaskControl;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Code that runs as a task of another scheduler: in a [Computicle], or in a [Pool]. Its end can be
/// awaited by tasks of any scheduler, and by threads.
///
/// A failure reaches the tasks and threads that wait for it. Its scheduler's failure handler
/// receives it if none waits when the task fails, and none does so within a second or until that
/// scheduler ends.
///
/// Any thread.
///
/// @param <T> what it results in
public final class RemoteTask<T extends @Nullable Object> {

  private final String name;
  private final TaskCall<? extends T, ?> code;
  private final Ending<T> ending;
  private final Consumer<? super RemoteTask<T>> whenEnded;

  /// Guarded by this.
  private @Nullable Task<T> task;

  /// Why it must not begin. Guarded by this.
  private @Nullable String cancelled;

  /// Written by the thread that hands it over.
  private volatile boolean refused;

  /// @param simulated whether it runs on the thread of its waiters
  /// @param whenEnded called when it is about to end, for its waiters; may be called again
  RemoteTask(
      String name,
      TaskCall<? extends T, ?> code,
      boolean simulated,
      Consumer<? super RemoteTask<T>> whenEnded) {
    this.name = requireNonNull(name, "name is null");
    this.code = requireNonNull(code, "code is null");
    this.ending = new Ending<>("task", name, simulated);
    this.whenEnded = whenEnded;
  }

  // For the scheduler that runs it.

  /// Begins, on the scheduler's thread.
  ///
  /// @param whenTaskEnds called on the scheduler's thread when the task is about to end, for those
  ///   that wait for it
  /// @return its task; null if it was cancelled before
  @Nullable Task<T> begin(Scheduler scheduler, Consumer<? super Task<T>> whenTaskEnds) {
    Task<T> made = make(scheduler);
    if (made != null) {
      made.addListener(
          () -> {
            whenTaskEnds.accept(made);
            ended(scheduler, made.outcome());
          },
          Runnable::run);
      scheduler.scheduleTask(made);
    }
    return made;
  }

  private synchronized @Nullable Task<T> make(Scheduler scheduler) {
    if (cancelled == null) {
      Task<T> made = scheduler.newTask(name, code);
      task = made;
      ending.heldBy(made);
    }
    return task;
  }

  private void ended(Scheduler scheduler, @Nullable Outcome<T> outcome) {
    whenEnded.accept(this);
    switch (requireNonNull(outcome)) {
      case Outcome.Success<T>(T value) -> ending.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> {
        if (!ending.fail(cause)) {
          TaskControl.of(scheduler.host()).report("task '" + name + "'", cause, ending::isReceived);
        }
      }
      case Outcome.Cancelled<T>(var cause) -> ending.cancel(requireNonNull(cause.getMessage()));
    }
  }

  /// It was not taken at all.
  void refuse() {
    refused = true;
  }

  boolean wasRefused() {
    return refused;
  }

  /// It will not begin, or not end, because what was to run it has ended.
  void abandon(String message) {
    whenEnded.accept(this);
    ending.fail(new ComputicleEndedException(message));
  }

  // For its waiters.

  /// {@return its name}
  String name() {
    return name;
  }

  /// Waits for its end. In a task of any scheduler *always* a suspension point; on another thread
  /// it blocks.
  ///
  /// @return its value
  /// @throws TaskFailedException if it failed; the cause is its failure, or a
  ///   [ComputicleEndedException] if what was to run it has ended before
  /// @throws CancellationException if it was cancelled, or if the waiting thread is interrupted,
  ///   which it still is then
  /// @throws IllegalStateException on a scheduler's thread outside a stackful task, or by the task
  ///   itself
  public T join() {
    refuseItself();
    return ending.join();
  }

  private void refuseItself() {
    Scheduler here = Scheduler.currentOrNull();
    Task<?> own;
    synchronized (this) {
      own = task;
    }
    if (here != null && own != null && here.currentTask() == own) {
      throw new IllegalStateException("task '" + name + "' joins itself");
    }
  }

  /// {@return its end as an event, for selects and step tasks of any scheduler} A wait fails as
  /// [#join()] does. From now on its failure counts as awaited.
  public Waitable<T> ended() {
    return ending.event();
  }

  /// {@return its end as a future, which completes with its failure itself; to cancel the future
  /// does not cancel the task} From now on its failure counts as awaited.
  public CompletableFuture<T> toCompletableFuture() {
    return ending.future();
  }

  /// Cancels it, as [Task#cancel(String)] does; if it has not begun it never does.
  ///
  /// @param reason shown in messages
  /// @return false if it has ended
  public boolean cancel(String reason) {
    requireNonNull(reason, "reason is null");
    Task<T> begun;
    synchronized (this) {
      begun = task;
      if (begun == null) {
        if (cancelled != null || ending.isOver()) {
          return false;
        }
        cancelled = reason;
      }
    }
    if (begun != null) {
      return begun.cancel(reason);
    }
    whenEnded.accept(this);
    ending.cancel("task '" + name + "' was cancelled before it began: " + reason);
    return true;
  }

  /// {@return whether it has ended}
  boolean isDone() {
    return ending.isOver();
  }

  @Override
  public String toString() {
    return "remote task '" + name + "'";
  }
}
