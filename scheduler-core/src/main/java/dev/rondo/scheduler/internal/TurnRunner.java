package dev.rondo.scheduler.internal;

import dev.rondo.scheduler.coroutine.Coroutine;

/// Runs code of a loop that has no coroutine of its own: a turn of a step task, a listener, a
/// posted action. A backend has a runner if a call of the JDK can suspend its coroutines. In that
/// case the loop's own thread must not block, because it carries the coroutines, and a coroutine
/// may have to go on before the blocked code can.
///
/// A runner belongs to one loop, which calls it on the loop's own thread.
public interface TurnRunner {

  /// A [dev.rondo.scheduler.coroutine.CoroutineBackend] that has runners.
  interface Maker {

    /// Makes the runner of a loop. Called once, on the thread that builds the scheduler.
    TurnRunner newTurnRunner();
  }

  /// Makes a coroutine that runs code once, and does not suspend. If a call of the JDK blocks the
  /// code, [Coroutine#resume()] waits for a limited time, because most locks are released soon.
  /// During this wait, no other code of the loop runs in the middle of this code.
  ///
  /// @param code what to run
  /// @param patienceNanos how long each call of `resume` waits for code that is blocked
  /// @return the coroutine
  Coroutine newTurn(Coroutine.Body code, long patienceNanos);

  /// Prepares for code of a class: the loop's own thread will run this code, and must not wait for
  /// a class loader meanwhile.
  ///
  /// @param part the class of a part of the loop, such as an add-on
  void expect(Class<?> part);

  /// Ends the threads that are unused. The loop runs no more code here.
  void close();
}
