package dev.rondo.scheduler.engine;

/// One run of the [Loop]. It decides before each turn, and in each pass, whether the loop
/// continues.
public abstract class Run {

  /// Called when a pass is due. Makes the pass, see [Loop#pass()], unless the run is over.
  ///
  /// @return whether the run goes on
  public abstract boolean pass();

  /// Gives an entry of the ready queue its turn, see [Loop#turn(ReadyEntry)], unless the run is
  /// over.
  ///
  /// @return whether the run goes on
  public abstract boolean turn(ReadyEntry entry);

  /// Called when no task is ready and none can become ready.
  ///
  /// @return whether the run continues, because this call has made a task ready. False by default
  public boolean findsMoreWork() {
    return false;
  }
}
