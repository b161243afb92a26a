package dev.rondo.simulation;

/// Looks at the packets of a [SimulatedLinks], and drops, delays or repeats them.
@FunctionalInterface
public interface SimulatedProxy {

  /// A packet is about to be sent.
  ///
  /// @param packet decide with its methods
  void passes(SimulatedPacket packet);
}
