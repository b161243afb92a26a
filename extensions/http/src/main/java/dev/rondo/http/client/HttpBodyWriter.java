package dev.rondo.http.client;

import java.io.OutputStream;

/// Writes the body of a request while it is sent.
@FunctionalInterface
public interface HttpBodyWriter {

  /// Writes the body, in a task of its own. The body ends when this method returns. A write
  /// suspends until the server makes room, and fails with an [java.io.IOException] if the server
  /// has gone or is too slow. The task is cancelled if the response ends before the body.
  ///
  /// @param out sends the written bytes in parts of 8 KiB, and at each flush
  /// @throws Exception if the body cannot be completed; the request fails with this exception
  void write(OutputStream out) throws Exception;
}
