package dev.rondo.io.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// Two connected sockets: this side's, which does not block, and the peer's, which does.
record Pair(SocketChannel ours, SocketChannel peer) implements AutoCloseable {

  static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  static Pair tcp() throws IOException {
    try (var listener = ServerSocketChannel.open().bind(ANYWHERE)) {
      return of(listener, listener.getLocalAddress());
    }
  }

  static Pair unix(Path folder) throws IOException {
    var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address)) {
      return of(listener, address);
    }
  }

  private static Pair of(ServerSocketChannel listener, SocketAddress address) throws IOException {
    SocketChannel ours = SocketChannel.open(address);
    ours.configureBlocking(false);
    return new Pair(ours, listener.accept());
  }

  void peerWrites(byte[] bytes) throws IOException {
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      assertEquals(buffer.remaining(), peer.write(buffer));
    }
  }

  byte[] peerReads(int bytes) throws IOException {
    var buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining() && peer.read(buffer) >= 0) {}
    assertEquals(bytes, buffer.position());
    return buffer.array();
  }

  /// Over loopback the reset arrives at once.
  void peerBreaks() throws IOException {
    peer.setOption(StandardSocketOptions.SO_LINGER, 0);
    peer.close();
  }

  @Override
  public void close() throws IOException {
    ours.close();
    peer.close();
  }
}
