package dev.rondo.scheduler.coroutine;

/// A way to run code on a stack that can be left in the middle. Immutable and thread-safe; one
/// backend may serve any number of schedulers.
///
/// BOUND is a service of this type in the module `dev.rondo.bound`: [CoroutineBackends] finds it by
/// [java.util.ServiceLoader].
public interface CoroutineBackend {

  /// {@return the name in messages, in upper case, for instance `CONTINUATION`}
  String name();

  /// Checks that this JVM can run coroutines of this backend. The default accepts every JVM.
  ///
  /// @throws UnsupportedOperationException if the JVM cannot; the message names the flag that is
  ///   missing
  default void checkAvailable() {}

  /// Makes a coroutine that has not begun.
  ///
  /// @param name of the coroutine's thread; empty on backends whose coroutines share the loop's
  /// @param body what to run
  /// @return the coroutine
  Coroutine newCoroutine(String name, Coroutine.Body body);

  /// {@return whether bodies run on the platform thread that resumes them, or on virtual threads
  /// mounted on it} If so, their CPU time and allocation count for that thread. The default is no.
  default boolean mountsOnLoopThread() {
    return false;
  }

  /// {@return whether `Thread.currentThread()` inside a body is the loop's thread} If so, all tasks
  /// share monitors and thread-bound state. The default is no.
  default boolean sharesThread() {
    return false;
  }

  /// {@return whether a suspended coroutine may be given up: it is never resumed, and its stack is
  /// collected} The default is yes where coroutines have no thread of their own.
  default boolean canAbandon() {
    return sharesThread();
  }

  /// Checks that a loop may run on a thread. Called once, when a scheduler is built. The default
  /// allows every thread.
  ///
  /// @param loop the thread that builds the scheduler
  /// @throws IllegalStateException if coroutines of this backend cannot be resumed from `loop`; the
  ///   message says from which threads they can
  default void checkLoopThread(Thread loop) {}
}
