package dev.rondo.scheduler.engine;

/// One run of the [Loop]: what it is for, and when it is over.
abstract class Run {

  /// A pass is due. Makes it, see [Loop#pass()], unless the run is over.
  ///
  /// @return whether the run goes on
  abstract boolean pass();

  /// Gives a task its turn, see [Loop#turn(Task)], unless the run is over.
  ///
  /// @return whether the run goes on
  abstract boolean turn(TaskCore<?> task);

  /// Gives the first of a chain of lazy tasks its turn, unless the run is over: makes it, unless a
  /// run knows better.
  ///
  /// @param tasks where the chain is
  /// @return whether the run goes on
  boolean turn(ReadyQueue tasks, LazyChain chain) {
    return turn(tasks.makeFirst(chain));
  }

  /// Nothing is ready, and nothing can become so: the run is over.
  void ranDry() {}
}
