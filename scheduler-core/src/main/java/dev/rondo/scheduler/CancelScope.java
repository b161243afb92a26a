package dev.rondo.scheduler;

import java.util.concurrent.CancellationException;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// A part of a task that can be cancelled, or have a deadline, separately from the rest of the
/// task.
///
/// Scopes nest: cancelling a scope cancels those inside. In a cancelled scope every suspension
/// point throws [TaskCancelled], again and again, until the code leaves the scope. The scope then
/// throws a [CancellationException], or a [TimedOutException] if its deadline has passed. Of
/// several cancelled scopes the outermost takes effect first.
///
/// A scope can be used once. After N. J. Smith, *Timeouts and cancellation for humans* (2018).
///
/// Confined to the scheduler's thread, except where a method says otherwise. Programs do not extend
/// this class.
public abstract class CancelScope {

  /// For the engine.
  protected CancelScope() {}

  /// Runs code inside this scope, in the current task. A suspension point if the code is one.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @return what the code returns, even if the scope was cancelled meanwhile
  /// @throws CancellationException if the scope was cancelled and the code let [TaskCancelled] pass
  /// @throws IllegalStateException if the scope was used before, or outside a stackful task
  /// @throws X any failure of the code
  public abstract <T extends @Nullable Object, X extends Exception> T run(
      TaskCall<? extends T, X> code) throws X;

  /// [#run(TaskCall)] for code without a result. A suspension point if the code is one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code may suspend
  /// @throws CancellationException if the scope was cancelled and the code let [TaskCancelled] pass
  /// @throws IllegalStateException if the scope was used before, or outside a stackful task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  public abstract <X extends Exception> void run(TaskAction<X> code) throws X;

  /// Cancels the code in this scope. Code that enters the scope later is cancelled at once. Never a
  /// suspension point. Any thread. A call from another thread takes effect a moment later, on the
  /// scheduler's thread.
  ///
  /// @param reason shown in the exception
  /// @return false if the scope was cancelled before; the first reason is kept. On another thread,
  ///   true means only that the request was sent
  public abstract boolean cancel(String reason);

  /// [#cancel(String)] because of a failure. Any thread. Never a suspension point.
  ///
  /// @param reason shown in the exception
  /// @param cause see [TaskCancelled#trigger()]
  /// @return as [#cancel(String)] does
  public abstract boolean cancel(String reason, Throwable cause);

  /// {@return whether it was cancelled, or its deadline has passed}
  public abstract boolean isCancelled();
}
