package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.io.NameResolver;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.simulation.internal.Chance;
import dev.rondo.simulation.internal.net.Clock;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.Link;
import dev.rondo.simulation.internal.net.LinkSettings;
import dev.rondo.simulation.internal.net.Network;
import dev.rondo.simulation.internal.net.PacketWatch;
import dev.rondo.simulation.internal.net.Timeline;
import dev.rondo.simulation.internal.world.ClockOfScheduler;
import dev.rondo.simulation.internal.world.NetworkNames;
import dev.rondo.time.VirtualClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Hosts and what connects them, in one process, on one thread, under virtual time. The channels of
/// a host come from its [SimulatedHost#provider()].
///
/// ```
/// var network = new SimulatedNetwork();
/// SelectorProvider provider = network.host("server", "10.0.0.1").provider();
/// ```
///
/// A scheduler has simulated sockets if a host installs its IO:
///
/// ```
/// var clock = new VirtualClock();
/// var host = SimulatedNetwork.on(clock).host("server", "10.0.0.1");
/// try (var scheduler = clock.scheduler(Scheduler.builder())) {
///   WaitForIO io = host.install(scheduler);
///   ..
/// ```
///
/// **Time.** What is sent arrives later, by an event. Events happen in the order of their instants,
/// those of one instant in the order in which they were caused. An operation of a channel first
/// lets the events happen whose instant has come, and takes no time itself. Time passes while a
/// program waits: a selector that may block, or an operation in blocking mode, moves from event to
/// event until it has a result or its timeout is over. If it has no timeout and no event is left,
/// it fails with a [SimulationStalledException]. In a network that is [#on(VirtualClock)], the
/// clock moves time when all tasks of its scheduler wait.
///
/// **Threads.** Confined to one thread: the first one that uses it. The tasks of its schedulers are
/// on that thread on every backend.
///
/// **Links.** See [#link(SimulatedHost, SimulatedHost)] and [#links()]: latency, bandwidth, loss,
/// cuts and more.
///
/// **Determinism.** The same program has the same run: nothing depends on real time or on the order
/// of identity hash codes, and chance only on the generator of [#random(RandomGenerator)].
public final class SimulatedNetwork {

  private static final Duration DEFAULT_LATENCY = Duration.ofNanos(100_000);

  private final Clock clock;
  private final @Nullable VirtualClock owner;
  private final Network network;
  private final NetworkThread thread;

  private @Nullable Chance chance;

  private SimulatedNetwork(Clock clock, @Nullable VirtualClock owner, NetworkThread thread) {
    this.clock = clock;
    this.owner = owner;
    this.thread = thread;
    network =
        new Network(
            clock,
            LinkSettings.of(DEFAULT_LATENCY.toNanos()),
            this::chance,
            thread::check,
            SimulationStalledException::new);
  }

  /// Makes a network without hosts, whose time is its own and begins at zero.
  public SimulatedNetwork() {
    this(Clock.create(), null, new NetworkThread());
  }

  /// {@return a network without hosts, whose time is that of a virtual clock} For the clock's
  /// scheduler, see [SimulatedHost#install(Scheduler)].
  ///
  /// @param clock moves when the scheduler waits
  public static SimulatedNetwork on(VirtualClock clock) {
    return new SimulatedNetwork(
        new ClockOfScheduler(requireNonNull(clock, "clock is null")), clock, new NetworkThread());
  }

  /// The network of a world.
  ///
  /// @param clock moved by the world alone
  /// @param thread that of the world and of its hosts' tasks
  static SimulatedNetwork ofWorld(Clock clock, NetworkThread thread) {
    return new SimulatedNetwork(clock, null, thread);
  }

  void checkThread() {
    thread.check();
  }

  void join(Scheduler scheduler) {
    VirtualClock expected = owner;
    if (expected == null) {
      throw new IllegalStateException(
          "the network has its own time; make it with SimulatedNetwork.on(clock), and the scheduler"
              + " with clock.scheduler()");
    }
    if (LoopControl.of(scheduler.host()).idleStrategy() != expected) {
      throw new IllegalStateException(
          "the scheduler was not made with the clock of the network: clock=" + expected);
    }
    thread.add(scheduler);
    thread.check();
  }

  /// The world runs from now on, or stands still.
  void running(boolean now) {
    network.running(now);
  }

  Timeline timeline() {
    return network.timeline();
  }

  void watch(PacketWatch onlooker) {
    network.watch(onlooker);
  }

  // Hosts.

  /// Adds a host.
  ///
  /// @param name in messages, and resolved by the code on all hosts
  /// @param addresses of this host alone, numeric
  /// @return the host
  /// @throws IllegalArgumentException if another host has an address, or one is not numeric or no
  ///   address that a host can have
  public SimulatedHost host(String name, String... addresses) {
    requireNonNull(name, "name is null");
    for (String each : requireNonNull(addresses, "addresses is null")) {
      requireNonNull(each, "an element of addresses is null");
    }
    thread.check();
    List<InetAddress> parsed =
        List.of(addresses).stream().map(text -> address(name, text)).toList();
    return new SimulatedHost(this, network.add(name, parsed));
  }

