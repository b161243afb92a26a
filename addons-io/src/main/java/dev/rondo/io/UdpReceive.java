package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// The receiving half of a UDP socket.
///
/// The system cuts a datagram down to the buffer it is given, and the JDK does not say so. So it is
/// given one that has room for any, the loop's own, and what came is copied from there.
final class UdpReceive extends Direction {

  /// The length field of UDP has 16 bits.
  static final int LARGEST_BYTES = 1 << 16;

  private final WaitForIO io;
  private final DatagramChannel channel;
  private ByteBuffer target = Outbound.NOTHING;
  private @Nullable Datagram received;

  UdpReceive(WaitForIO io, DatagramChannel channel, ChannelRegistration registration) {
    super(io.scheduler(), registration, SelectionKey.OP_READ);
    this.io = io;
    this.channel = channel;
  }

  Datagram receive(ByteBuffer dst) throws IOException {
    requireWritable(dst);
    begin();
    target = dst;
    received = null;
    try {
      Datagram got;
      do {
        await();
        got = received;
      } while (got == null); // scheduled directly: there is nothing to return yet
      return got;
    } finally {
      target = Outbound.NOTHING;
      end();
    }
  }

  private void requireWritable(ByteBuffer dst) {
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException(
          this + ": needs a buffer that can be written to: dst=" + dst,
          new ReadOnlyBufferException());
    }
  }

  @Override
  boolean attempt() throws IOException {
    received = receiveInto(target);
    return received != null;
  }

  private @Nullable Datagram receiveInto(ByteBuffer dst) throws IOException {
    ByteBuffer any = dst.remaining() >= LARGEST_BYTES ? dst : io.datagramBuffer();
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
    return new Datagram(sender, bytes, any != dst && bytes > room);
  }

  @Override
  public String toString() {
    return "receive at " + registration;
  }

  // Receiving as a branch of a choice.

  Waitable<Datagram> receiving(ByteBuffer dst) {
    requireWritable(dst);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new Receiving(dst);
      return wait.map(ignored -> wait.taken());
    });
  }

  private final class Receiving extends ChannelWait {

    private final ByteBuffer dst;
    private @Nullable Datagram got;

    Receiving(ByteBuffer dst) {
      super(UdpReceive.this.registration, SelectionKey.OP_READ);
      this.dst = dst;
    }

    @Override
    boolean attempt() throws IOException {
      got = receiveInto(dst);
      return got != null;
    }

    Datagram taken() {
      Datagram datagram = ChannelWait.result(this, got);
      if (datagram == null) {
        throw new AssertionError("received nothing: " + this);
      }
      return datagram;
    }

    @Override
    public String toString() {
      return UdpReceive.this.toString();
    }
  }
}
