package dev.rondo.io;

import java.nio.channels.ByteChannel;

/// A connection that carries bytes both ways: by TCP, by TLS, or within the machine. Code that
/// takes this is switched from one to another where the connection is made.
///
/// Confined to the scheduler's thread.
public interface ByteStream extends ByteSource, ByteSink, ByteChannel {

  /// {@return the peer as short text} Never a suspension point.
  String peer();
}
