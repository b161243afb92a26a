package dev.rondo.simulation;

import dev.rondo.exploration.Choices;
import dev.rondo.scheduler.observe.ReportText;
import dev.rondo.simulation.Chaos.Faults;
import dev.rondo.simulation.Chaos.Kind;
import dev.rondo.simulation.internal.net.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The faults of a [Chaos] in a world, as events of its timeline.
///
/// Confined to the world's thread.
final class WorldChaos {

  /// Draws when faults of a kind begin, which hosts they concern, and how long they last.
  private final class Source {

    private final Faults faults;
    private Timeline.Event next;

    Source(Faults faults) {
      this.faults = faults;
      this.next = plan();
    }

    private Timeline.Event plan() {
      return driver.plans().after(draw(faults.every()), this::happen);
    }

    /// From an exponential distribution.
    private long draw(Duration mean) {
      long nanos = TimeUnit.NANOSECONDS.convert(mean);
      return Math.max(1, Math.round(choices.nextExponential() * nanos));
    }

    private void happen() {
      next = plan();
      switch (faults.kind()) {
        case PARTITION -> partition();
        case CRASH -> onHost(WorldHost::crash, WorldChaos::restart);
        case POWER_FAILURE -> onHost(WorldHost::powerOff, WorldChaos::restart);
        case PAUSE -> onHost(WorldHost::pause, WorldChaos::resume);
        case CLOCK_SKEW -> skew();
      }
    }

    private void onHost(Consumer<WorldHost> begin, Consumer<WorldHost> end) {
      List<WorldHost> healthy = healthy();
      if (room(healthy) > 0) {
        WorldHost host = drawFrom(healthy);
        begin.accept(host);
        lasts(() -> end.accept(host));
      }
    }

    private void partition() {
      List<WorldHost> healthy = healthy();
      int most = Math.min(room(healthy), world.hosts().size() - 1);
      if (most > 0) {
        var group = new LinkedHashSet<WorldHost>();
        for (int left = 1 + choices.nextInt(most); left > 0; left--) {
          group.add(drawFrom(healthy));
        }
        lasts(isolate(group));
      }
    }

    private void skew() {
      List<WorldHost> correct = new ArrayList<>(hosts);
      correct.removeAll(skewed);
      if (!correct.isEmpty()) {
        long most = TimeUnit.NANOSECONDS.convert(faults.most());
        Duration by = Duration.ofNanos(choices.nextLong(-most, most));
        lasts(changeClock(drawFrom(correct), by));
      }
    }

    /// Removes one.
    private WorldHost drawFrom(List<WorldHost> some) {
      return some.remove(choices.choose(some.size()));
    }

    private void lasts(Runnable undo) {
      active.add(new Active(draw(faults.lasting()), undo));
    }

    void stop() {
      next.cancel();
    }
  }

  /// A fault until it ends.
  private final class Active {

    private final Runnable undo;
    private final Timeline.Event due;

    Active(long nanos, Runnable undo) {
      this.undo = undo;
      this.due = driver.plans().after(nanos, this::end);
    }

    void end() {
      due.cancel();
      active.remove(this);
      undo.run();
    }
  }

  private final World world;
  private final WorldDriver driver;
  private final Choices choices;
  private final List<WorldHost> hosts;
  private final int mostDown;
  private final List<Active> active = new ArrayList<>();
  private final Set<WorldHost> cutOff = new HashSet<>();
  private final Set<WorldHost> skewed = new HashSet<>();
  private final List<Source> sources;

  /// Plans the first fault of each kind.
  ///
  /// @throws IllegalArgumentException if the rules do not fit the world
  /// @throws UnsupportedOperationException if a host cannot crash
  WorldChaos(World world, WorldDriver driver, Chaos chaos, Choices choices) {
    this.world = world;
    this.driver = driver;
    this.choices = choices;
    hosts = chaos.hostsAmong(world.hosts());
    mostDown = chaos.mostDownOf(hosts.size());
    chaos.faults().forEach(each -> requirePossible(each.kind()));
    sources = chaos.faults().stream().map(each -> new Source(each)).toList();
  }

  private void requirePossible(Kind kind) {
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("chaos needs hosts: add them to the world before");
    }
    if (kind.impairs() && mostDown == 0) {
      throw new IllegalArgumentException(
          "no host may be down, so there can be no %s: set atMostDown(..), which is 0 of %d hosts"
              .formatted(kind, hosts.size()));
    }
    if (kind == Kind.PARTITION && world.hosts().size() == 1) {
      throw new IllegalArgumentException("partitions need two hosts");
    }
    if (kind.isDeadly()) {
      hosts.forEach(WorldHost::requireMortal);
    }
  }

  // The rules.

  private boolean isImpaired(WorldHost host) {
    return !host.isUp() || host.isPaused() || cutOff.contains(host);
  }

  private List<WorldHost> healthy() {
    return hosts.stream()
        .filter(each -> !isImpaired(each))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /// {@return how many of the healthy hosts may fail}
  private int room(List<WorldHost> healthy) {
    int impaired = hosts.size() - healthy.size();
    return Math.min(mostDown - impaired, healthy.size());
  }

  // Faults. Those that are calls of a host are in the trace already.

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

  /// {@return what ends it}
  private Runnable isolate(Set<WorldHost> group) {
    List<WorldHost> others = new ArrayList<>(world.hosts());
    others.removeAll(group);
    SimulatedLinks between = world.network().links(simulated(group), simulated(others));
    between.block();
    cutOff.addAll(group);
    driver.trace().addFault("partition, cut off: " + names(group));
    return () -> {
      between.unblock();
      cutOff.removeAll(group);
      driver.trace().addFault("end of partition, cut off were: " + names(group));
    };
  }

  private static List<SimulatedHost> simulated(Iterable<WorldHost> some) {
    var all = new ArrayList<SimulatedHost>();
    some.forEach(each -> all.add(each.simulated()));
    return all;
  }

  private static String names(Set<WorldHost> group) {
    return group.stream().map(WorldHost::toString).collect(Collectors.joining(", "));
  }

  /// {@return what ends it}
  private Runnable changeClock(WorldHost host, Duration by) {
    HostClock clock = host.clock();
    Duration before = clock.offset();
    var _ = clock.offset(before.plus(by));
    skewed.add(host);
    driver
        .trace()
        .addFault(
            "clock skew of %s: %s%s"
                .formatted(host, by.isNegative() ? "-" : "", ReportText.duration(by.abs())));
    return () -> {
      var _ = clock.offset(before);
      skewed.remove(host);
      driver.trace().addFault("end of clock skew of " + host);
    };
  }

  /// Ends all faults, and lets none begin.
  void heal() {
    sources.forEach(Source::stop);
    List.copyOf(active).forEach(Active::end);
  }
}
