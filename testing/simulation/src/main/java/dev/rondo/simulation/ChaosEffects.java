package dev.rondo.simulation;

import dev.rondo.simulation.Chaos.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;

/// The effects of the faults of a [Chaos]. They come on top of the settings of the test, and leave
/// them as they are when they end.
///
/// Confined to the world's thread.
final class ChaosEffects {

  private final World world;

  ChaosEffects(World world) {
    this.world = world;
  }

  /// Begins a fault.
  ///
  /// @param group the hosts that it concerns: one, or several that are parted from the others
  /// @param random draws what there is to choose
  /// @return what ends it
  Runnable begin(Faults faults, Collection<WorldHost> group, RandomGenerator random) {
    WorldHost host = group.iterator().next();
    double size = faults.size();
    return switch (faults.kind()) {
      case PARTITION -> linksOf(group).block();
      case ONE_WAY_CUT -> oneWay(host, random.nextInt(2) == 0).block();
      case HOLD -> linksOf(group).stop();
      case LOSS -> linksOf(group).disturb(it -> it.loss(either(it.loss(), size)));
      case DUPLICATION ->
          linksOf(group).disturb(it -> it.duplication(either(it.duplication(), size)));
      case SPLIT -> linksOf(group).disturb(it -> it.splitting(either(it.splitting(), size)));
      case LATENCY_SPIKE ->
          linksOf(group).disturb(it -> it.jitter(it.jitterNanos() + Math.round(size)));
      case SLOW_LINK ->
          linksOf(group)
              .disturb(it -> it.bandwidth(Math.min(it.bytesPerSecond(), Math.round(size))));
      case CRASH -> {
        host.crash();
        yield () -> restart(host);
      }
      case POWER_FAILURE -> {
        host.powerOff();
        yield () -> restart(host);
      }
      case PAUSE -> {
        host.pause();
        yield () -> resume(host);
      }
      case CLOCK_SKEW -> changeClock(host, Math.round(size), random);
      case DISK_ERROR -> {
        Runnable reads = host.disk().failing(DiskOperation.READ, size);
        Runnable writes = host.disk().failing(DiskOperation.WRITE, size);
        yield () -> {
          reads.run();
          writes.run();
        };
      }
      case FORCE_FAILURE -> host.disk().failing(DiskOperation.FORCE, size);
      case FULL_DISK -> host.disk().fill();
      case SLOW_DISK -> host.disk().slowDown(Math.round(size));
    };
  }

  // Links.

  private SimulatedLinks linksOf(Collection<WorldHost> group) {
    return world.network().links(simulated(group), simulated(allBut(group)));
  }

  private SimulatedLinks oneWay(WorldHost host, boolean outwards) {
    List<SimulatedHost> own = simulated(List.of(host));
    List<SimulatedHost> others = simulated(allBut(List.of(host)));
    return outwards ? world.network().oneWay(own, others) : world.network().oneWay(others, own);
  }

  private List<WorldHost> allBut(Collection<WorldHost> group) {
    List<WorldHost> others = new ArrayList<>(world.hosts());
    others.removeAll(group);
    return others;
  }

  private static List<SimulatedHost> simulated(Collection<WorldHost> some) {
    return some.stream().map(WorldHost::simulated).toList();
  }

  /// {@return the part of two that are independent}
  private static double either(double one, double other) {
    return 1 - (1 - one) * (1 - other);
  }

  // Programs, which the test may have started again meanwhile.

  private static void restart(WorldHost host) {
    if (!host.isUp()) {
      host.restart();
    }
  }

  private static void resume(WorldHost host) {
    if (host.isPaused()) {
      host.resume();
    }
  }

  // Clocks.

  private static Runnable changeClock(WorldHost host, long mostNanos, RandomGenerator random) {
    Duration drawn = Duration.ofNanos(1 + random.nextLong(mostNanos));
    Duration by = random.nextInt(2) == 0 ? drawn : drawn.negated();
    return host.clock().skew(by);
  }
}
