package dev.rondo.examples.replicatedlog;

import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What goes wrong in a world of replicas, and when: faults of all kinds at any time, or some that
/// follow each other in an order that is known to be hard. What is drawn as zero is simple.
final class ReplicatedLogFaults {

  /// What a world is like.
  private enum Script {
    ANYTHING,
    SHORT_REIGNS,
    TWO_LEADERS,
    LATE_PACKETS
  }

  private enum Fault {
    NOTHING,
    ONLY_THE_LEADER,
    PARTITION,
    CUT_ONE_WAY,
    HOLD,
    CRASH,
    RESTART,
    POWER_OFF,
    POWER_OFF_ALL,
    PAUSE,
    DRIFT,
    FAILING_DISK,
    HEAL_NETWORK,
    HEAL_ONE,
    HEAL_ALL;

    /// What each world has. Of the others each has about half: many faults of few kinds find more
    /// than few of all.
    static final Set<Fault> ALWAYS = EnumSet.range(HEAL_NETWORK, HEAL_ALL);
  }

  // How many rounds there are on average.
  private static final int ROUNDS = 20;
  private static final int ROUNDS_OF_TWO_LEADERS = 6;

  /// In one round of so many nothing happens.
  private static final int RESTS = 16;

  private static final int MOST_DRIFT = 200_000;
  private static final Duration SHORT_PAUSE = Duration.ofMillis(50);
  private static final Duration LONG_PAUSE = Duration.ofMillis(600);
  private static final Duration TWO_REIGNS = Duration.ofMillis(1_200);
  private static final Duration STEP = Duration.ofMillis(5);

  private final World world;
  private final Choices choices;
  private final List<ReplicaHost> replicas;
  private final List<Fault> faults;

  /// Of the round under way.
  private RandomGenerator random;

  private int count;

  /// @param choices of the world
  ReplicatedLogFaults(World world, Choices choices, List<ReplicaHost> replicas) {
    this.world = world;
    this.choices = choices;
    this.random = choices;
    this.replicas = replicas;
    this.faults =
        Stream.of(Fault.values())
            .filter(each -> Fault.ALWAYS.contains(each) || random.nextBoolean())
            .toList();
  }

  /// Lets time pass, and faults happen. In the end some may be left.
  ///
  /// @param check is run now and then
  void happen(Runnable check) {
    Script script = Script.values()[random.nextInt(Script.values().length)];
    int rounds = script == Script.TWO_LEADERS ? ROUNDS_OF_TWO_LEADERS : ROUNDS;
    for (int i = 1; i <= 2 * rounds && choices.nextInt(rounds) > 0; i++) {
      random = choices.generator(ChoiceKind.FAULT, i);
      if (random.nextInt(RESTS) == 0) {
        continue;
      }
      switch (script) {
        case ANYTHING -> {
          somePass();
          somethingHappens();
        }
        case SHORT_REIGNS -> shortReign();
        case TWO_LEADERS -> twoLeaders();
        case LATE_PACKETS -> latePackets();
      }
      check.run();
    }
  }

  /// {@return how many faults have begun or ended}
  int count() {
    return count;
  }

  /// Ends all faults.
  void heal() {
    count++;
    world.network().links().heal();
    replicas.forEach(ReplicaHost::heal);
  }

  // Scripts.

  /// A leader is cut off soon after it was elected, or something else happens.
  private void shortReign() {
    awaitElection(TWO_REIGNS);
    world.runFor(upTo(SHORT_PAUSE));
    if (random.nextInt(4) == 0) {
      somethingHappens();
    } else {
      isolate(leaderOr(anyReplica()));
    }
  }

  /// A leader is cut off until there is another, and for a while after that; then the two remain
  /// parted, and all others hear both.
  private void twoLeaders() {
    ReplicaHost first = leaderOr(anyReplica());
    isolate(first);
    awaitElection(TWO_REIGNS);
    world.runFor(upTo(TWO_REIGNS));
    if (random.nextBoolean()) {
      heal();
      replicas.stream()
          .filter(each -> each != first && each.leads())
          .findFirst()
          .ifPresent(second -> cut(first, second));
    }
    world.runFor(upTo(LONG_PAUSE));
    if (random.nextBoolean()) {
      somethingHappens();
    }
    heal();
    world.runFor(upTo(LONG_PAUSE));
  }

