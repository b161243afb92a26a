package dev.rondo.simulation;

import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import dev.rondo.simulation.Chaos.Faults;
import dev.rondo.simulation.Chaos.Kind;
import dev.rondo.simulation.internal.net.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The faults of a [Chaos] in a world, as events of its timeline: when each begins and ends, and
/// which hosts it concerns. [ChaosEffects] has its effects.
///
/// Confined to the world's thread.
final class WorldChaos {

  /// One of so many faults that could begin does, so that each is a choice that can be 0, which is
  /// none. So much more often they could begin.
  private static final int BEGINS_ONE_IN = 2;

  /// A fault amid work begins after up to 2 to the power of this less one steps.
  private static final int STEPS_BITS = 7;

  /// Draws when faults of a kind begin, which hosts they concern, and how long they last.
  private final class Source {

    private final Faults faults;

    /// A part of the run of its own, so that shrinking can leave out all faults of a kind and keep
    /// those of the others as they are.
    private final RandomGenerator random;

    /// The hosts of the faults that are under way.
    private final Set<WorldHost> struck = new HashSet<>();

    /// Null if no event is planned.
    private Timeline.@Nullable Event next;

    Source(Faults faults, RandomGenerator random) {
      this.faults = faults;
      this.random = random;
      plan();
    }

    private void plan() {
      double drawn = random.nextDouble();
      next =
          drawn == 0
              ? null
              : after(exponential(drawn, faults.every()) / BEGINS_ONE_IN, this::happen);
    }

    private void happen() {
      plan();
      if (random.nextInt(BEGINS_ONE_IN) > 0) {
        List<WorldHost> candidates = faults.kind().impairs() ? healthy() : new ArrayList<>(hosts);
        int most = faults.kind().impairs() ? room(candidates) : 1;
        candidates.removeAll(struck);
        if (Math.min(most, candidates.size()) > 0) {
          beginIn(drawSteps(), drawFrom(candidates, faults.kind() == Kind.PARTITION ? most : 1));
        }
      }
    }

    /// {@return mostly few; none if the fault begins at once}
    private int drawSteps() {
      return faults.amidWork() ? random.nextInt(1 << random.nextInt(STEPS_BITS)) : 0;
    }

    /// @param steps of the first host from now on
    private void beginIn(int steps, Set<WorldHost> group) {
      if (steps == 0) {
        begin(group);
        return;
      }
      WorldHost first = group.iterator().next();
      first.afterSteps(
          steps,
          () -> {
            if (!mayBegin(group)) {
              return null;
            }
            if (faults.kind().isDeadly()) {
              return () -> {
                if (mayBegin(group)) {
                  begin(group);
                }
              };
            }
            begin(group);
            return null;
          });
    }

    /// Whether the rules allow what they allowed some steps ago.
    private boolean mayBegin(Set<WorldHost> group) {
      if (group.stream().anyMatch(struck::contains)) {
        return false;
      }
      List<WorldHost> healthy = healthy();
      return !faults.kind().impairs()
          || (healthy.containsAll(group) && group.size() <= room(healthy));
    }

    /// Removes hosts: at least one, and not all of the world.
    private Set<WorldHost> drawFrom(List<WorldHost> candidates, int most) {
      var group = new LinkedHashSet<WorldHost>();
      int choice = Math.min(most, Math.min(candidates.size(), world.hosts().size() - 1));
      for (int left = 1 + random.nextInt(Math.max(1, choice)); left > 0; left--) {
        group.add(candidates.remove(random.nextInt(candidates.size())));
      }
      return group;
    }

    private void begin(Set<WorldHost> group) {
      Runnable end = effects.begin(faults, group, random);
      trace("", group);
      struck.addAll(group);
      double length = exponential(1 - random.nextDouble(), faults.lasting());
      active.add(
          new Active(
              length,
              () -> {
                end.run();
                struck.removeAll(group);
                trace("end of ", group);
              }));
    }

    private void trace(String prefix, Set<WorldHost> group) {
      String what = prefix + faults.kind();
      if (faults.kind().stopsProgram()) {
        return; // a call of a host, which is in the trace already
      }
      if (group.size() == 1) {
        driver.trace().addFault(group.iterator().next(), what);
      } else {
        driver.trace().addFault(what + " of " + names(group));
      }
    }

    boolean cutsOff(WorldHost host) {
      return faults.kind().cutsOff() && struck.contains(host);
    }

    void stop() {
      if (next != null) {
        next.cancel();
      }
    }
  }

  /// A fault until it ends.
  private final class Active {

    private final Runnable undo;
    private final Timeline.Event due;

    Active(double nanos, Runnable undo) {
      this.undo = undo;
      this.due = after(nanos, this::end);
    }

    void end() {
      due.cancel();
      active.remove(this);
      undo.run();
    }
  }

  private final World world;
  private final WorldDriver driver;
  private final ChaosEffects effects;
  private final List<WorldHost> hosts;
  private final int mostDown;
  private final List<Active> active = new ArrayList<>();
  private final List<Source> sources;

  /// Plans the first fault of each kind.
  ///
  /// @param firstPart a number among the parts of the run, and those after it: one for each kind
  /// @throws IllegalArgumentException if the rules do not fit the world
  /// @throws UnsupportedOperationException if a host cannot crash
  WorldChaos(World world, WorldDriver driver, Chaos chaos, Choices choices, int firstPart) {
    this.world = world;
    this.driver = driver;
    effects = new ChaosEffects(world);
    hosts = chaos.hostsAmong(world.hosts());
    mostDown = chaos.mostDownOf(hosts.size());
    chaos.faults().forEach(each -> requirePossible(each.kind()));
    var all = new ArrayList<Source>();
    for (Faults each : chaos.faults()) {
      all.add(new Source(each, choices.generator(ChoiceKind.FAULT, firstPart + all.size())));
    }
    sources = List.copyOf(all);
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
    if (kind.needsLinks() && world.hosts().size() == 1) {
      throw new IllegalArgumentException(kind + " need two hosts");
    }
    if (kind.isDeadly()) {
      hosts.forEach(WorldHost::requireMortal);
    }
  }

  // Chance.

  /// {@return nanoseconds, exponentially distributed}
  ///
  /// @param drawn uniformly, more than 0, at most 1; the greater, the less is returned
  private static double exponential(double drawn, Duration mean) {
    return -StrictMath.log(drawn) * TimeUnit.NANOSECONDS.convert(mean);
  }

  private Timeline.Event after(double nanos, Runnable action) {
    return driver.plans().after(Math.max(1, Math.round(nanos)), action);
  }

  // The rules.

  private boolean isImpaired(WorldHost host) {
    return !host.isUp() || host.isPaused() || world.isCutOff(host);
  }

  /// {@return whether one of these faults cuts a host off}
  boolean cutsOff(WorldHost host) {
    return sources.stream().anyMatch(source -> source.cutsOff(host));
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

  private static String names(Collection<WorldHost> group) {
    return group.stream().map(WorldHost::toString).collect(Collectors.joining(", "));
  }

  /// Ends all faults, and lets none begin.
  void heal() {
    sources.forEach(Source::stop);
    hosts.forEach(WorldHost::forgetSteps);
    List.copyOf(active).forEach(Active::end);
  }
}
