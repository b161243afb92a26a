package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.jgroups.JGroupsEngine;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.threads.BlockingJava;
import dev.rondo.time.WaitForTime;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.util.MergeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/// A whole cluster in a world: JGroups as it comes from its jar, over TLS between three simulated
/// hosts, in virtual time and in the order of a seed. Each sends messages to all, under partitions
/// and cuts of one direction.
///
/// The longer run: `-Dcluster.seeds=100`.
@Timeout(3_600)
@Nightly("a whole cluster under partitions, twice")
final class EngineWorldTest {

  private static final int SEEDS = Integer.getInteger("cluster.seeds", 1);
  private static final List<String> NODES = List.of("a", "b", "c");
  private static final int PORT = 7800;
  private static final Duration STEP = Duration.ofMillis(200);
  private static final Duration FAULTS = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  static {
    // Connections that break are logged with traces.
    ((Logger) LoggerFactory.getLogger("org.jgroups")).setLevel(Level.OFF);
  }

  /// Each member is heard by others again when the faults are over, and the same seed makes the
  /// same run.
  @Test
  void messages_underPartitions() throws Exception {
    KeyStore trusted = Certificates.trusting(NODES.toArray(String[]::new)); // makes the keys, too
    for (int seed = 1; seed <= SEEDS; seed++) {
      World.checkDeterminism(seed, world -> run(world, trusted));
    }
  }

  private static void run(World world, KeyStore trusted) {
    assertDoesNotThrow(EngineWorldTest::countMergesFromOne);
    new Run(BlockingJava.in(world), trusted).run();
  }

  /// JGroups counts the merges of all its channels in a static field, and sends the number.
  private static void countMergesFromOne() throws ReflectiveOperationException {
    Field last = MergeId.class.getDeclaredField("LAST_ID");
    last.setAccessible(true);
    last.setInt(null, 1);
  }

  /// One world.
  private static final class Run {

    private final World world;

    private final KeyStore trusted;

    /// Which members others have heard since the faults are over.
    private final Set<String> heard = new HashSet<>();

    Run(World world, KeyStore trusted) {
      this.world = world;
      this.trusted = trusted;
    }

    void run() {
      var hosts = new ArrayList<WorldHost>();
      for (String each : NODES) {
        hosts.add(world.host(each, this::live));
      }
      World _ =
          world.chaos(
              Chaos.partitions()
                  .and(Chaos.oneWayCuts())
                  .every(Duration.ofSeconds(12))
                  .lasting(Duration.ofSeconds(10))
                  .on(hosts));
      world.runFor(FAULTS);
      World _ = world.heal();
      heard.clear();
      world.runUntil(() -> heard.containsAll(NODES), LIMIT);
    }

    private void live(WorldHost host) throws Exception {
      String name = host.name();
      Scheduler scheduler = host.scheduler();
      ClusterConfig config = config(name);
      var engine = new JoinedEngine(config);
      WaitForCluster cluster =
          WaitForCluster.on(scheduler, config, (_, listener, _) -> engine.connect(listener));
      cluster.join();
      var _ = scheduler.spawn("receives", () -> receive(cluster));
      send(host, cluster);
    }

    private static void send(WorldHost host, WaitForCluster cluster) {
      while (true) {
        for (String each : NODES) {
          try {
            var _ = cluster.to(each, "box", Codec.utf8()).send(host.name());
          } catch (DeliveryException e) {
            // It is cut off.
          }
        }
        WaitForTime.on(host.scheduler()).sleep(STEP);
      }
    }

    private void receive(WaitForCluster cluster) {
      try (Mailbox<String> box = cluster.mailbox("box", Codec.utf8())) {
        while (true) {
          String sender = box.receive();
          if (!sender.equals(cluster.members().get().self().name())) {
            heard.add(sender);
          }
        }
      }
    }

    /// Made in the world: TLS draws its random numbers from the source that its context was made
    /// with.
    private ClusterConfig config(String node) throws Exception {
      var addresses = new ArrayList<InetSocketAddress>();
      for (String each : NODES) {
        addresses.add(at(each));
      }
      return ClusterConfig.of(node)
          .secured(ClusterTls.of(Certificates.keys(node), "changeit".toCharArray(), trusted))
          .at(at(node))
          .with(addresses);
    }

    private static InetSocketAddress at(String host) throws UnknownHostException {
      return new InetSocketAddress(InetAddress.getByName(host), PORT);
    }
  }

  /// An engine that joins when it is made, on a thread of the world: a thread of
  /// [Scheduler#blocking] is none.
  private static final class JoinedEngine implements Engine {

    private final Relay relay = new Relay();
    private final JGroupsEngine engine;

    JoinedEngine(ClusterConfig config) throws ClusterException {
      engine = new JGroupsEngine(config, relay);
      engine.join();
    }

    Engine connect(Listener listener) {
      relay.connect(listener);
      return this;
    }

    @Override
    public void join() {
      // It has.
    }

    @Override
    public void leave() {
      // The world ends.
    }

    @Override
    public Member self() {
      return engine.self();
    }

    @Override
    public List<Member> view() {
      return engine.view();
    }

    @Override
    public InetSocketAddress address() {
      return engine.address();
    }

    @Override
    public void send(Member to, List<Frame> frames) {
      engine.send(to, frames);
    }
  }

  /// Passes on what comes when the cluster is there.
  private static final class Relay implements Engine.Listener {

    private Engine.@Nullable Listener listener;

    synchronized void connect(Engine.Listener to) {
      listener = to;
    }

    @Override
    public synchronized void membersChanged() {
      if (listener != null) {
        listener.membersChanged();
      }
    }

    @Override
    public synchronized void received(Member from, List<Frame> frames) {
      if (listener != null) {
        listener.received(from, frames);
      }
    }

    @Override
    public void leaderChanged(boolean leads) {}

    @Override
    public synchronized void failed(ClusterException failure) {
      throw new AssertionError(failure);
    }
  }
}
