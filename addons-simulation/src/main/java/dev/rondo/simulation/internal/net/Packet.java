package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// What a link carries.
///
/// @param kind what it is, for an onlooker
/// @param source where it comes from
/// @param target where it goes to
/// @param data the program's bytes in it
/// @param arrival what its arrival does
/// @param loss receives why it does not arrive
public record Packet(
    Kind kind,
    InetSocketAddress source,
    InetSocketAddress target,
    ByteBuffer data,
    Runnable arrival,
    Consumer<? super String> loss) {

  /// What a packet is.
  public enum Kind {
    /// Begins a TCP connection, or answers that.
    SYN(Kind.TCP_HEADERS),
    /// Acknowledges.
    ACK(Kind.TCP_HEADERS),
    /// Has bytes of a TCP connection.
    DATA(Kind.TCP_HEADERS),
    /// Ends one direction of a TCP connection.
    FIN(Kind.TCP_HEADERS),
    /// Resets a TCP connection.
    RST(Kind.TCP_HEADERS),
    /// A UDP datagram.
    DATAGRAM(Kind.UDP_HEADERS),
    /// Says that nothing listens at a UDP port.
    UNREACHABLE(Kind.UDP_HEADERS);

    private static final int TCP_HEADERS = 40;
    private static final int UDP_HEADERS = 28;

    private final int headers;

    Kind(int headers) {
      this.headers = headers;
    }
  }

  Packet(
      Kind kind,
      InetSocketAddress source,
      InetSocketAddress target,
      ByteBuffer data,
      Runnable arrival) {
    this(kind, source, target, data, arrival, why -> {});
  }

  /// {@return the same packet for an onlooker}
  ///
  /// @param arrives runs when it arrives, before what that does
  /// @param isLost receives why it does not arrive
  public Packet watched(Runnable arrives, Consumer<? super String> isLost) {
    Runnable watchedArrival =
        () -> {
          arrives.run();
          arrival.run();
        };
    return new Packet(kind, source, target, data, watchedArrival, isLost);
  }

  static Packet of(Segment segment, Runnable arrival) {
    Flow flow = segment.flow();
    return new Packet(kind(segment), flow.local(), flow.remote(), segment.data(), arrival);
  }

  private static Kind kind(Segment segment) {
    if (segment.has(Segment.RST)) {
      return Kind.RST;
    }
    if (segment.has(Segment.SYN)) {
      return Kind.SYN;
    }
    if (segment.has(Segment.FIN)) {
      return Kind.FIN;
    }
    return segment.data().hasRemaining() ? Kind.DATA : Kind.ACK;
  }

  /// {@return how many bytes it has on the wire}
  long length() {
    return (long) kind.headers + data.remaining();
  }
}
