package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;

/// Makes the segments of a TCP connection, and sends them.
final class TcpSender {

  private final Host host;
  private final TcpAddresses addresses;
  private final Inbound in;

  /// @param in what the segments acknowledge
  TcpSender(Host host, TcpAddresses addresses, Inbound in) {
    this.host = host;
    this.addresses = addresses;
    this.in = in;
  }

  /// Sends a segment, if the connection has a peer; it may get lost.
  ///
  /// @return false if no host has the address of the peer
  boolean send(int flags, long sequence, ByteBuffer data) {
    Flow flow = addresses.flow();
    if (flow == null) {
      return true;
    }
    Host peer = addresses.peerHost();
    if (peer != null) {
      long room = in.promise();
      var segment = new Segment(peer, flow, flags, sequence, in.expected(), room, data);
      host.network().send(host, segment);
    }
    return peer != null;
  }

  /// Draws how many bytes the next segment takes.
  ///
  /// @param most at least 1
  int bytesOfSegment(int most) {
    Host peer = addresses.peerHost();
    return peer == null || peer == host
        ? most
        : host.network().link(host, peer).bytesOfPacket(most);
  }

  /// Tells the peer, if there is one, that the connection is no more.
  void reset(long sequence) {
    Flow flow = addresses.flow();
    Host peer = addresses.peerHost();
    if (flow != null && peer != null) {
      host.network().send(host, Segment.reset(peer, flow, sequence));
    }
  }
}
