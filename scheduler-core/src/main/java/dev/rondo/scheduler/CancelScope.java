package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.ScopeCore;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// A part of a task that can be cancelled, or given a deadline, apart from the rest of it.
///
/// Scopes nest: cancelling one cancels those inside. While it is cancelled every suspension point
/// inside throws [TaskCancelled], again and again, until the scope is left; there it turns into a
/// [CancellationException], or into a [TimedOutException] if it was the deadline. Of several
/// cancelled scopes the outermost is told first.
///
/// Make one with [Scheduler#newScope(String)]; it is used once. After N. J. Smith, *Timeouts and
/// cancellation for humans* (2018).
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public abstract sealed class CancelScope permits ScopeCore {

  /// For the engine.
  protected CancelScope() {}

  /// Runs code inside this scope, in the current task. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param code may suspend
  /// @return what the code returns, also if the scope was cancelled meanwhile
  /// @throws CancellationException if the scope was cancelled and the code gave way to that
  /// @throws IllegalStateException if the scope was used before, or outside a stackful task
  /// @throws Exception whatever the code throws
  public abstract <T extends @Nullable Object> T run(Callable<? extends T> code) throws Exception;

  /// Cancels whatever runs in this scope; what enters it later is cancelled at once. Never a
  /// suspension point. Any thread; from another one it is the loop that does it, a moment later.
  ///
  /// @param reason why, for whoever reads the exception
  /// @return false if it was cancelled before; the first reason stands. On another thread true says
  ///   just that the request is on its way
  public abstract boolean cancel(String reason);

  /// [#cancel(String)] on account of a failure. Any thread. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @param cause see [TaskCancelled#trigger()]
  /// @return as [#cancel(String)] does
  public abstract boolean cancel(String reason, Throwable cause);

  /// {@return whether it was cancelled, or its deadline has come}
  public abstract boolean isCancelled();
}
