package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.net.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// A packet that passes a [SimulatedProxy].
///
/// @param kind what it is
/// @param source where it comes from
/// @param target where it goes to
/// @param data the program's bytes in it, read-only, for the duration of the proxy's call
public record SimulatedPacket(
    Kind kind, InetSocketAddress source, InetSocketAddress target, ByteBuffer data) {

  /// The kinds of packets.
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

  /// For the network.
  public SimulatedPacket {
    requireNonNull(kind, "kind is null");
    requireNonNull(source, "source is null");
    requireNonNull(target, "target is null");
    requireNonNull(data, "data is null");
  }

  static SimulatedPacket of(Packet packet) {
    return new SimulatedPacket(
        Kind.valueOf(packet.kind().name()), packet.source(), packet.target(), packet.data());
  }

  /// {@return the program's bytes in it, each time from the first one on}
  @Override
  public ByteBuffer data() {
    return data.asReadOnlyBuffer();
  }

  @Override
  public String toString() {
    return "%s from %s to %s, %d bytes".formatted(kind, source, target, data.remaining());
  }
}
