package dev.rondo.examples.replicatedlog;

import java.time.Duration;

/// The time limits and sizes of a replica.
///
/// @param heartbeat the interval of heartbeats of a leader without entries
/// @param election the shortest time without a leader after which a replica wants to become the
///   leader, and without a majority after which a leader gives up; the longest time is twice as
///   long
/// @param request the time that a peer has for an answer
/// @param idle the time that a connection may be silent
/// @param batch the most entries of a message
/// @param snapshotEvery the number of entries after which a snapshot replaces the log
public record Settings(
    Duration heartbeat,
    Duration election,
    Duration request,
    Duration idle,
    int batch,
    int snapshotEvery) {

  /// For replicas in one building.
  public static final Settings DEFAULT =
      new Settings(
          Duration.ofMillis(50),
          Duration.ofMillis(250),
          Duration.ofMillis(200),
          Duration.ofMinutes(1),
          64,
          10_000);

  /// @throws IllegalArgumentException if a duration is not more than zero, the election not longer
  ///   than the heartbeat, or a number less than 1
  public Settings {
    if (!heartbeat.isPositive()
        || election.compareTo(heartbeat) <= 0
        || !request.isPositive()
        || !idle.isPositive()
        || batch < 1
        || snapshotEvery < 1) {
      throw new IllegalArgumentException(
          "need 0 < heartbeat < election, 0 < request, 0 < idle, 1 <= batch, 1 <= snapshotEvery: "
              + this);
    }
  }
}
