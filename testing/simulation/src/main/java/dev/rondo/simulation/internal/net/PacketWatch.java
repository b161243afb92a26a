package dev.rondo.simulation.internal.net;

/// Sees every packet that one host sends to another.
@FunctionalInterface
public interface PacketWatch {

  /// A packet is about to be sent.
  ///
  /// @param packet as the kernel has made it
  /// @param from the sender
  /// @param to another host
  /// @return the packet to send: the same, or one that says when it arrives or is lost
  Packet passing(Packet packet, Host from, Host to);
}
