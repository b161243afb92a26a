package dev.rondo.examples.replicatedlog;

import dev.rondo.io.TcpListener;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.History;
import dev.rondo.simulation.KeyValue;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The classes of the example in a world: three hosts with a replica each, clients that record what
/// they ask and receive, and faults of network, disks, clocks and power.
final class ReplicatedLogWorld {

  private enum Fault {
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

  private static final int REPLICAS = 3;
  private static final int CLIENTS = 3;
  private static final int PORT = 7000;
  private static final int MOST_DRIFT = 200_000;
  private static final int FAULTS = 20;
  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final Duration ELECTION = Duration.ofMillis(250);
  private static final int MOST_PATIENT = 4;
  private static final Duration LEAST_LATENCY = Duration.ofMillis(1);
  private static final Duration MOST_LATENCY = Duration.ofMillis(20);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(50);
  private static final Duration LONG_PAUSE = Duration.ofMillis(600);
  private static final Duration STEP = Duration.ofMillis(5);
  private static final Duration RECOVERY = Duration.ofMinutes(2);

  private final World world;
  private final RandomGenerator random;
  private final Flaw flaw;
  private final Members members;
  private final List<Fault> faults;
  private final List<ReplicaHost> replicas = new ArrayList<>();
  private final History<KeyValue<String, String>, @Nullable Object> history;
  private final Map<Long, Entry> applied = new HashMap<>();
  private boolean over;
  private int done;

  private ReplicatedLogWorld(World world, Flaw flaw) {
    this.world = world;
    this.random = world.random();
    this.flaw = flaw;
    this.faults = faultsOfWorld();
    this.history = History.timedBy(world::elapsed);
    Map<Integer, SocketAddress> addresses = new TreeMap<>();
    for (int number = 1; number <= REPLICAS; number++) {
      addresses.put(number, new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + number), PORT));
    }
    members = new Members(addresses);
  }

  /// Runs one world.
  ///
  /// @return how many operations the clients have recorded
  /// @throws AssertionError if a replica fails, the answers cannot be explained, or the clients
  ///   have no answers when all faults are over
  static int run(long seed, Flaw flaw) {
    return recorded(seed, flaw).invocations().size();
  }

  /// {@return what the clients have asked and received, and when}
  static String story(long seed, Flaw flaw) {
    return recorded(seed, flaw).toString();
  }

  private static History<?, ?> recorded(long seed, Flaw flaw) {
    try (World world = World.withSeed(seed)) {
      var run = new ReplicatedLogWorld(world, flaw);
      run.run();
      return run.history;
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private List<Fault> faultsOfWorld() {
    return Stream.of(Fault.values())
        .filter(each -> Fault.ALWAYS.contains(each) || random.nextBoolean())
        .toList();
  }

  private void run() {
    for (int number = 1; number <= REPLICAS; number++) {
      replicas.add(
          new ReplicaHost(world, number, random.nextInt(1, MOST_PATIENT), this::replicate));
    }
    world.hosts("client", CLIENTS, this::work);
    var _ =
        world
            .network()
            .links()
            .latency(SimulatedLatency.exponential(LEAST_LATENCY, upTo(MOST_LATENCY)));
    for (int i = 0; i < FAULTS; i++) {
      somePass();
      somethingHappens();
    }
    over = true;
    world.network().heal();
    replicas.forEach(ReplicaHost::heal);
    world.runUntil(() -> done == CLIENTS, RECOVERY);
    history.requireLinearizable(KeyValue.model());
  }

  /// A while; or until there is another leader, which has little time.
  private void somePass() {
    if (random.nextBoolean()) {
      world.runFor(upTo(LONG_PAUSE));
      return;
    }
    if (random.nextBoolean()) {
      long last = lastTermLed();
      for (var left = LONG_PAUSE; left.isPositive() && lastTermLed() == last; ) {
        world.runFor(STEP);
        left = left.minus(STEP);
      }
    }
    world.runFor(upTo(SHORT_PAUSE));
  }

  private long lastTermLed() {
    return replicas.stream().mapToLong(ReplicaHost::lastTermLed).max().orElseThrow();
  }

  private Duration upTo(Duration most) {
    return Duration.ofNanos(1 + random.nextLong(most.toNanos()));
  }

  // The programs of the hosts.

  private void replicate(ReplicaHost replica) throws IOException {
    Scheduler scheduler = replica.host().scheduler();
    int self = replica.number();
    try (TcpListener listener = WaitForIO.on(scheduler).listen(members.address(self));
        Storage storage = flaw.storage(replica.folder())) {
      Raft raft =
          flaw.raft(
              new Raft.Parts(
                  scheduler, self, members, settings(replica), storage, flaw.store(this::applied)));
      replica.plays(raft);
      new Replica(raft, replica.host().random()).run(listener);
    }
  }

  /// Few heartbeats, so that little happens while nothing happens; one entry in a message; and a
  /// snapshot now and then. Some replicas are more patient than others, so that a leader that was
  /// replaced does not notice at once.
  private static Settings settings(ReplicaHost replica) {
    return new Settings(
        HEARTBEAT,
        ELECTION.multipliedBy(replica.patience()),
        Duration.ofMillis(150),
        Duration.ofMinutes(1),
        1,
        6);
  }

  /// All replicas apply the same entries.
  private void applied(Entry entry) {
    Entry other = applied.putIfAbsent(entry.index(), entry);
    if (other != null && !other.equals(entry)) {
      throw new IllegalStateException("two replicas apply %s and %s".formatted(other, entry));
    }
  }

  private void work(WorldHost host) throws IOException {
    WorldClient.run(host, members, history, () -> over);
    done++;
  }

  // Faults.

  private void somethingHappens() {
    ReplicaHost one = victim();
    ReplicaHost other = replicas.get(one.number() % REPLICAS);
    SimulatedNetwork network = world.network();
    switch (faults.get(random.nextInt(faults.size()))) {
      case ONLY_THE_LEADER -> {
        network.heal();
        replicas.forEach(ReplicaHost::heal);
        partition(network, one);
      }
      case PARTITION -> partition(network, one);
      case CUT_ONE_WAY -> network.oneWay(one.host().simulated(), other.host().simulated()).cut();
      case HOLD -> network.links(Set.of(one.host().simulated()), allBut(one)).hold();
      case HEAL_NETWORK -> network.heal();
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

  /// {@return a leader, if there is one, as often as any}
  private ReplicaHost victim() {
    ReplicaHost any = replicas.get(random.nextInt(REPLICAS));
    return random.nextBoolean()
        ? any
        : replicas.stream().filter(ReplicaHost::leads).findFirst().orElse(any);
  }

  /// Parts a replica from the others; each client is on one of the sides.
  private void partition(SimulatedNetwork network, ReplicaHost one) {
    Map<Boolean, List<SimulatedHost>> sides =
        world.hosts().stream()
            .collect(
                Collectors.partitioningBy(
                    each -> each == one.host() || (isClient(each) && random.nextBoolean()),
                    Collectors.mapping(WorldHost::simulated, Collectors.toList())));
    var _ =
        network.partition(
            Objects.requireNonNull(sides.get(true)), Objects.requireNonNull(sides.get(false)));
  }

  private boolean isClient(WorldHost host) {
    return replicas.stream().noneMatch(each -> each.host() == host);
  }

  private Set<SimulatedHost> allBut(ReplicaHost one) {
    var others = new LinkedHashSet<SimulatedHost>();
    for (WorldHost each : world.hosts()) {
      if (each != one.host()) {
        others.add(each.simulated());
      }
    }
    return others;
  }
}
