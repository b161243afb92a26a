package dev.rondo.examples.replicatedlog;

/// A place in the log. Two logs that have an entry at the same position agree on it and on all
/// entries before it.
///
/// @param index counts from 1
/// @param term of the leader that put the entry there
record Position(long index, long term) {

  /// Before the first entry.
  static final Position START = new Position(0, 0);

  /// {@return whether a log that ends here may lead one that ends there}
  boolean isUpToDateWith(Position other) {
    return term != other.term ? term > other.term : index >= other.index;
  }
}
