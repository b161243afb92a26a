package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.Members;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.History;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.model.KeyValue;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import io.grpc.InternalChannelz;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Three or five nodes of a cluster in a world with faults. Each competes for a lease, runs a job,
/// serves its share of some keys, reads and changes values, and sends the others messages; now and
/// then one leaves and joins again, or comes late, or is replaced by one of another name.
///
/// What a holder does with its token takes no virtual time after the look at the clock, so that no
/// smaller token may be seen after a larger one, whatever stands still and for how long.
final class ClusterWorld {

  private static final List<String> THREE = List.of("a", "b", "c");
  private static final List<String> FIVE = List.of("a", "b", "c", "d", "e");
  private static final List<String> KEYS = List.of("k", "l", "m", "n");
  private static final Duration TTL = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration FAULTS = Duration.ofSeconds(30);
  private static final Duration LONGEST_STEP = Duration.ofMillis(200);
  private static final Duration PERIOD = Duration.ofMillis(700);
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration LATEST = Duration.ofSeconds(15);

  /// Some thirty of them are agreed on until a state takes the place of the log.
  private static final String LARGE = "x".repeat(30_000);

  private final World world;
  private final Mistake mistake;
  private final RandomGenerator random;
  private final List<String> names;
  private final List<WorldHost> nodes = new ArrayList<>();
  private final History<KeyValue<String, String>, @Nullable Object> history;

  /// The largest token that was seen, and the node that used it, by the names of leases.
  private final Map<String, Act> last = new HashMap<>();

  private final Map<String, Integer> acts = new HashMap<>();
  private final Set<Long> runs = new HashSet<>();

  /// Why nodes have not joined, by their hosts.
  private final Map<String, String> joinFailures = new TreeMap<>();

  private boolean over;
  private int ended;

  private final ClusterMail mail = new ClusterMail();

  /// The last lease of each process, by the names of leases.
  private final Map<String, Map<WorldHost, Lease>> leases = new HashMap<>();

  private record Act(long token, String node) {}

  private ClusterWorld(World world, Mistake mistake) {
    this.world = world;
    this.mistake = mistake;
    this.random = world.random();
    this.names = random.nextBoolean() ? THREE : FIVE;
    this.history = History.of(world);
  }

  /// Runs one world.
  ///
  /// @return how often something was done with a lease
  /// @throws AssertionError if two nodes have a lease at the same time, an answer cannot be
  ///   explained, or something stands still when all faults are over
  static int run(long seed) {
    return run(seed, Mistake.NONE);
  }

  static int run(long seed, Mistake mistake) {
    try (World world = World.withSeed(seed)) {
      return run(world, mistake);
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    } finally {
      forgetCrashed();
    }
  }

