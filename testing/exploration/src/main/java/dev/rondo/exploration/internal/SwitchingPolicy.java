package dev.rondo.exploration.internal;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import org.jspecify.annotations.Nullable;

/// A policy by which a task may lose its turn in the middle of it, where threads race.
///
/// Confined to the scheduler's thread and that of the task that has the turn.
public interface SwitchingPolicy extends SchedulingPolicy {

  /// {@return whether there is another task that could have the rest of the turn}
  boolean hasOther();

  /// The task that has the turn is about to access memory.
  ///
  /// @param of the object, array or monitor; null for a static field
  /// @param index in the array; -1 for none
  /// @param field its name; empty if all of the object is accessed
  /// @param place the field or the method, the same in each run
  /// @param writes whether it is written
  void reaches(@Nullable Object of, int index, String field, String place, boolean writes);

  /// Chooses whether the task that has the turn loses it here, with 0 for no. No choice is made if
  /// no other task is ready.
  ///
  /// @return whether it does: it has to give way at once, and [#next()] is the task that was chosen
  boolean choosesOther();

  /// Has [#next()] choose in the same way whether the task that has the turn goes on. That task has
  /// to give way at once: what it has done may make more tasks ready when its turn is over.
  void asksAfterTurn();

  /// The task that has the turn goes on after all, because it could not give way.
  void goesOn();
}
