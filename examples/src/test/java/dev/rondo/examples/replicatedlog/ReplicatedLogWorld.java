package dev.rondo.examples.replicatedlog;

import dev.rondo.io.TcpListener;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.History;
import dev.rondo.simulation.KeyValue;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The classes of the example in a world: three hosts with a replica each, clients that record what
/// they ask and receive, and faults of network, disks, clocks and power.
final class ReplicatedLogWorld {

  /// Slow, so that little happens while nothing happens; and a snapshot now and then.
  private static final Settings SETTINGS =
      new Settings(
          Duration.ofMillis(200),
          Duration.ofMillis(800),
          Duration.ofMillis(400),
          Duration.ofMinutes(1),
          1,
          20);

  private enum Fault {
    PARTITION,
    CUT_ONE_WAY,
    HOLD,
    HEAL_NETWORK,
    CRASH,
    RESTART,
    POWER_OFF,
    POWER_OFF_ALL,
    PAUSE,
    DRIFT,
    FAILING_DISK,
    HEAL_ONE,
    HEAL_ALL
  }

  private static final int REPLICAS = 3;
  private static final int CLIENTS = 3;
  private static final int PORT = 7000;
  private static final int MOST_DRIFT = 200_000;
  private static final List<String> KEYS = List.of("a", "b");
  private static final int FAULTS = 20;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(1_500);
  private static final Duration CLIENT_PATIENCE = Duration.ofMillis(600);
  private static final Duration OPERATION_LIMIT = Duration.ofSeconds(3);
  private static final Duration RECOVERY = Duration.ofMinutes(2);

  private final World world;
  private final RandomGenerator random;
  private final Flaw flaw;
  private final Members members;
  private final List<ReplicaHost> replicas = new ArrayList<>();
  private final History<KeyValue<String, String>, @Nullable Object> history;
  private final Map<Long, Entry> applied = new HashMap<>();
  private int values;
  private boolean over;
  private int done;

  private ReplicatedLogWorld(World world, Flaw flaw) {
    this.world = world;
    this.random = world.random();
    this.flaw = flaw;
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

  private void run() {
    for (int number = 1; number <= REPLICAS; number++) {
      replicas.add(new ReplicaHost(world, number, this::replicate));
    }
    world.hosts("client", CLIENTS, this::work);
    for (int i = 0; i < FAULTS; i++) {
      world.runFor(upTo(LONGEST_PAUSE));
      somethingHappens();
    }
    over = true;
    world.network().heal();
    replicas.forEach(ReplicaHost::heal);
    world.runUntil(() -> done == CLIENTS, RECOVERY);
    history.requireLinearizable(KeyValue.model());
  }

  private Duration upTo(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos()));
  }

  // The programs of the hosts.

  private void replicate(ReplicaHost replica) throws IOException {
    Scheduler scheduler = replica.host().scheduler();
    int self = replica.number();
    try (TcpListener listener = WaitForIO.on(scheduler).listen(members.address(self));
        Storage storage = flaw.storage(replica.folder())) {
      Raft raft = flaw.raft(scheduler, self, members, SETTINGS, storage, flaw.store(this::applied));
      replica.plays(raft);
      new Replica(raft, replica.host().random()).run(listener);
    }
  }

  /// All replicas apply the same entries.
  private void applied(Entry entry) {
    Entry other = applied.putIfAbsent(entry.index(), entry);
    if (other != null && !other.equals(entry)) {
      throw new IllegalStateException("two replicas apply %s and %s".formatted(other, entry));
    }
  }

  private void work(WorldHost host) throws IOException {
    Scheduler scheduler = host.scheduler();
    var time = WaitForTime.on(scheduler);
    try (var client = new Client(scheduler, members, CLIENT_PATIENCE, host.random())) {
      while (!over) {
        time.sleep(Duration.ofMillis(host.random().nextInt(1_000)));
        try {
          scheduler.within(OPERATION_LIMIT, () -> operate(host, client));
        } catch (TimedOutException _) {
          // the history has it as unknown
        }
      }
      for (String key : KEYS) {
        var _ = get(host, client, key);
      }
    }
    done++;
  }

  private void operate(WorldHost host, Client client) throws IOException {
    RandomGenerator lot = host.random();
    String key = KEYS.get(lot.nextInt(KEYS.size()));
    String value = "v" + ++values;
    switch (lot.nextInt(3)) {
      case 0 ->
          history.record(host.name(), new KeyValue.Put<>(key, value), () -> client.put(key, value));
      case 1 -> get(host, client, key);
      default -> {
        String expected = get(host, client, key);
        var _ =
            history.record(
                host.name(),
                new KeyValue.CompareAndSet<>(key, expected, value),
                () -> client.compareAndSet(key, expected, value));
      }
    }
  }

  private @Nullable String get(WorldHost host, Client client, String key) throws IOException {
    return history.record(host.name(), new KeyValue.Get<>(key), () -> client.get(key));
  }

  // Faults.

  private void somethingHappens() {
    ReplicaHost one = victim();
    ReplicaHost other = replicas.get(one.number() % REPLICAS);
    SimulatedNetwork network = world.network();
    switch (Fault.values()[random.nextInt(Fault.values().length)]) {
      case PARTITION -> network.partition(Set.of(one.host().simulated()), allBut(one));
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
