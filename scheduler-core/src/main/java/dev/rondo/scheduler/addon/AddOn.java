package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;

/// A provider of events that tasks wait for. It runs as an ordinary task of the same scheduler.
///
/// An add-on parks tasks (its [Waitable]s keep the [Waiter]s) and wakes them when their events have
/// come. Like any task it has turns: in each it makes a pass, and returns when it needs the next
/// one. While no task waits it returns [StepResult#SUSPEND] and costs nothing; its first waiter
/// schedules it again with [StepTask#wake()].
///
/// Register one with [AddOnHost#install(AddOn)]; find it again with [AddOnHost#addOn(Class)].
public interface AddOn {

  /// Makes one pass over the events that tasks wait for. Runs on the scheduler's thread; never
  /// suspends.
  ///
  /// @param self the task this add-on runs as
  /// @return [StepResult#SUSPEND] if no task waits; `self.idleUntil(deadline)` if nothing can
  ///   happen before an instant; `self.idle()` if something outside will wake the loop;
  ///   [StepResult#AGAIN] to poll again in the next round
  /// @throws Exception anything; the add-on ends with it, and the next deadlock report shows the
  ///   tasks that wait on it
  StepResult turn(StepTask<Void> self) throws Exception;

  /// Called when a run is about to end: because no task is left but daemons, or because nothing can
  /// wake those that are left, which would be a deadlock. A predicate, for instance, may have
  /// become true with the end of the last task. The turn that the add-on asks for should look at
  /// everything that tasks wait for. The tasks that it makes ready have a turn too. If the look
  /// finds nothing, the run ends. Runs on the scheduler's thread; never suspends. The default does
  /// nothing and asks for no turn.
  ///
  /// @return whether the add-on is to have a turn
  default boolean beginLastLook() {
    return false;
  }

  /// Says what the add-on is doing: figures for JMX and metrics, and lines for people. Dumps show
  /// both. Called on the scheduler's thread, outside of tasks, each time one of them asks; must be
  /// quick and must not suspend. What it throws goes to the failure handler, and the add-on is not
  /// shown. The default says nothing.
  ///
  /// @param report where to say it; valid during the call
  default void describe(AddOnReport report) {}

  /// Releases resources (descriptors, threads). Called once, on the scheduler's thread, when the
  /// scheduler closes and no task waits any more. The default does nothing.
  ///
  /// @throws Exception anything; it is logged
  default void close() throws Exception {}
}
