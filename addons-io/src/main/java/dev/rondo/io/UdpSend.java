package dev.rondo.io;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// The sending half of a UDP socket.
final class UdpSend extends Direction {

  /// 65,535 less the headers: of UDP, and of IP where its length includes them (RFC 768, RFC 791,
  /// RFC 8200).
  private static final int MOST_BYTES_IPV4 = 65_507;

  private static final int MOST_BYTES_IPV6 = 65_527;

  private final DatagramChannel channel;
  private ByteBuffer source = Outbound.NOTHING;
  private @Nullable InetSocketAddress target;
  private boolean sent;

  UdpSend(WaitForIO io, DatagramChannel channel, ChannelRegistration registration) {
    super(io.scheduler(), registration, SelectionKey.OP_WRITE);
    this.channel = channel;
  }

  void send(ByteBuffer src, InetSocketAddress to) throws IOException {
    int most = to.getAddress() instanceof Inet6Address ? MOST_BYTES_IPV6 : MOST_BYTES_IPV4;
    if (src.remaining() > most) {
      throw new IllegalArgumentException(
          "%s to %s: a datagram can have %,d bytes at most: bytes=%,d"
              .formatted(this, Addresses.text(to), most, src.remaining()));
    }
    if (!src.hasRemaining() && channel.isConnected()) {
      throw new IllegalArgumentException(
          this
              + ": the JDK sends no empty datagram from a connected socket: disconnect() it first");
    }
    begin();
    source = src;
    target = to;
    sent = false;
    try {
      do {
        await();
      } while (!sent); // scheduled directly: not a reason to send nothing
    } finally {
      source = Outbound.NOTHING;
      end();
    }
  }

  @Override
  boolean attempt() throws IOException {
    boolean empty = !source.hasRemaining();
    try {
      // For an empty one the JDK answers 0 in both cases; there is always room for it, nearly.
      sent = channel.send(source, target) > 0 || empty;
    } catch (AlreadyConnectedException e) {
      throw new IllegalStateException(
          this + ": it is connected to " + channel.getRemoteAddress() + " and not to " + text(), e);
    }
    return sent;
  }

  @Override
  IOException translated(IOException e) {
    return Failures.of(this + " to " + text() + ": bytes=" + source.remaining(), e);
  }

  private String text() {
    InetSocketAddress to = target;
    return to == null ? "nobody" : Addresses.text(to);
  }

  @Override
  public String toString() {
    return "send from " + registration;
  }
}