  private static InetAddress address(String name, String text) {
    InetAddress numeric = InetAddress.ofLiteral(text);
    if (numeric.isLoopbackAddress()
        || numeric.isAnyLocalAddress()
        || numeric.isMulticastAddress()) {
      throw new IllegalArgumentException(
          "a host needs addresses of its own alone: host=%s, address=%s".formatted(name, text));
    }
    try {
      return InetAddress.getByAddress(name, numeric.getAddress());
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /// {@return what resolves the names of the hosts, whatever their case, and `localhost`} An
  /// unknown name fails, and nothing asks the real system. Hosts of one name have their addresses
  /// together. A scheduler that runs on a host has this resolver.
  NameResolver names() {
    return new NetworkNames(network);
  }

  // Links.

  /// Sets what the links draw from: losses, latencies, and all else that is random. With the same
  /// seed, the same program has the same run.
  ///
  /// @param generator of this network alone
  /// @return this network
  public SimulatedNetwork random(RandomGenerator generator) {
    thread.check();
    return chance(Chance.of(requireNonNull(generator, "generator is null")));
  }

  SimulatedNetwork chance(Chance given) {
    chance = given;
    return this;
  }

  boolean hasRandom() {
    return chance != null;
  }

  private Chance chance() {
    return requireNonNull(chance, "chance is null");
  }

  /// {@return the links between all hosts, also those to come} What is sent within a host takes no
  /// link. Cutting and holding concerns the hosts that there are.
  public SimulatedLinks links() {
    return new SimulatedLinks(
        this, () -> directions(network.hosts(), network.hosts()), network::changeLinks);
  }

  /// {@return the link between two hosts, both directions}
  ///
  /// @param one a host of this network
  /// @param other another one
  /// @throws IllegalArgumentException if a host is of another network, or it is twice the same
  public SimulatedLinks link(SimulatedHost one, SimulatedHost other) {
    requireNonNull(one, "one is null");
    return links(List.of(one), List.of(requireNonNull(other, "other is null")));
  }

  /// {@return one direction of the link between two hosts}
  ///
  /// @param from the sender
  /// @param to the receiver
  /// @throws IllegalArgumentException if a host is of another network, or it is twice the same
  public SimulatedLinks oneWay(SimulatedHost from, SimulatedHost to) {
    requireNonNull(from, "from is null");
    return links(between(List.of(from), List.of(requireNonNull(to, "to is null"))));
  }

  SimulatedLinks oneWay(Collection<SimulatedHost> from, Collection<SimulatedHost> to) {
    return links(between(from, to));
  }

  /// {@return the links between two sets of hosts, both directions; not those within a set}
  ///
  /// @param some hosts of this network
  /// @param others other ones
  /// @throws IllegalArgumentException if a host is of another network, or in both sets
  public SimulatedLinks links(Collection<SimulatedHost> some, Collection<SimulatedHost> others) {
    requireNoNull(some, "some");
    requireNoNull(others, "others");
    List<Link> both = new ArrayList<>(between(some, others));
    both.addAll(between(others, some));
    return links(both);
  }

  private static void requireNoNull(Collection<SimulatedHost> hosts, String name) {
    for (SimulatedHost each : requireNonNull(hosts, () -> name + " is null")) {
      requireNonNull(each, () -> "an element of " + name + " is null");
    }
  }

  private SimulatedLinks links(List<Link> chosen) {
    return new SimulatedLinks(
        this, () -> chosen, change -> chosen.forEach(link -> link.change(change)));
  }

  private List<Host> kernels(Collection<SimulatedHost> hosts) {
    thread.check();
    return hosts.stream().map(host -> host.kernelIn(this)).toList();
  }

  private List<Link> between(Collection<SimulatedHost> from, Collection<SimulatedHost> to) {
    for (SimulatedHost each : from) {
      if (to.contains(each)) {
        throw new IllegalArgumentException("a host has no link to itself: host=" + each.name());
      }
    }
    return directions(kernels(from), kernels(to));
  }

  /// {@return the links from each of some hosts to each of others}
  private List<Link> directions(List<Host> from, List<Host> to) {
    List<Link> all = new ArrayList<>();
    for (Host each : from) {
      for (Host other : to) {
        if (each != other) {
          all.add(network.link(each, other));
        }
      }
    }
    return all;
  }

  // Time.

  /// {@return the virtual time since the network was created}
  public Duration elapsed() {
    return Duration.ofNanos(clock.nanos());
  }

  /// Lets the next event happen, and what else is due then: moves time there. For a driver of
  /// several programs.
  ///
  /// @return false if there is no event
  public boolean advance() {
    thread.check();
    Timeline timeline = network.timeline();
    long next = timeline.nextInstant();
    if (next == Timeline.NEVER) {
      return false;
    }
    timeline.advanceTo(next);
    return true;
  }

  /// Moves time, and lets the events on the way happen.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  public void advanceBy(Duration duration) {
    requireNonNull(duration, "duration is null");
    thread.check();
    if (duration.isNegative()) {
      throw new IllegalArgumentException("duration must be at least zero: duration=" + duration);
    }
    boolean _ = network.runUntil(() -> false, duration.toNanos());
  }
}
