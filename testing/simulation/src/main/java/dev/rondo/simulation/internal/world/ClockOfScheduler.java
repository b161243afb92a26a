package dev.rondo.simulation.internal.world;

import dev.rondo.simulation.internal.net.Clock;
import dev.rondo.time.VirtualClock;
import java.time.Duration;

/// The virtual clock of a scheduler as the time of a network.
///
/// @param clock which one
public record ClockOfScheduler(VirtualClock clock) implements Clock {

  @Override
  public long nanos() {
    return clock.elapsed().toNanos();
  }

  @Override
  public void advanceTo(long nanos) {
    clock.skip(Duration.ofNanos(nanos - nanos()));
  }
}
