package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// A packet on a link. It is run when it arrives at its host: once, twice or not at all.
public abstract class Packet implements Runnable {

  /// The kinds of packets.
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

  /// One that an onlooker watches.
  private static final class Watched extends Packet {

    private final Packet packet;
    private final Runnable arrives;
    private final Consumer<? super String> isLost;

    Watched(Packet packet, Runnable arrives, Consumer<? super String> isLost) {
      super(packet.to);
      this.packet = packet;
      this.arrives = arrives;
      this.isLost = isLost;
    }

    @Override
    public Kind kind() {
      return packet.kind();
    }

    @Override
    public InetSocketAddress source() {
      return packet.source();
    }

    @Override
    public InetSocketAddress target() {
      return packet.target();
    }

    @Override
    public ByteBuffer data() {
      return packet.data();
    }

    @Override
    void arrived() {
      arrives.run();
      packet.arrived();
    }

    @Override
    void lost(String why) {
      isLost.accept(why);
    }
  }

  private final Host to;

  /// @param to where it is going
  Packet(Host to) {
    this.to = to;
  }

  /// {@return the host where it is going}
  final Host to() {
    return to;
  }

  /// {@return what it is, for an onlooker}
  public abstract Kind kind();

  /// {@return where it comes from}
  public abstract InetSocketAddress source();

  /// {@return where it goes to}
  public abstract InetSocketAddress target();

  /// {@return the program's bytes in it; the position must not be moved}
  public abstract ByteBuffer data();

  /// It has arrived at its host, which is up.
  abstract void arrived();

  /// It does not arrive.
  ///
  /// @param why in words
  void lost(String why) {}

  /// It arrives.
  @Override
  public final void run() {
    if (to.isUp()) {
      arrived();
    } else {
      lost("the host is off");
    }
  }

  /// {@return the same packet for an onlooker}
  ///
  /// @param arrives runs when it arrives, before what that does
  /// @param isLost receives why it does not arrive
  public Packet watched(Runnable arrives, Consumer<? super String> isLost) {
    return new Watched(this, arrives, isLost);
  }

  /// {@return how many bytes it has on the wire}
  long length() {
    return (long) kind().headers + data().remaining();
  }
}
