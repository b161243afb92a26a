package dev.rondo.io.internal.channel;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// The sending half of a UDP socket.
public final class DatagramSender extends Direction {

  /// 65,535 minus the headers: that of UDP, and that of IP where the length includes it (RFC 768,
  /// RFC 791, RFC 8200).
  private static final int MAX_BYTES_IPV4 = 65_507;

  private static final int MAX_BYTES_IPV6 = 65_527;

  private final DatagramChannel channel;
  private ByteBuffer source = StreamWriter.NOTHING;
  private @Nullable InetSocketAddress target;
  private boolean sent;

  /// Nothing is sent yet.
  ///
  /// @param channel bound
  /// @param registration the channel's
  public DatagramSender(DatagramChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_WRITE);
    this.channel = channel;
  }

  /// Sends a datagram.
  ///
  /// @param src what is left of it
  /// @param to resolved
  /// @throws IOException if this side has closed the socket, or the system refuses
  public void send(ByteBuffer src, InetSocketAddress to) throws IOException {
    int max = to.getAddress() instanceof Inet6Address ? MAX_BYTES_IPV6 : MAX_BYTES_IPV4;
    if (src.remaining() > max) {
      throw new IllegalArgumentException(
          "%s to %s: a datagram can have %,d bytes at most: bytes=%,d"
              .formatted(this, Addresses.text(to), max, src.remaining()));
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
      await(this);
    } finally {
      source = StreamWriter.NOTHING;
      end();
    }
  }

  @Override
  boolean attempt() throws IOException {
    boolean empty = !source.hasRemaining();
    try {
      // For an empty datagram the JDK returns 0 whether it was sent or not; it nearly always is.
      sent = channel.send(source, target) > 0 || empty;
    } catch (AlreadyConnectedException e) {
      throw new IllegalStateException(
          this + ": it is connected to " + channel.getRemoteAddress() + " and not to " + text(), e);
    }
    return sent;
  }

  @Override
  IOException translated(IOException e) {
    return failures().of(this + " to " + text() + ": bytes=" + source.remaining(), e);
  }

  private String text() {
    InetSocketAddress to = target;
    return to == null ? "no target" : Addresses.text(to);
  }

  @Override
  public String toString() {
    return "send from " + registration;
  }
}
