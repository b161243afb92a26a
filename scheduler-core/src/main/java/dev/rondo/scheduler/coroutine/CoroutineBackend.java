package dev.rondo.scheduler.coroutine;

/// A way to run code on a stack that can be left in the middle. Immutable and thread-safe; one
/// backend may serve any number of schedulers.
public interface CoroutineBackend {

  /// {@return upper-case name as it stands in messages, for instance `CONTINUATION`}
  String name();

  /// Makes a coroutine that has not started. Allocates what must be allocated per stack; runs
  /// nothing.
  ///
  /// @param name a name for the thread of backends that have one per coroutine
  /// @param body what to run
  /// @return the coroutine
  Coroutine newCoroutine(String name, Coroutine.Body body);

  /// {@return whether a body may, while it runs, resume other coroutines of the same loop upon its
  /// own frames, and suspend afterwards} Allows the scheduler to leave a waiting task mounted. The
  /// default says no.
  default boolean canHost() {
    return false;
  }

  /// {@return whether bodies run on the very platform thread that resumes them, mounted on it if
  /// they have virtual threads of their own} Then its CPU time and its allocation are theirs. The
  /// default says no.
  default boolean mountsOnLoopThread() {
    return false;
  }

  /// {@return whether bodies run on the thread that resumes them, as the loop does} Monitors and
  /// thread-bound state are shared by all tasks then. The default says no.
  default boolean sharesThread() {
    return false;
  }

  /// Checks that a loop may run on this thread; called once, when a scheduler is built. The default
  /// allows every thread.
  ///
  /// @param loop the thread that builds the scheduler
  /// @throws IllegalStateException if coroutines of this backend cannot be resumed from `loop`,
  ///   saying which thread would do
  default void checkLoopThread(Thread loop) {}
}
