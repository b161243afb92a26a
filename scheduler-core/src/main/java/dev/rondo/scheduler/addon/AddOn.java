package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;

/// A provider of events that tasks wait for. It runs as an ordinary task of the same scheduler.
///
/// The [Waitable]s of an add-on keep the [Waiter]s of tasks, and the add-on fires them when their
/// events come. Like any task, an add-on has turns. In each turn it makes one pass over its events,
/// and returns when it needs the next turn. While no task waits it returns [StepResult#SUSPEND] and
/// costs nothing. The first waiter schedules it again with [StepTask#wake()].
///
/// A program registers an add-on with [AddOnHost#install(AddOn)], and finds it with
/// [AddOnHost#addOn(Class)].
public interface AddOn {

  /// Makes one pass over the events that tasks wait for. Runs on the scheduler's thread; never
  /// suspends.
  ///
  /// @param self the task that runs this add-on
  /// @return [StepResult#SUSPEND] if no task waits; `self.idleUntil(deadline)` if nothing can
  ///   happen before an instant; `self.idle()` if something outside will wake the loop;
  ///   [StepResult#AGAIN] to poll again in the next round
  /// @throws Exception any failure; it ends the add-on, and the next deadlock report shows the
  ///   tasks that wait for its events
  StepResult turn(StepTask<Void> self) throws Exception;

  /// Called when a run is about to end, because only daemons are left, or because nothing can wake
  /// the tasks that are left, which would be a deadlock. An add-on that finds its events by polling
  /// asks for one more turn here: for instance, the end of the last task may have made a predicate
  /// true. In that turn the add-on should examine all events that tasks wait for. The tasks that it
  /// makes ready have a turn, too. Then this method is called again, because they may have caused
  /// other events, until no add-on asks for a turn. Runs on the scheduler's thread; never suspends.
  /// The default does nothing and asks for no turn.
  ///
  /// @param again whether the add-on has just looked: another look is useful only if that look has
  ///   made a task ready
  /// @return whether the add-on asks for a turn
  default boolean beginLastLook(boolean again) {
    return false;
  }

  /// Reports the state of the add-on: figures for JMX and metrics, and lines for people. Dumps show
  /// both. Called on the scheduler's thread, outside of tasks, for each dump and each reading of
  /// the metrics. Must be quick, and must not suspend. If it throws, the failure handler receives
  /// the exception, and the add-on is not shown. The default reports nothing.
  ///
  /// @param report receives the figures and lines; valid during the call
  default void describe(AddOnReport report) {}

  /// Releases resources (descriptors, threads). Called once, on the scheduler's thread, when the
  /// scheduler closes and no task waits any more. The default does nothing.
  ///
  /// @throws Exception any failure; it is logged
  default void close() throws Exception {}
}
