package dev.rondo.scheduler.coroutine;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A stack that can be left in the middle and entered again.
///
/// One loop drives a coroutine: [#resume()] is called on the loop's thread only, never while the
/// coroutine runs, and [#suspend()] is called from inside the body only. Writes by the body before
/// `suspend` are visible to the loop after `resume` returns, and vice versa. A call from another
/// thread is not always refused: on CONTINUATION it can crash the JVM.
public interface Coroutine {

  /// Why [#resume()] returned.
  enum Pause {
    /// The body called [Coroutine#suspend()].
    SUSPENDED,
    /// The body is in a blocking call of the JDK. When the body can go on, it calls
    /// [Body#unblocked()], and then needs another [Coroutine#resume()].
    BLOCKED,
    /// The body has returned. The coroutine must not be resumed again.
    ENDED
  }

  /// The code that a coroutine runs.
  interface Body extends Runnable {

    /// Runs the code. Must not throw: the implementation records failures.
    @Override
    void run();

    /// Called when a body that left with [Pause#BLOCKED] can go on. The call comes on any thread,
    /// at any time, possibly spuriously. On the loop's own thread it comes only when the body has
    /// left.
    void unblocked();
  }

  /// Enters the body, at its beginning or at the place where it left, and returns when the body
  /// leaves.
  ///
  /// @return why the body left
  /// @throws IllegalStateException if the body has ended, or could not be entered before: a call
  ///   that failed, for instance because the stack was exhausted, has lost the coroutine
  Pause resume();

  /// Leaves the body: control returns to the caller of [#resume()], and this call returns at the
  /// next `resume`. *Always* a suspension point.
  ///
  /// @throws PinnedException if the stack cannot be left here; the body is still running
  void suspend();

  /// {@return the stack of a suspended coroutine, innermost frame first; empty if it has not begun,
  /// has ended, or is running on a thread other than the caller's}
  StackTraceElement[] stackTrace();

  /// [#stackTrace()] for a thread that observes a loop which hangs in a task. Any thread.
  ///
  /// @param hangs whether the loop still hangs. If not, its next turns may wait for this call
  /// @return the stack; empty, too, if the loop goes on
  default StackTraceElement[] stackTrace(BooleanSupplier hangs) {
    return hangs.getAsBoolean() ? stackTrace() : new StackTraceElement[0];
  }

  /// {@return the value of `Thread.currentThread()` inside the body; null if that is the thread
  /// that calls [#resume()]}
  @Nullable Thread thread();

  /// Interrupts the blocking call of a body that is [Pause#BLOCKED]. Does nothing on backends where
  /// a blocking call blocks the loop.
  default void interrupt() {}
}
