package dev.rondo.exploration;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Makes the choices of one run.
abstract class Chooser {

  /// The count of a choice among all values of a `long`.
  static final long ALL = 0;

  /// Makes the next choice.
  ///
  /// @param kind what it decides
  /// @param part of the run that it belongs to; 0 for none
  /// @param count how many there are, an unsigned number; never 1; [#ALL] for 2^64
  /// @param ids the stable number of each candidate, if they have one
  /// @return an unsigned number less than the count
  abstract long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids);

  /// Makes a choice between no (0) and yes (1).
  ///
  /// @param probability of yes, greater than 0 and less than 1
  abstract long chance(ChoiceKind kind, double probability);

  /// Receives the choice that was just made.
  ///
  /// @param id of the candidate; 0 if it has none
  void made(ChoiceKind kind, long count, long value, long id) {}

  /// Receives where a task is about to access memory.
  ///
  /// @param task its number
  /// @param place the field or the method, the same in each run
  void reached(long task, String place) {}

  /// Receives whose code makes the choices, before the run.
  void runs(ProgramCode program) {}

  /// {@return whether a run is repeated as it was}
  boolean isReplay() {
    return false;
  }

  /// {@return how many choices the run may make until it is given up}
  int mostChoices() {
    return Integer.MAX_VALUE;
  }

  /// {@return how many steps the run may take until it is given up}
  int mostSteps() {
    return Integer.MAX_VALUE;
  }

  static boolean isInside(long value, long count) {
    return count == ALL || Long.compareUnsigned(value, count) < 0;
  }
}
