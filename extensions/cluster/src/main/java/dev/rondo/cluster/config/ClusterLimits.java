package dev.rondo.cluster.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/// The limits of a member of a cluster.
///
/// @param messageBytes how many bytes a message may have, from 1 to 256 MiB
/// @param join how long joining may take; more than zero
/// @param leave how long leaving may wait until the leases of the node were given back; zero or
///   more
/// @param answer how long a call may wait for what the nodes agree on; more than zero. Tasks that
///   wait for their turn with a lease wait on
/// @param silence how long a member that is connected may be silent until it counts as failed; at
///   least a second
/// @param lease how long the lease of a job or a key lasts without being renewed; at least 100 ms
public record ClusterLimits(
    int messageBytes,
    Duration join,
    Duration leave,
    Duration answer,
    Duration silence,
    Duration lease) {

  /// One of the times of a member.
  public enum Time {
    /// That of [ClusterLimits#join()].
    JOIN,
    /// That of [ClusterLimits#leave()].
    LEAVE,
    /// That of [ClusterLimits#answer()].
    ANSWER,
    /// That of [ClusterLimits#silence()].
    SILENCE,
    /// That of [ClusterLimits#lease()].
    LEASE
  }

  /// A command has two values at most, and an entry of the log a command.
  private static final int MOST_MESSAGE_BYTES = 1 << 28;

  private static final Duration LEAST_LEASE = Duration.ofMillis(100);

  /// A mebibyte; 10 seconds; 3 seconds; 30 seconds; 8 seconds; 5 seconds.
  public static final ClusterLimits USUAL =
      new ClusterLimits(
          1 << 20,
          Duration.ofSeconds(10),
          Duration.ofSeconds(3),
          Duration.ofSeconds(30),
          Duration.ofSeconds(8),
          Duration.ofSeconds(5));

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if one is out of its range, see above
  public ClusterLimits {
    requireNonNull(join, "join is null");
    requireNonNull(leave, "leave is null");
    requireNonNull(answer, "answer is null");
    requireNonNull(silence, "silence is null");
    if (messageBytes < 1 || messageBytes > MOST_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "messageBytes must be 1 to %d, but is %d".formatted(MOST_MESSAGE_BYTES, messageBytes));
    }
    if (!join.isPositive()) {
      throw new IllegalArgumentException("join must be more than zero, but is " + join);
    }
    if (leave.isNegative()) {
      throw new IllegalArgumentException("leave must be zero or more, but is " + leave);
    }
    if (!answer.isPositive()) {
      throw new IllegalArgumentException("answer must be more than zero, but is " + answer);
    }
    if (silence.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("silence must be at least 1 s, but is " + silence);
    }
    requireNonNull(lease, "lease is null");
    if (lease.compareTo(LEAST_LEASE) < 0) {
      throw new IllegalArgumentException("lease must be at least 100 ms, but is " + lease);
    }
  }

  /// {@return the same with another size of messages}
  ///
  /// @param bytes from 1 to 256 MiB
  /// @throws IllegalArgumentException if it is another number
  public ClusterLimits withMessageBytes(int bytes) {
    return new ClusterLimits(bytes, join, leave, answer, silence, lease);
  }

  /// {@return the same with another time}
  ///
  /// @param which of the times
  /// @param time in the range of that time, see above
  /// @throws IllegalArgumentException if it is out of its range
  public ClusterLimits with(Time which, Duration time) {
    requireNonNull(which, "which is null");
    requireNonNull(time, "time is null");
    return new ClusterLimits(
        messageBytes,
        which == Time.JOIN ? time : join,
        which == Time.LEAVE ? time : leave,
        which == Time.ANSWER ? time : answer,
        which == Time.SILENCE ? time : silence,
        which == Time.LEASE ? time : lease);
  }
}