  /// What a replica sends and what it is sent is held, and arrives when others have replaced it;
  /// then the leader is cut off.
  private void latePackets() {
    count++;
    hold(victim());
    world.runFor(upTo(LONG_PAUSE));
    world.network().links().heal();
    world.runFor(upTo(SHORT_PAUSE));
    switch (random.nextInt(3)) {
      case 0 -> isolate(leaderOr(anyReplica()));
      case 1 -> hold(victim());
      default -> somethingHappens();
    }
    world.runFor(upTo(LONG_PAUSE));
    heal();
  }

  // Time.

  /// A while; or until there is another leader, which has little time.
  private void somePass() {
    if (random.nextBoolean()) {
      world.runFor(upTo(LONG_PAUSE));
      return;
    }
    if (random.nextBoolean()) {
      awaitElection(LONG_PAUSE);
    }
    world.runFor(upTo(SHORT_PAUSE));
  }

  private void awaitElection(Duration limit) {
    long last = lastTermLed();
    for (var left = limit; left.isPositive() && lastTermLed() == last; ) {
      world.runFor(STEP);
      left = left.minus(STEP);
    }
  }

  private long lastTermLed() {
    return replicas.stream().mapToLong(ReplicaHost::lastTermLed).max().orElseThrow();
  }

  private Duration upTo(Duration most) {
    return Duration.ofNanos(1 + random.nextLong(most.toNanos()));
  }

  // Faults.

  private void somethingHappens() {
    ReplicaHost one = victim();
    ReplicaHost other = replicas.get(one.number() % replicas.size());
    Fault fault = faults.get(random.nextInt(faults.size()));
    count += fault == Fault.NOTHING ? 0 : 1;
    switch (fault) {
      case NOTHING -> {}
      case ONLY_THE_LEADER -> isolate(one);
      case PARTITION -> partition(one);
      case CUT_ONE_WAY ->
          world.network().oneWay(one.host().simulated(), other.host().simulated()).cut();
      case HOLD -> hold(one);
      case HEAL_NETWORK -> world.network().links().heal();
      case CRASH -> one.crash();
      case RESTART -> one.restart();
      case POWER_OFF -> one.powerOff();
      case POWER_OFF_ALL -> replicas.forEach(ReplicaHost::powerOff);
      case PAUSE -> one.pause();
      case DRIFT -> one.host().clock().drift(random.nextInt(-MOST_DRIFT, MOST_DRIFT));
      case FAILING_DISK -> one.failDisk();
      case HEAL_ONE -> one.heal();
      case HEAL_ALL -> replicas.forEach(ReplicaHost::heal);
    }
  }

  private ReplicaHost anyReplica() {
    return replicas.get(random.nextInt(replicas.size()));
  }

  /// {@return a leader, if there is one, as often as any}
  private ReplicaHost victim() {
    ReplicaHost any = anyReplica();
    return random.nextBoolean() ? any : leaderOr(any);
  }

  /// {@return the leader of the last term, if there is one}
  private ReplicaHost leaderOr(ReplicaHost other) {
    long last = lastTermLed();
    return replicas.stream()
        .filter(each -> each.leads() && each.lastTermLed() == last)
        .findFirst()
        .orElse(other);
  }

  /// All is well, but for one replica that is parted from the others.
  private void isolate(ReplicaHost one) {
    heal();
    count++;
    partition(one);
  }

  /// Parts a replica from the others; each client is on one of the sides.
  private void partition(ReplicaHost one) {
    Map<Boolean, List<SimulatedHost>> sides =
        world.hosts().stream()
            .collect(
                Collectors.partitioningBy(
                    each -> each == one.host() || (isClient(each) && random.nextBoolean()),
                    Collectors.mapping(WorldHost::simulated, Collectors.toList())));
    SimulatedNetwork network = world.network();
    var _ =
        network
            .links(
                Objects.requireNonNull(sides.get(true)), Objects.requireNonNull(sides.get(false)))
            .cut();
  }

  private void cut(ReplicaHost one, ReplicaHost other) {
    count++;
    world.network().link(one.host().simulated(), other.host().simulated()).cut();
  }

  private void hold(ReplicaHost one) {
    world
        .network()
        .links(Set.of(one.host().simulated()), others(each -> each != one.host()))
        .hold();
  }

  private boolean isClient(WorldHost host) {
    return replicas.stream().noneMatch(each -> each.host() == host);
  }

  private Set<SimulatedHost> others(Predicate<WorldHost> which) {
    var others = new LinkedHashSet<SimulatedHost>();
    world.hosts().stream().filter(which).forEach(each -> others.add(each.simulated()));
    return others;
  }
}
