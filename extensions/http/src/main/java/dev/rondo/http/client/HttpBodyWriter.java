package dev.rondo.http.client;

import java.io.OutputStream;

/// Writes the body of a request while it is sent.
@FunctionalInterface
public interface HttpBodyWriter {

  /// Writes the body, in a task of its own. The body ends when this returns. A write suspends until
  /// the server makes room, and fails with an [java.io.IOException] if it has gone or is too slow.
  /// The task is cancelled if the response ends before the body.
  ///
  /// @param out sends what is written in parts of 8 KiB, and when it is flushed
  /// @throws Exception if there is no more to write; the request fails with it
  void write(OutputStream out) throws Exception;
}
