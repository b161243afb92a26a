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

  /// Nothing is ready, and nothing can become so: the run is over.
  void ranDry() {}
}
