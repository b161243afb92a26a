package dev.rondo.exploration;

import org.jspecify.annotations.Nullable;

/// A search under way: a [Strategy] with what it has learned from the runs so far.
interface Search {

  /// {@return the choices of the next run; null if every run that differs has been made}
  @Nullable Choices next();

  /// {@return whether no run is left out, once [#next()] is null}
  default boolean isComplete() {
    return true;
  }

  /// Receives the choices of the run that has ended.
  void ended(ChoiceSequence sequence);
}
