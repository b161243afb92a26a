package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Code that runs as a task of another scheduler: in a [Computicle], or in a [Pool]. Tasks of any
/// scheduler and other threads can wait for its end.
///
/// A failure reaches the tasks and threads that wait for the end. If no caller waits when the task
/// fails, or begins to wait within a second, the failure goes to the failure handler of the task's
/// scheduler. The second ends early when that scheduler ends.
///
/// Any thread.
///
/// @param <T> the type of the result
public final class RemoteTask<T extends @Nullable Object> {

  private final String name;
  private final TaskCall<? extends T, ?> code;
  private final Ending<T> ending;
  private final Consumer<? super RemoteTask<T>> whenEnded;

  /// Guarded by this.
  private @Nullable Task<T> task;

  /// Why the task must not begin. Guarded by this.
  private @Nullable String cancelled;

  /// Written by the thread that hands over the task.
  private volatile boolean refused;

  /// @param simulated whether the task runs on the thread of its waiters
  /// @param whenEnded called before the end reaches waiters; may be called again
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
  /// @param whenTaskEnds called on the scheduler's thread before the end reaches waiters
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

  /// The task was refused.
  void refuse() {
    refused = true;
  }

  boolean wasRefused() {
    return refused;
  }

  /// The task will not begin, or not end, because its computicle or pool has ended.
  void abandon(String message) {
    whenEnded.accept(this);
    ending.fail(new ComputicleEndedException(message));
  }

  // For its waiters.

  /// {@return the name of the task}
  String name() {
    return name;
  }

  /// Waits for the end of the task. In a task of any scheduler *always* a suspension point. On
  /// another thread it blocks.
  ///
  /// @return the result
  /// @throws TaskFailedException if the task failed; the cause is its failure, or a
  ///   [ComputicleEndedException] if its computicle or pool has ended before
  /// @throws CancellationException if the task was cancelled, or if the waiting thread is
  ///   interrupted; its interrupt status stays set
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

  /// {@return the end of the task as an event, for selects and step tasks of any scheduler} A wait
  /// fails as [#join()] does. After this call a failure counts as awaited.
  public Waitable<T> ended() {
    return ending.event();
  }

  /// {@return a future that ends as the task does, with the failure itself as its exception} To
  /// cancel the future does not cancel the task. After this call a failure counts as awaited.
  public CompletableFuture<T> toCompletableFuture() {
    return ending.future();
  }

  /// Cancels the task, as [Task#cancel(String)] does. A task that has not begun never begins.
  ///
  /// @param reason shown in messages
  /// @return false if the task has ended
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

  /// {@return whether the task has ended}
  boolean isDone() {
    return ending.isOver();
  }

  @Override
  public String toString() {
    return "remote task '" + name + "'";
  }
}
