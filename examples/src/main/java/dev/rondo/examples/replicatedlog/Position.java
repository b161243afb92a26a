package dev.rondo.examples.replicatedlog;

/// A place in the log. If two logs have an entry at the same position, they agree on that entry and
/// on all entries before it.
///
/// @param index counts from 1
/// @param term of the leader that put the entry there
record Position(long index, long term) {

  /// Before the first entry.
  static final Position START = new Position(0, 0);

  /// {@return whether the log that ends here is at least as up to date as the log that ends at the
  /// other position}
  boolean isUpToDateWith(Position other) {
    return term != other.term ? term > other.term : index >= other.index;
  }
}
