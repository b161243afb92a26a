package dev.rondo.cluster.internal.world;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.JoinFailures;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import dev.rondo.condition.Cell;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.simulation.WorldHost;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Members on the hosts of a world: what the programs have of a cluster there, without a thread and
/// in virtual time. Their datagrams go through the simulated network, so that its links, crashes
/// and partitions act on them.
///
/// It does what [cluster.md](../../../../../../../docs/modules/cluster.md) says, with the limits of
/// the configuration. Left out are JGroups and TLS.
///
/// Confined to the world's thread.
public final class WorldEngine implements Engine, WorldMembers.Owner {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// How long a first member looks for others before it founds the cluster.
  private static final long DISCOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// How long leaving waits until what is queued was received.
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final Duration ROUND = Duration.ofMillis(1);

  private final WorldHost host;
  private final Scheduler scheduler;
  private final ClusterConfig config;
  private final Listener listener;
  private final Member self;

  /// Grows when a task that joins or leaves is to look again.
  private final Cell<Integer> news;

  private @Nullable InetSocketAddress address;
  private @Nullable WorldMembers members;

  private @Nullable TimerHandle ticking;
  private boolean ended;
  private boolean hasJoined;
  private String agreesBy = JoinFailures.NOTHING;
  private long passedNanos;

  /// Met before joining.
  private @Nullable ClusterException met;

  /// Makes one for a scheduler that runs on a host of a world.
  public WorldEngine(Scheduler scheduler, ClusterConfig config, Listener listener) {
    this.host = WorldHost.of(scheduler).orElseThrow();
    this.scheduler = scheduler;
    this.config = config;
    this.listener = listener;
    this.self = new Member(config.node(), host.uuid().toString());
    this.news = new Cell<>(scheduler, "news of the cluster", 0);
  }

  /// Whether a scheduler runs on a host of a world.
  public static boolean isFor(Scheduler scheduler) {
    return WorldHost.of(scheduler).isPresent();
  }

  /// {@return an id that is unique in the world}
  public String newId() {
    return host.uuid().toString();
  }

  private long now() {
    return scheduler.host().nowNanos();
  }

  private WorldMembers members() {
    return requireNonNull(members, "not joined");
  }

  // Joining.

  /// It suspends tasks.
  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public void agreeBy(String what, Duration passed) {
    agreesBy = what;
    passedNanos = Engine.nanos(passed);
  }

  @Override
  public void join() throws ClusterException {
    if (config.members().stream().anyMatch(InetSocketAddress::isUnresolved)) {
      throw JoinFailures.other(config, new IOException("a world has no names of members"));
    }
    long begin = now();
    long limit = Engine.nanos(config.limits().join()) - passedNanos;
    WorldMembers made = listen(begin, limit);
    members = made;
    tick();
    waitFor(() ->
        (isApart() ? made.areAllMet(config.members()) : isComplete(begin))
            || now() - begin >= limit);
    if (met != null && isApart()) {
      throw met;
    }
    if (!isComplete(begin)) {
      List<Member> shown = Engine.shown(view());
      throw made.isShown()
          ? JoinFailures.tooFew(config, shown, made.withoutMember(config.members()))
          : JoinFailures.nameTaken(config);
    }
    hasJoined = true;
    if (met != null) {
      listener.met(met);
    }
  }

  private WorldMembers listen(long begin, long limit) throws ClusterException {
    WorldSocket socket = WorldSocket.on(scheduler);
    while (!socket.isFree() && now() - begin < limit) {
      WaitForTime.on(scheduler).sleep(ROUND);
    }
    DatagramChannel channel = null;
    boolean listens = false;
    try {
      channel = socket.newChannel();
      DatagramChannel _ = channel.bind(config.address());
      var bound = (InetSocketAddress) requireNonNull(channel.getLocalAddress());
      address = bound;
      DatagramChannel opened = channel;
      socket.await(opened, this::arrived);
      listens = true;
      return new WorldMembers(socket, opened, sender(bound), config, this);
    } catch (BindException e) {
      throw JoinFailures.cannotListen(config, e);
    } catch (IOException e) {
      throw JoinFailures.other(config, e);
    } finally {
      if (channel != null && !listens) {
        socket.close(channel);
      }
    }
  }

  private WorldPacket.Sender sender(InetSocketAddress bound) {
    return new WorldPacket.Sender(
        config.cluster(),
        config.tls() != null,
        self,
        bound,
        host.world().elapsed().toNanos(),
        agreesBy);
  }

  /// Whether it knows members of which none is of this cluster.
  private boolean isApart() {
    return met != null && view().size() == 1;
  }

  private boolean isComplete(long begin) {
    return hasLooked(begin)
        && members().isShown()
        && Engine.shown(view()).size() >= config.atLeast();
  }

  private boolean hasLooked(long begin) {
    return now() - begin >= DISCOVERY_NANOS || members().withoutMember(config.members()).isEmpty();
  }

  /// *Always* a suspension point, unless the condition holds.
  private void waitFor(BooleanSupplier condition) {
    WaitForCondition.on(scheduler)
        .waitFor(() -> {
          int _ = news.get();
          return condition.getAsBoolean();
        });
  }

  // Leaving.

  /// Waits until the others have what was sent, and leaves.
  @Override
  public void leave() {
    long begin = now();
    try {
      waitFor(() -> ended || members().isAllConfirmed() || now() - begin >= DRAIN_NANOS);
    } finally {
      drop();
    }
  }

  @Override
  public void drop() {
    if (!ended) {
      ended = true;
      if (ticking != null) {
        boolean _ = ticking.cancel();
      }
      if (members != null) {
        members.end();
      }
    }
  }

  // What happens.

  private void tick() {
    if (ended) {
      return;
    }
    ticking = WaitForTime.on(scheduler).at(now() + TICK_NANOS, this::tick);
    WorldMembers own = members();
    own.receiveAll(now()); // a member that stood still has heard from the others meanwhile
    own.tick(now());
    inform();
  }

  private void arrived() {
    WorldMembers own = members;
    if (own != null && !ended) {
      own.receiveAll(now());
      inform();
    }
  }

  private void inform() {
    news.set(news.get() + 1);
  }

  @Override
  public void received(WorldPeer from, List<Frame> frames) {
    listener.received(from.member, frames);
  }

  @Override
  public void changed() {
    listener.membersChanged();
    inform();
  }

  @Override
  public void met(WorldPacket.Sender stranger) {
    ClusterException difference =
        JoinFailures.otherEngine(config, agreesBy, stranger.member(), stranger.agreesBy());
    if (hasJoined) {
      listener.met(difference);
    } else {
      met = difference;
      inform();
    }
  }

  // As an engine.

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> view() {
    return members().view();
  }

  @Override
  public InetSocketAddress address() {
    return requireNonNull(address, "not joined");
  }

  @Override
  public void send(Member to, List<Frame> frames) {
    WorldMembers own = members;
    WorldPeer peer = ended || own == null ? null : own.find(to);
    if (own != null && peer != null) {
      own.send(peer, frames, now());
    }
  }
}