  /// gRPC keeps each channel and server that was not ended, for a look at all of them: some 10 MB
  /// of a world whose nodes crash.
  private static void forgetCrashed() {
    try {
      for (Field each : InternalChannelz.class.getDeclaredFields()) {
        if (Map.class.isAssignableFrom(each.getType())) {
          each.setAccessible(true);
          ((Map<?, ?>) each.get(InternalChannelz.instance())).clear();
        }
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  static int run(World world, Mistake mistake) {
    return new ClusterWorld(world, mistake).run();
  }

  private int run() {
    WorldHost etcd = world.host("etcd", EtcdWorld.ADDRESS, mistake.etcd());
    for (String name : names) {
      WorldHost node = world.host(name, address(name), this::live);
      WorldHost _ = node.tolerate(ClusterException.class::isInstance);
      var _ = node.clock().drift(drift());
      nodes.add(node);
    }
    var _ =
        world
            .network()
            .links()
            .latency(SimulatedLatency.exponential(Duration.ofMillis(1), Duration.ofMillis(10)));
    World _ =
        world.chaos(
            Chaos.partitions()
                .and(Chaos.oneWayCuts())
                .and(Chaos.losses(0.3))
                .and(Chaos.duplications(0.3))
                .and(Chaos.latencySpikes(Duration.ofMillis(500)))
                .every(Duration.ofSeconds(8))
                .lasting(Duration.ofSeconds(2))
                .and(
                    Chaos.pauses()
                        .and(Chaos.crashes())
                        .and(Chaos.powerFailures())
                        .every(Duration.ofSeconds(10))
                        .lasting(Duration.ofSeconds(2)))
                .on(Stream.concat(nodes.stream(), Stream.of(etcd)).toList())
                .atMostDown(1 + names.size() / 2));
    new ClusterCuts(world, nodes, etcd).runFor(FAULTS);
    World _ = world.heal();
    acts.clear();
    List<String> expected = new ArrayList<>(List.of("lease 'l'", "job"));
    KEYS.forEach(key -> expected.add("key " + key));
    names.forEach(name -> expected.add("mail of " + name));
    try {
      world.runUntil(() -> acts.keySet().containsAll(expected), LIMIT);
    } catch (SimulationFailedError e) {
      throw new AssertionError(
          "of %s only %s go on; %s".formatted(expected, acts.keySet(), joinFailures.values()), e);
    }
    over = true;
    world.runUntil(() -> ended == names.size(), LIMIT);
    history.requireLinearizable(KeyValue.model());
    mail.requireNoneLost();
    int done = acts.values().stream().mapToInt(Integer::intValue).sum();
    nodes.forEach(WorldHost::crash);
    etcd.crash();
    return done;
  }

  /// Something is done that only the holder of a lease may do.
  private void act(String what, WorldHost node, Lease lease) {
    long token = mistake.token(lease);
    Act before = last.put(what, new Act(token, node.name()));
    assertTrue(
        before == null || before.token() <= token,
        () -> "%s: %s has done something with %d after %s".formatted(what, node, token, before));
    if (before != null && before.token() == token) {
      assertEquals(before.node(), node.name(), () -> "two nodes have the token " + token);
    }
    Map<WorldHost, Lease> all = leases.computeIfAbsent(what, it -> new HashMap<>());
    all.put(node, lease);
    all.forEach((other, its) ->
        assertTrue(
            other == node || !other.isUp() || other.isPaused() || !its.isBelieved(),
            () -> "%s: %s and %s believe in it".formatted(what, node, other)));
    acts.merge(what, 1, Integer::sum);
  }

  private Optional<Lease> lease(WorldHost node, long token) {
    return leases.values().stream()
        .flatMap(each -> Stream.ofNullable(each.get(node)))
        .filter(each -> each.tokenUnchecked() == token)
        .findFirst();
  }

  /// As fast or as slow as is allowed, or between.
  private int drift() {
    int most = mistake.mostDrift();
    return switch (random.nextInt(4)) {
      case 0 -> most;
      case 1 -> -most;
      default -> random.nextInt(2 * most) - most;
    };
  }

  private static void sleep(WorldHost node, Duration most) {
    WaitForTime.on(node.scheduler())
        .sleep(Duration.ofNanos(1 + node.random().nextLong(most.toNanos())));
  }

  private static String address(String name) {
    return "10.0.0." + (1 + FIVE.indexOf(name));
  }

  private static InetSocketAddress listens(String name) {
    return new InetSocketAddress(InetAddress.ofLiteral(address(name)), 7800);
  }

  // The program of a node.

  private void live(WorldHost node) throws Exception {
    Scheduler scheduler = node.scheduler();
    leases.values().forEach(each -> each.remove(node));
    int process = mail.begin(node);
    if (process == 1 && random.nextInt(3) == 0) {
      sleep(node, LATEST);
    }
    boolean isAnother = process > 1 && random.nextInt(3) == 0;
    ClusterConfig config =
        ClusterConfig.of(isAnother ? node.name() + process : node.name())
            .secured(ClusterTls.simulated())
            .at(listens(node.name()))
            .with(names.stream().map(ClusterWorld::listens).toList())
            .withEtcd(EtcdWorld.servers())
            .limited(ClusterLimits.USUAL.with(Time.LEASE, TTL).with(Time.SILENCE, SILENCE));
    WaitForCluster cluster =
        WaitForCluster.on(
            scheduler, config, mistake.engines(scheduler, token -> lease(node, token)));
    var _ = scheduler.spawn("values", () -> useValues(node, cluster));
    var _ = scheduler.spawn("receives", () -> receive(node, cluster));
    var _ = scheduler.spawn("sends", () -> send(node, cluster, process));
    while (!over) {
      join(node, cluster);
      begin(node, cluster);
      var competes = scheduler.spawn("competes", () -> compete(node, cluster));
      for (int steps = node.random().nextInt(200); steps > 0 && !over; steps--) {
        sleep(node, LONGEST_STEP);
      }
      cluster.leave();
      competes.join();
    }
    join(node, cluster);
  }

  /// The name of the node is taken as long as members that stand still see its last stay.
  private void join(WorldHost node, WaitForCluster cluster) {
    while (!cluster.isJoined()) {
      try {
        cluster.join();
        joinFailures.remove(node.name());
      } catch (ClusterException e) {
        joinFailures.put(node.name(), "" + e.getMessage());
        sleep(node, LONGEST_STEP);
      }
    }
  }

  /// The job and the keys of a stay.
  private void begin(WorldHost node, WaitForCluster cluster) {
    var _ =
        cluster.periodic(
            "j",
            PERIOD,
            TickPolicy.SKIP,
            run -> {
              act("job", node, run.lease());
              assertTrue(
                  runs.add(run.number()) || run.isRepeated(),
                  () -> "run " + run.number() + " is begun twice, and not as a repetition");
              sleep(node, PERIOD);
            });
    if (node.random().nextInt(4) == 0) {
      return; // a member that serves no keys
    }
    var _ =
        cluster.spread(
            "s",
            KEYS,
            (key, lease) -> {
              while (true) {
                act("key " + key, node, lease);
                sleep(node, LONGEST_STEP);
              }
            });
  }

  /// Ends when the node leaves.
  private void compete(WorldHost node, WaitForCluster cluster) {
    ClusterLease wanted = cluster.lease("l");
    while (cluster.isJoined()) {
      try (Lease lease = wanted.acquire(TTL)) {
        lease.run(() -> {
          for (int steps = node.random().nextInt(10); steps >= 0; steps--) {
            act(wanted.toString(), node, lease);
            sleep(node, LONGEST_STEP);
          }
        });
      } catch (LeaseLostException | OutcomeUnknownException e) {
        // Another node has it, or this one leaves.
      }
      sleep(node, LONGEST_STEP);
    }
  }

  private void receive(WorldHost node, WaitForCluster cluster) {
    try (Mailbox<String> box = cluster.mailbox(ClusterMail.BOX, Codec.utf8())) {
      while (true) {
        mail.received(node, box.receive());
        acts.merge("mail of " + node.name(), 1, Integer::sum);
      }
    }
  }

  private void send(WorldHost node, WaitForCluster cluster, int process) {
    while (true) {
      sleep(node, LONGEST_STEP);
      List<Member> others = cluster.isJoined() ? others(cluster) : List.of();
      if (!others.isEmpty()) {
        Member to = others.get(node.random().nextInt(others.size()));
        try {
          String host = to.name().substring(0, 1);
          mail.send(node, process, host, cluster.to(to.name(), ClusterMail.BOX, Codec.utf8()));
        } catch (DeliveryException e) {
          // It has gone.
        }
      }
    }
  }

  private static List<Member> others(WaitForCluster cluster) {
    Members members = cluster.members().get();
    return members.all().stream().filter(each -> !each.equals(members.self())).toList();
  }

  private void useValues(WorldHost node, WaitForCluster cluster) {
    Codec<String> codec = Codec.utf8();
    int values = 0;
    while (!over || !cluster.isJoined()) {
      sleep(node, Duration.ofMillis(500));
      if (cluster.isJoined()) {
        try {
          if (node.random().nextBoolean()) {
            cluster.register("large", codec).set(LARGE);
          }
          use(node, cluster.register("r", codec), node.name() + ++values + "@" + world.elapsed());
        } catch (OutcomeUnknownException | IllegalStateException e) {
          // The node has left meanwhile: the history has it as unknown.
        }
      }
    }
    ended++;
  }

  private void use(WorldHost node, ClusterRegister<String> register, String value) {
    @Nullable String read =
        history.record(node.name(), new KeyValue.Get<>("r"), () -> register.get().orElse(null));
    if (node.random().nextBoolean()) {
      history.record(node.name(), new KeyValue.Put<>("r", value), () -> register.set(value));
    } else {
      var _ =
          history.record(
              node.name(),
              new KeyValue.CompareAndSet<>("r", read, value),
              () -> register.compareAndSet(Optional.ofNullable(read), Optional.of(value)));
    }
  }
}
