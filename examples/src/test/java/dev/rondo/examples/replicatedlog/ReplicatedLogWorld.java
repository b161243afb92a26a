package dev.rondo.examples.replicatedlog;

import dev.rondo.exploration.Choices;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.io.TcpListener;
import dev.rondo.io.WaitForIO;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.History;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.model.KeyValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The classes of the example in a world: three hosts with a replica each, clients that record what
/// they ask and receive, and faults of network, disks, clocks and power.
final class ReplicatedLogWorld {

  private static final int REPLICAS = 3;
  private static final int CLIENTS = 3;
  private static final int PORT = 7000;
  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final Duration ELECTION = Duration.ofMillis(250);

  /// So many times the time of an election; a leader that is patient goes on for long while others
  /// have another.
  private static final List<Integer> PATIENCE = List.of(1, 2, 3, 6);

  private static final Duration LEAST_LATENCY = Duration.ofMillis(1);
  private static final Duration MOST_LATENCY = Duration.ofMillis(20);
  private static final int RECORDED_EVENTS = 5_000;
  private static final Duration RECOVERY = Duration.ofMinutes(2);

  private final World world;
  private final RandomGenerator random;
  private final Flaw flaw;
  private final Members members;
  private final List<ReplicaHost> replicas = new ArrayList<>();
  private final History<KeyValue<String, String>, @Nullable Object> history;
  private final Map<Long, Entry> applied = new HashMap<>();
  private final Set<Long> termsLed = new HashSet<>();
  private final ReplicatedLogFaults faults;
  private boolean over;
  private int done;

  private ReplicatedLogWorld(World world, Choices choices, Flaw flaw) {
    this.world = world;
    this.random = world.random();
    this.flaw = flaw;
    this.faults = new ReplicatedLogFaults(world, choices, replicas);
    this.history = History.of(world);
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

  /// Runs the world of some choices. One that is repeated is drawn if it fails.
  ///
  /// @throws AssertionError as [#run(long, Flaw)]
  static void run(Choices choices, Flaw flaw) {
    World world = World.with(choices);
    var run = new ReplicatedLogWorld(world, choices, flaw);
    Recorder recorder = choices.isReplay() ? run.recorder() : null;
    try (world) {
      run.run(recorder);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + run.events(), e);
    }
  }

  private Recorder recorder() {
    Recorder recorder = Recorder.ofCapacity(RECORDED_EVENTS).withDetails();
    World _ = world.recorder(recorder);
    return recorder;
  }

  /// @param recorder draws a failure; null if nothing does
  private void run(@Nullable Recorder recorder) {
    try {
      run();
    } catch (AssertionError e) {
      if (recorder != null) {
        recorder.failure(e.getMessage(), e);
        e.addSuppressed(RecordingPicture.note(recorder.recording(), "ReplicatedLog." + flaw));
      }
      throw e;
    }
  }

  private static History<?, ?> recorded(long seed, Flaw flaw) {
    Choices choices = Choices.random(seed);
    try (World world = World.with(choices)) {
      var run = new ReplicatedLogWorld(world, choices, flaw);
      run.run();
      return run.history;
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private void run() {
    for (int number = 1; number <= REPLICAS; number++) {
      int patience = (number + random.nextInt(PATIENCE.size())) % PATIENCE.size();
      replicas.add(new ReplicaHost(world, number, PATIENCE.get(patience), this::replicate));
    }
    world.always("all is seen", this::seesElections);
    world.hosts("client", CLIENTS, this::work);
    var _ =
        world
            .network()
            .links()
            .latency(SimulatedLatency.exponential(LEAST_LATENCY, upTo(MOST_LATENCY)));
    faults.happen(this::check);
    over = true;
    faults.heal();
    world.runUntil(() -> done == CLIENTS, RECOVERY);
    check();
  }

  private void check() {
    history.requireLinearizable(KeyValue.model());
  }

  private boolean seesElections() {
    for (ReplicaHost each : replicas) {
      if (each.leads()) {
        var _ = termsLed.add(each.lastTermLed());
      }
    }
    return true;
  }

  /// {@return what of a failed run a reader has to follow: faults that begin or end, elections,
  /// operations of clients}
  private String events() {
    int elections = termsLed.size();
    int operations = history.invocations().size();
    return "\nevents: %d = %d faults, %d elections, %d operations"
        .formatted(faults.count() + elections + operations, faults.count(), elections, operations);
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
      throw new IllegalStateException(
          "two replicas apply different entries:\n%s\n%s".formatted(other, entry));
    }
  }

  private void work(WorldHost host) throws IOException {
    WorldClient.run(host, members, history, () -> over);
    done++;
  }
}
