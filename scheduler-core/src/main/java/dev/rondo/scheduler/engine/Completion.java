package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The result of a task, for all threads. The scheduler's thread settles it once. Any thread may
/// read it or wait for it.
///
/// The only field holds null, then a stack of listeners, then the [Outcome]. This is a superclass
/// of the task, and not a separate object, to save memory: there may be a million tasks.
///
/// @param <T> the type of the result of the task
abstract class Completion<T extends @Nullable Object> extends ReadyEntry {

  /// An action to run at the end. Immutable.
  private record Listener(Runnable action, @Nullable Listener before) {}

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Completion.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Null or [Listener]: compare-and-set by any thread. [Outcome]: compare-and-set by the
  /// scheduler's thread, and by others only where no turn can come any more.
  private volatile @Nullable Object state;

  abstract String name();

  final boolean isSettled() {
    Object seen = state;
    return seen != null && !(seen instanceof Listener);
  }

  /// Whether this state is an [Outcome]. The test is for the opposite, because it is faster: the
  /// JVM compares the class of a record with one instruction, but searches a table for an
  /// interface.
  private static boolean isOutcome(@Nullable Object seen) {
    return seen != null && !(seen instanceof Listener);
  }

  /// Settles the result, and calls the listeners in the order in which they were added. Does
  /// nothing if the result is settled already.
  ///
  /// @return whether there were any
  final boolean complete(Outcome<T> outcome) {
    Object seen;
    do {
      seen = state;
      if (isOutcome(seen)) {
        return false;
      }
    } while (!STATE.compareAndSet(this, seen, outcome));
    Listener oldest = null;
    for (var each = (Listener) seen; each != null; each = each.before) {
      oldest = new Listener(each.action, oldest);
    }
    for (Listener each = oldest; each != null; each = each.before) {
      each.action.run();
    }
    return oldest != null;
  }

  /// Runs an action when the result is settled, or at once if it is settled already.
  final void whenSettled(Runnable action) {
    while (true) {
      Object seen = state;
      if (seen instanceof Outcome<?>) {
        action.run();
        return;
      }
      if (STATE.compareAndSet(this, seen, new Listener(action, (Listener) seen))) {
        listened();
        return;
      }
    }
  }

  /// Called when a listener was added, on the thread that has added it.
  void listened() {}

  /// Whether there are listeners and this is not settled yet.
  final boolean isListened() {
    return state instanceof Listener;
  }

  @SuppressWarnings("unchecked")
  final Outcome<T> settled() {
    if (state instanceof Outcome<?> settled) {
      return (Outcome<T>) settled;
    }
    throw new IllegalStateException("the task has not ended");
  }

  final void awaitSettled() throws InterruptedException {
    latch().await();
  }

  final boolean awaitSettled(long timeout, TimeUnit unit) throws InterruptedException {
    return latch().await(timeout, unit);
  }

  final void awaitUninterruptibly() {
    CountDownLatch latch = latch();
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
  }

  private CountDownLatch latch() {
    for (Object each = state; each instanceof Listener listener; each = listener.before) {
      if (listener.action instanceof Latch latch) {
        return latch;
      }
    }
    var latch = new Latch();
    whenSettled(latch);
    return latch;
  }

  /// The latch on which threads wait. All threads share one latch, because a thread that gives up
  /// its wait could not remove a latch of its own.
  private static final class Latch extends CountDownLatch implements Runnable {

    Latch() {
      super(1);
    }

    @Override
    public void run() {
      countDown();
    }
  }

  /// Returns the value, or throws the exception that a joining task receives.
  final T value() {
    Outcome<T> outcome = settled();
    if (outcome instanceof Outcome.Success<T> success) {
      return success.value();
    }
    throw failureForJoin(name(), outcome);
  }

  /// The exception that a joining task receives. Here and in [#fire] there is no `switch` over
  /// types and no lambda: the JVM links these by Java code, which needs a hundred times the stack.
  private static RuntimeException failureForJoin(String name, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Failure<?> failure) {
      return new TaskFailedException(name, failure.cause());
    }
    return Throwables.cancellation(((Outcome.Cancelled<?>) outcome).cause());
  }

  /// Returns the value, or throws the exceptions of a `Future`.
  final T valueForFuture() throws ExecutionException {
    return switch (settled()) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failure<T>(Throwable cause) -> throw failureForFuture(cause);
      case Outcome.Cancelled<T>(TaskCancelled cause) -> throw Throwables.cancellation(cause);
    };
  }

  /// The message contains only the text of the first failure of a chain. With the messages of all
  /// causes, the memory for a chain would grow with the square of its length.
  private ExecutionException failureForFuture(Throwable cause) {
    Throwable first = cause;
    while (first instanceof ExecutionException && first.getCause() != null) {
      first = first.getCause();
    }
    return cause instanceof ExecutionException
        ? new ExecutionException(
            "task '" + name() + "' failed: " + WaitDescriptions.describe(first), cause)
        : new ExecutionException(cause);
  }

  final void copyTo(CompletableFuture<T> future) {
    switch (settled()) {
      case Outcome.Success<T>(T value) -> future.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> future.completeExceptionally(cause);
      case Outcome.Cancelled<T>(TaskCancelled cause) ->
          future.completeExceptionally(Throwables.cancellation(cause));
    }
  }

  /// Fires a waiter with the outcome of the task.
  static <T extends @Nullable Object> boolean fire(
      Completion<T> task, Outcome<T> outcome, Waiter<? super T> waiter) {
    if (outcome instanceof Outcome.Success<T> success) { // on the hot path of a join
      return WaiterCore.settle(waiter, success.value(), null, Place.BACK);
    }
    return WaiterCore.settle(
        waiter, null, new DeferredFailure(new JoinFailure(task, outcome)), Place.BACK);
  }

  /// Makes the exception that a joining task receives, in that task.
  private record JoinFailure(Completion<?> task, Outcome<?> outcome)
      implements Supplier<RuntimeException> {

    @Override
    public RuntimeException get() {
      return failureForJoin(task.name(), outcome);
    }
  }
}
