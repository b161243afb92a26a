package dev.rondo.exploration.internal;

import java.util.function.IntToLongFunction;

/// The candidates of a choice, such as tasks or hosts. Each candidate has a number, which is the
/// same in each run, and a name for people.
///
/// On the thread of the run, while it chooses.
public interface Candidates extends IntToLongFunction {

  /// {@return the name of a candidate, for messages}
  ///
  /// @param index from 0 to the count of the choice
  String name(int index);

  /// {@return whether a candidate is about to access memory that the one chosen before has
  /// accessed, and one of the two writes}
  ///
  /// @param index from 0 to the count of the choice
  default boolean conflicts(int index) {
    return false;
  }

  /// {@return where a candidate is about to access memory: a field or a method; empty if that is
  /// not known}
  ///
  /// @param index from 0 to the count of the choice
  default String place(int index) {
    return "";
  }

  /// {@return the name of the candidate that was chosen before, and has done something since; empty
  /// if there is none}
  default String previous() {
    return "";
  }
}
