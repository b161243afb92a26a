package dev.rondo.computicle;

import org.jspecify.annotations.Nullable;

/// Parties in the order they began to wait. Guarded by the lock of the exchange.
final class PartyQueue {

  private @Nullable Party first;
  private @Nullable Party last;
  private int size;

  @Nullable Party first() {
    return first;
  }

  int size() {
    return size;
  }

  void add(Party party) {
    party.home = this;
    party.before = last;
    if (last == null) {
      first = party;
    } else {
      last.after = party;
    }
    last = party;
    size++;
  }

  /// Removes a party if it is in here.
  void remove(Party party) {
    if (party.home != this) {
      return;
    }
    Party before = party.before;
    Party after = party.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    party.home = null;
    party.before = null;
    party.after = null;
    size--;
  }
}
