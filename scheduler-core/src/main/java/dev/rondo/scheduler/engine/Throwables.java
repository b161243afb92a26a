package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/// The exceptions that one part of a program throws because of another: at a join, in a wait, where
/// a scope was cancelled.
public final class Throwables {

  private Throwables() {}

  /// Throws a checked exception without declaring it. A wait throws the failure of its source
  /// unwrapped. For instance, the `read` of a socket declares the `IOException` that its wait
  /// throws in this way. Never returns, so callers write `throw Throwables.rethrow(e)`.
  @SuppressWarnings("unchecked")
  public static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }

  /// {@return the exception that a task receives when it joins another task}
  ///
  /// @param name of the other task
  /// @param outcome of the other task, not a success
  static RuntimeException ofJoin(String name, Outcome<?> outcome) {
    return outcome instanceof Outcome.Failure<?> failure
        ? new TaskFailedException(name, failure.cause())
        : cancellation(((Outcome.Cancelled<?>) outcome).cause());
  }

  /// {@return the exception that a cancelled task or scope throws to others}
  public static CancellationException cancellation(TaskCancelled cause) {
    var thrown = new CancellationException(cause.getMessage());
    thrown.initCause(cause);
    return thrown;
  }

  /// A placeholder for a failure. The waiting task makes the failure itself, when it throws, so
  /// that the stack trace shows the wait and not the code that ended the wait.
  public static final class DeferredFailure extends Throwable {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends Throwable> maker;

    public DeferredFailure(Supplier<? extends Throwable> maker) {
      super(null, null, false, false);
      this.maker = maker;
    }

    /// Returns the failure to throw. A deferred failure is made now.
    public static Throwable made(Throwable failure) {
      return failure instanceof DeferredFailure deferred ? deferred.maker.get() : failure;
    }
  }
}
