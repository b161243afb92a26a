package dev.rondo.application;

/// Makes the threads of the loops of a group. Any thread.
@FunctionalInterface
interface LoopThreads {

  /// Makes a thread that is not started.
  Thread unstarted(String name, Runnable body);
}
