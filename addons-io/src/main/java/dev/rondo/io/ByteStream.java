package dev.rondo.io;

import java.nio.channels.ByteChannel;

/// A connection that carries bytes both ways: by TCP, by TLS, within the machine, or to a child
/// process. Code that takes a `ByteStream` runs over each of them. `TlsClient.over` and
/// `TlsServer.over` add TLS to a stream.
///
/// Confined to the scheduler's thread.
public interface ByteStream extends ByteSource, ByteSink, ByteChannel {

  /// {@return two one-way streams, such as the ends of two pipes, as one stream} Closing it closes
  /// both. Never a suspension point.
  ///
  /// @param source the stream that is read
  /// @param sink the stream that is written to
  /// @param name the peer, for messages
  static ByteStream of(ByteSource source, ByteSink sink, String name) {
    return new JoinedStream(source, sink, name);
  }
}
