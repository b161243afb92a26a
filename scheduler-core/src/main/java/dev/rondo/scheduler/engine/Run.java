package dev.rondo.scheduler.engine;

/// One run of the [Loop]. It decides before each turn, and in each pass, whether the loop
/// continues.
abstract class Run {

  /// Called when a pass is due. Makes the pass, see [Loop#pass()], unless the run is over.
  ///
  /// @return whether the run goes on
  abstract boolean pass();

  /// Gives a task its turn, see [Loop#turn(TaskCore)], unless the run is over.
  ///
  /// @return whether the run goes on
  abstract boolean turn(TaskCore<?> task);

  /// Gives the first of a chain of lazy tasks its turn, unless the run is over. By default it makes
  /// the task first.
  ///
  /// @param tasks where the chain is
  /// @return whether the run goes on
  boolean turn(ReadyQueue tasks, LazyChain chain) {
    return turn(tasks.makeFirst(chain));
  }

  /// Called when no task is ready and none can become ready.
  ///
  /// @return whether the run continues, because this call has made a task ready. False by default
  boolean findsMoreWork() {
    return false;
  }
}
