package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The receiving half of a UDP socket.
///
/// The system truncates a datagram to the buffer it is given, and the JDK does not report that. So
/// a small buffer is replaced by the loop's own buffer, which has room for any datagram, and the
/// bytes are copied from there.
///
/// @param <D> the description of a received datagram
public final class DatagramReceiver<D> extends Direction {

  /// Creates the description of a received datagram.
  ///
  /// @param <D> the description
  @FunctionalInterface
  public interface DatagramFactory<D> {

    /// {@return the description}
    ///
    /// @param sender where the datagram came from
    /// @param bytes how long it was
    /// @param truncated whether the buffer was too small for it
    D create(InetSocketAddress sender, int bytes, boolean truncated);
  }

  /// The length field of UDP has 16 bits.
  static final int LARGEST_BYTES = 1 << 16;

  private final DatagramChannel channel;
  private final DatagramFactory<D> factory;
  private ByteBuffer target = StreamWriter.NOTHING;
  private @Nullable D received;

  /// Nothing is received yet.
  ///
  /// @param channel bound
  /// @param registration the channel's
  /// @param factory creates the descriptions
  public DatagramReceiver(
      DatagramChannel channel, ChannelRegistration registration, DatagramFactory<D> factory) {
    super(registration, SelectionKey.OP_READ);
    this.channel = channel;
    this.factory = factory;
  }

  /// Receives a datagram.
  ///
  /// @param dst where to
  /// @return its description
  /// @throws IOException if this side has closed the socket, or the system fails
  public D receive(ByteBuffer dst) throws IOException {
    requireWritable(dst);
    begin();
    target = dst;
    received = null;
    try {
      await(this);
      return Objects.requireNonNull(received, "received is null");
    } finally {
      target = StreamWriter.NOTHING;
      end();
    }
  }

  private void requireWritable(ByteBuffer dst) {
    Objects.requireNonNull(dst, "dst is null");
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException(
          this + ": the buffer must not be read-only: dst=" + dst, new ReadOnlyBufferException());
    }
  }

  @Override
  boolean attempt() throws IOException {
    received = receiveInto(target);
    return received != null;
  }

  private @Nullable D receiveInto(ByteBuffer dst) throws IOException {
    ByteBuffer any = dst.remaining() >= LARGEST_BYTES ? dst : registration.reactor.datagramBuffer();
    int before = any.position();
    var sender = (InetSocketAddress) channel.receive(any);
    if (sender == null) {
      return null;
    }
    int bytes = any.position() - before;
    int room = dst.remaining();
    if (any != dst) {
      dst.put(any.flip().limit(Math.min(bytes, room)));
    }
    return factory.create(sender, bytes, any != dst && bytes > room);
  }

  @Override
  public String toString() {
    return "receive at " + registration;
  }

  // Receiving as a branch of a choice.

  /// {@return a wait that receives a datagram}
  ///
  /// @param dst where to
  public Waitable<D> receiving(ByteBuffer dst) {
    requireWritable(dst);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new ReceiveWait(dst);
      return wait.map(ignored -> wait.taken());
    });
  }

  private final class ReceiveWait extends ChannelWait {

    private final ByteBuffer dst;
    private @Nullable D got;

    ReceiveWait(ByteBuffer dst) {
      super(DatagramReceiver.this.registration, SelectionKey.OP_READ);
      this.dst = dst;
    }

    @Override
    boolean attempt() throws IOException {
      got = receiveInto(dst);
      return got != null;
    }

    D taken() {
      D datagram = ChannelWait.result(this, got);
      if (datagram == null) {
        throw new AssertionError("received nothing: " + this);
      }
      return datagram;
    }

    @Override
    public String toString() {
      return DatagramReceiver.this.toString();
    }
  }
}
