package dev.rondo.examples.replicatedlog;

import org.jspecify.annotations.Nullable;

/// The content of a log entry.
sealed interface Command {

  /// A command that a client may send more than once, because an answer was lost. It is applied
  /// once: the session remembers the last sequence number and its answer.
  sealed interface InSession extends Command {
    long session();

    long sequence();
  }

  /// The first entry of each leader.
  record Nothing() implements Command {}

  record OpenSession() implements Command {}

  record Put(long session, long sequence, String key, String value) implements InSession {}

  /// Sets a value in place of another.
  ///
  /// @param expected null if there must be no value
  record CompareAndSet(
      long session, long sequence, String key, @Nullable String expected, String value)
      implements InSession {}
}
