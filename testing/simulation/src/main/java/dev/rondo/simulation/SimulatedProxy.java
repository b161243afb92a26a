package dev.rondo.simulation;

import java.time.Duration;
import java.util.List;

/// Looks at the packets of a [SimulatedLinks], and drops, delays or repeats them.
@FunctionalInterface
public interface SimulatedProxy {

  /// The packet is sent as it is.
  List<Duration> SEND = List.of(Duration.ZERO);

  /// The packet is lost. TCP sends it again, and the copy passes the proxy, too.
  List<Duration> DROP = List.of();

  /// A packet is about to be sent.
  ///
  /// @param packet which one
  /// @return for each copy of it that is sent, how long it is kept before, at least zero:
  ///   `List.of(ofMillis(5))` delays it
  List<Duration> passes(SimulatedPacket packet);
}
