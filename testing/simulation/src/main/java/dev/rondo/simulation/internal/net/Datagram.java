package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// A packet of UDP on its way, or the answer that nothing takes it.
final class Datagram extends Packet {

  private final Kind kind;
  private final InetSocketAddress source;
  private final InetSocketAddress target;
  private final ByteBuffer data;
  private final Runnable arrival;

  /// @param to the host of the receiver
  /// @param data for onlookers
  /// @param arrival what its arrival does
  Datagram(
      Host to,
      Kind kind,
      InetSocketAddress source,
      InetSocketAddress target,
      ByteBuffer data,
      Runnable arrival) {
    super(to);
    this.kind = kind;
    this.source = source;
    this.target = target;
    this.data = data;
    this.arrival = arrival;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public InetSocketAddress source() {
    return source;
  }

  @Override
  public InetSocketAddress target() {
    return target;
  }

  @Override
  public ByteBuffer data() {
    return data;
  }

  @Override
  void arrived() {
    arrival.run();
  }
}
