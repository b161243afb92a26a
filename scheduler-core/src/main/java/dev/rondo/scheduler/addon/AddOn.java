package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;

/// Something tasks can wait for, run as an ordinary task of the same scheduler.
///
/// An add-on takes tasks out of circulation (its [Waitable]s keep the [Waiter]s) and puts them back
/// when what they wait for has happened. It has one turn after another, like any task: make a pass,
/// then say when the next one is needed. While nobody waits it answers [StepResult#SUSPEND] and
/// costs nothing; its first waiter schedules it again with [StepTask#wake()].
///
/// Register one with [AddOnHost#install(AddOn)]; find it again with [Scheduler#addOn(Class)].
public interface AddOn {

  /// One pass over what tasks wait for. Runs on the scheduler's thread; never suspends.
  ///
  /// @param self the task this add-on runs as
  /// @return [StepResult#SUSPEND] if nobody waits; `self.idleUntil(deadline)` if nothing can happen
  ///   before an instant; `self.idle()` if something outside will wake the loop; [StepResult#AGAIN]
  ///   to look again next round
  /// @throws Exception the add-on ends with it; what waits on it is reported by the next deadlock
  StepResult turn(StepTask<Void> self) throws Exception;

  /// Lets go of what the add-on holds (descriptors, threads). Called once, on the scheduler's
  /// thread, when the scheduler closes; nobody waits any more. The default does nothing.
  ///
  /// @throws Exception it is logged
  default void close() throws Exception {}
}
