package dev.rondo.scheduler.coroutine;

import org.jspecify.annotations.Nullable;

/// One stack that can be left in the middle and entered again.
///
/// A coroutine is driven by one loop: [#resume()] is called on the loop's thread only, never while
/// the coroutine runs, and [#suspend()] is called from inside the body only. Everything the body
/// wrote before a `suspend` is visible to the loop after `resume` returned, and the other way
/// round.
public interface Coroutine {

  /// Why [#resume()] came back.
  enum Pause {
    /// The body called [Coroutine#suspend()].
    SUSPENDED,
    /// The body is held up in a blocking call of the JDK. It reports [Body#unblocked()] when it can
    /// go on, and then wants another [Coroutine#resume()].
    BLOCKED,
    /// The body has returned. The coroutine must not be resumed again.
    ENDED
  }

  /// What a coroutine runs.
  interface Body extends Runnable {

    /// The code. Must not throw: whoever implements it records its own failures.
    @Override
    void run();

    /// Told when a body that left with [Pause#BLOCKED] can go on. Called on any thread, at any
    /// time, also spuriously.
    void unblocked();
  }

  /// Enters the body, for the first time or where it left, and returns when it leaves.
  ///
  /// @return why the body gave way
  /// @throws IllegalStateException if the body has ended
  Pause resume();

  /// Leaves the body: control returns to the caller of [#resume()]; this call returns at the next
  /// `resume`. *Always* a suspension point.
  ///
  /// @throws PinnedException if the stack cannot be left here; the body is still running then
  void suspend();

  /// {@return the stack of a suspended coroutine, innermost frame first; empty if it never ran, has
  /// ended or is running on a thread other than the caller's}
  StackTraceElement[] stackTrace();

  /// {@return the thread that `Thread.currentThread()` answers inside the body, or null if that is
  /// the thread that calls [#resume()]}
  @Nullable Thread thread();

  /// Asks a body that is [Pause#BLOCKED] in the JDK to leave that call with an interrupt. Does
  /// nothing on backends whose bodies cannot be blocked apart from their loop.
  default void interrupt() {}
}
