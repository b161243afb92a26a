package dev.rondo.examples.replicatedlog;

import java.util.Map;

/// The state of the store after the entries up to a position.
///
/// @param sessions in the order of their last use
record Snapshot(Position last, Map<String, String> values, Map<Long, Session> sessions) {

  static final Snapshot EMPTY = new Snapshot(Position.START, Map.of(), Map.of());

  /// The session of a client.
  ///
  /// @param sequence of its last command
  /// @param applied the answer to that command
  record Session(long sequence, boolean applied) {}
}
