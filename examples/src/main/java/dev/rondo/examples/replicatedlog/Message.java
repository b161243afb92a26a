package dev.rondo.examples.replicatedlog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages between replicas and clients. Each request has one answer.
sealed interface Message {

  // Between replicas.

  sealed interface PeerRequest extends Message {}

  /// Every answer has the term of the replica that gives it.
  sealed interface PeerReply extends Message {
    long term();
  }

  /// Asks for a vote.
  ///
  /// @param trial asks whether the peer would vote, before the term is raised: a replica that was
  ///   cut off does not disturb the others when it comes back (thesis, 9.6)
  record VoteRequest(long term, int candidate, Position last, boolean trial)
      implements PeerRequest {}

  record VoteReply(long term, boolean granted) implements PeerReply {}

  /// Entries of a leader; without entries it is a heartbeat.
  ///
  /// @param previous the position before the entries
  /// @param commit the index up to which the leader has committed
  record AppendRequest(long term, int leader, Position previous, long commit, List<Entry> entries)
      implements PeerRequest {}

  record InstallRequest(long term, int leader, Snapshot snapshot) implements PeerRequest {}

  /// The present state of a follower's log.
  ///
  /// @param index if successful, the index up to which both logs agree on disk; otherwise the last
  ///   index at which they may agree
  record AppendReply(long term, boolean successful, long index) implements PeerReply {}

  // Between clients and replicas.

  record Propose(Command command) implements Message {}

  record Read(String key) implements Message {}

  sealed interface Answer extends Message {}

  record Opened(long session) implements Answer {}

  /// The answer to a change.
  ///
  /// @param applied false if a comparison failed
  record Written(boolean applied) implements Answer {}

  record Found(@Nullable String value) implements Answer {}

  /// The replica is not the leader. It is unknown whether a proposed command will be applied.
  ///
  /// @param leader [Members#NONE] if that is unknown
  record NotLeader(int leader) implements Answer {}

  /// Too many other sessions were used since.
  record Expired() implements Answer {}
}
