package dev.rondo.simulation;

import dev.rondo.simulation.internal.net.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/// A packet that passes a [SimulatedProxy], which decides what becomes of it. Unless the proxy says
/// otherwise, it is sent once and at once. For the duration of the call only.
public final class SimulatedPacket {

  /// What a packet is.
  public enum Kind {
    /// Begins a TCP connection, or answers that.
    SYN,
    /// Acknowledges bytes of a TCP connection.
    ACK,
    /// Has bytes of a TCP connection.
    DATA,
    /// Ends one direction of a TCP connection.
    FIN,
    /// Resets a TCP connection.
    RST,
    /// A UDP datagram.
    DATAGRAM,
    /// Says that nothing listens at a UDP port.
    UNREACHABLE
  }

  private final Packet packet;
  private long delayNanos;
  private int copies = 1;

  SimulatedPacket(Packet packet) {
    this.packet = packet;
  }

  /// {@return what it is}
  public Kind kind() {
    return Kind.valueOf(packet.kind().name());
  }

  /// {@return where it comes from}
  public InetSocketAddress source() {
    return packet.source();
  }

  /// {@return where it goes to}
  public InetSocketAddress target() {
    return packet.target();
  }

  /// {@return the program's bytes in it, read-only}
  public ByteBuffer data() {
    return packet.data().asReadOnlyBuffer();
  }

  /// Loses it. TCP sends it again, and the copy passes the proxy, too.
  public void drop() {
    copies = 0;
  }

  /// Keeps it for a while before it is sent.
  ///
  /// @param delay at least zero
  /// @throws IllegalArgumentException if it is negative
  public void delay(Duration delay) {
    delayNanos = SimulatedLatency.nanos("delay", delay);
  }

  /// Sends it more than once.
  ///
  /// @param times how often it is sent, at least one
  /// @throws IllegalArgumentException if it is less
  public void repeat(int times) {
    if (times < 1) {
      throw new IllegalArgumentException("times must be at least 1: times=" + times);
    }
    copies = times;
  }

  long[] delays() {
    long[] delays = new long[copies];
    Arrays.fill(delays, delayNanos);
    return delays;
  }

  @Override
  public String toString() {
    return "%s from %s to %s, %d bytes"
        .formatted(kind(), source(), target(), packet.data().remaining());
  }
}
