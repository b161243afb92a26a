package dev.rondo.simulation.internal.net;

/// What happens to a packet between two hosts.
public interface Link {

  /// The packet is lost.
  long LOST = -1;

  /// {@return how long a packet takes from now on, in nanoseconds, or [#LOST]}
  ///
  /// @param bytes how long it is
  long travelNanos(int bytes);

  /// {@return whether the network delivers the packet a second time}
  default boolean duplicates() {
    return false;
  }
}
