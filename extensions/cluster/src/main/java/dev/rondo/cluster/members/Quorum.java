package dev.rondo.cluster.members;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/// Whether a node can agree with the others, as far as it knows: on leases, counters, registers,
/// jobs and keys.
///
/// @param isThere whether it can
/// @param since when that became so, by the clock of the node
/// @param why it cannot; empty if it can
public record Quorum(boolean isThere, Instant since, String why) {

  /// Makes one.
  public Quorum {
    requireNonNull(since, "since is null");
    requireNonNull(why, "why is null");
  }

  @Override
  public String toString() {
    return isThere ? "agrees, since " + since : "cannot agree, since %s: %s".formatted(since, why);
  }
}
