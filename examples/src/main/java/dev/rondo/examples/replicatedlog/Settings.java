package dev.rondo.examples.replicatedlog;

import java.time.Duration;

/// How patient a replica is, and how much it keeps.
///
/// @param heartbeat how often a leader that has nothing to say says so
/// @param election how long a replica at least hears nothing of a leader before it wants to become
///   one, and a leader nothing of a majority before it gives up; at most twice as long
/// @param request how long an answer of a peer may take
/// @param idle how long a connection may be silent
/// @param batch how many entries a message has at most
/// @param snapshotEvery after how many entries the log is replaced by a snapshot
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
