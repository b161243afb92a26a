package dev.rondo.simulation.internal.nio;

import org.jspecify.annotations.Nullable;

/// The keys of a selector that are ready, and maybe others, in the order in which they became it.
/// To add and remove one costs no search and no garbage: the keys are the links of the list.
final class Candidates {

  private @Nullable SimulatedKey first;
  private @Nullable SimulatedKey last;
  private int size;

  /// Adds a key behind all others, unless it is there.
  void add(SimulatedKey key) {
    if (key.isCandidate) {
      return;
    }
    key.isCandidate = true;
    key.previous = last;
    if (last == null) {
      first = key;
    } else {
      last.next = key;
    }
    last = key;
    size++;
  }

  /// Removes a key, if it is there.
  void remove(SimulatedKey key) {
    if (!key.isCandidate) {
      return;
    }
    key.isCandidate = false;
    size--;
    SimulatedKey before = key.previous;
    SimulatedKey after = key.next;
    key.previous = null;
    key.next = null;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
  }

  /// {@return the first; others follow by [SimulatedKey#next]}
  @Nullable SimulatedKey first() {
    return first;
  }

  /// {@return all that are there now}
  SimulatedKey[] toArray() {
    var all = new SimulatedKey[size];
    int index = 0;
    for (SimulatedKey key = first; key != null; key = key.next) {
      all[index++] = key;
    }
    return all;
  }
}
