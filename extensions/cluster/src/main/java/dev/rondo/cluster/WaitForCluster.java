package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.Members;
import dev.rondo.cluster.members.MembersChange;
import dev.rondo.cluster.members.Quorum;
import dev.rondo.condition.Cell;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.time.Recurrence;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import dev.rondo.time.WallClock;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A scheduler as a member of a cluster: the other members, and mailboxes and signals by name on
/// any of them.
///
/// Without an address a node is a cluster of one: nothing to configure, no socket, no thread. With
/// one it is alone until it [joins][#join()], and again when it has left.
///
/// **Threads.** The engine of the cluster has threads of its own, which hand over to the
/// scheduler's inbox and nothing else. On a host of a simulated world the engine is simulated, too:
/// it has no threads, and its messages go through the world's network.
///
/// **Lifetime.** A cluster that is joined keeps the scheduler from being deadlocked, because other
/// members may wake any task; it does not keep it running. Closing the scheduler leaves the
/// cluster.
///
/// **Trust.** Each member is trusted. On a loopback address without TLS a process of the same
/// machine can become one; everywhere else a member needs a key that the others trust. Bytes of
/// strangers are dropped.
///
/// Confined to the scheduler's thread.
public final class WaitForCluster implements AddOn {

  /// How many changes a subscription keeps that is not read.
  private static final int CHANGES_KEPT = 1_024;

  /// How often the last task looks whether the others have ended.
  private static final Duration LOOK = Duration.ofMillis(10);

  /// How long it waits until the leases were given back.
  private static final Duration LAST = Duration.ofMillis(500);

  private enum Phase {
    ALONE,
    JOINING,
    JOINED,
    LEAVING
  }

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final ClusterConfig config;
  private final Engine.Maker engines;
  private final PostOffice office;
  private final Outbox outbox;

  /// This member for its own messages, joined or not.
  private final Member here;

  private final Cell<Members> members;
  private final Broadcast<MembersChange> changes;
  private StepTask<Void> task;
  private Phase phase = Phase.ALONE;
  private @Nullable Engine engine;

  /// The engine that a task leaves, because the scheduler ends; null if none does.
  private @Nullable Engine leftAtTheEnd;

  private final Departures departures = new Departures();

  private final Arrivals arrivals;

  private final Participation participation;

  /// The jobs of this node that may begin new runs.
  private final List<ClusterJob> jobs = new ArrayList<>();

  @SuppressWarnings("NullAway") // the task is set by on(), at once
  private WaitForCluster(Scheduler scheduler, ClusterConfig config, Engine.Maker engines) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.config = config;
    this.engines = engines;
    this.here = new Member(config.node(), "");
    this.members = new Cell<>(scheduler, "members", alone());
    this.changes =
        new Broadcast<MembersChange>(scheduler, CHANGES_KEPT, Overflow.DROP_OLDEST)
            .named("changes of members");
    this.office =
        new PostOffice(scheduler, config.limits().messageBytes(), this::carry, () -> task.wake());
    this.outbox = new Outbox(this::carryAll, () -> task.wake());
    this.arrivals = new Arrivals(scheduler, this::received);
    this.participation = new Participation(scheduler, config);
  }

  /// {@return the cluster of a scheduler} If it has none, a cluster of one is installed whose node
  /// has the name `here`. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForCluster on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForCluster installed = scheduler.host().addOn(WaitForCluster.class);
    return installed != null ? installed : on(scheduler, ClusterConfig.of("here"));
  }

  /// {@return the cluster of a scheduler, installed by this call} It is not joined yet. On a host
  /// of a simulated world its engine is simulated, if the module of worlds is there. Never a
  /// suspension point.
  ///
  /// @param scheduler on its own thread
  /// @param config how it takes part
  /// @throws IllegalStateException if the scheduler has a cluster already, or is closed
  public static WaitForCluster on(Scheduler scheduler, ClusterConfig config) {
    requireNonNull(scheduler, "scheduler is null");
    requireNonNull(config, "config is null");
    return on(scheduler, Engines.usable(scheduler, config), Engines.of(scheduler));
  }

  static WaitForCluster on(Scheduler scheduler, ClusterConfig config, Engine.Maker engines) {
    var _ = WaitForTime.on(scheduler); // is closed after the cluster then
    var cluster = new WaitForCluster(scheduler, config, engines);
    cluster.task = scheduler.host().install(cluster);
    return cluster;
  }

  // Membership.

  /// Joins the cluster: looks for members at the configured addresses, and founds the cluster if
  /// there is none. Founders that did not find each other join theirs later. Returns when this node
  /// is a member. Does nothing if the node has no address, or has joined. *Possibly* a suspension
  /// point; a task that is cancelled meanwhile leaves the node alone.
  ///
  /// @throws ClusterException if the address is taken, fewer members are there in time than are
  ///   needed, or one of them has the name of this node; the node is alone, and may try again
  /// @throws IllegalStateException while another task joins or leaves
  public void join() throws ClusterException {
    host.checkThread();
    if (Engines.areNotNeeded(config) || phase == Phase.JOINED) {
      return;
    }
    requireAlone();
    var agreement = new Consensus(scheduler);
    var inbound = new Inbound(agreement);
    Engine made = engines.make(config, inbound, agreement.machine());
    engine = made;
    phase = Phase.JOINING;
    boolean joined = false;
    try {
      departures.await(scheduler);
      made.joinIn(scheduler);
      inbound.requireOpen();
      joined = true;
    } finally {
      if (!joined) {
        phase = Phase.ALONE;
        engine = null;
        departures.begin(made);
      }
    }
    phase = Phase.JOINED;
    participation.begin(agreement, made, this::present);
    show(made);
    var _ = task.wake();
  }

  private List<String> present() {
    return members.get().all().stream().map(Member::id).toList();
  }

  private void requireAlone() {
    if (phase != Phase.ALONE) {
      throw new IllegalStateException("another task is " + phase + ": wait until it has");
    }
  }

  /// Leaves the cluster in order. The code that runs with leases of this node is cancelled, that of
  /// its jobs and keys included. When it has ended the leases are given back, so that other nodes
  /// can have them at once. That takes [ClusterLimits#leave()] at most: leases that are not given
  /// back by then end by their time, and the failure handler receives a [ClusterException]. Then
  /// what tasks have sent is sent, and the others learn what was agreed on, which is waited for 2 s
  /// at most; and they are informed. The node is alone, and may join again. Does nothing if it has
  /// not joined. *Possibly* a suspension point; a cancellation waits.
  ///
  /// @throws IllegalStateException while another task joins or leaves
  public void leave() {
    host.checkThread();
    if (phase == Phase.ALONE) {
      return;
    }
    if (phase != Phase.JOINED) {
      requireAlone();
    }
    Engine left = requireNonNull(engine);
    sendAll();
    phase = Phase.LEAVING;
    try {
      scheduler.shielded(() -> {
        participation.giveBack();
        participation.end();
        left.leaveIn(scheduler);
      });
    } finally {
      participation.end();
      phase = Phase.ALONE;
      engine = null;
      show(alone());
      var _ = task.wake(); // to suspend
    }
  }

  /// {@return the members as this one sees them} A predicate that reads the cell watches it. Only
  /// this add-on sets it. Never a suspension point.
  public Cell<Members> members() {
    return members;
  }

  /// {@return the changes of the members from now on} They are received in order, one by one; of
  /// more than 1,024 that are not received the oldest are dropped. Never a suspension point.
  public Subscription<MembersChange> changes() {
    return changes.subscribe();
  }

  /// {@return whether the node has joined} Never a suspension point.
  public boolean isJoined() {
    host.checkThread();
    return phase == Phase.JOINED;
  }

  /// {@return where this member listens; empty if it has not joined} Never a suspension point.
  public Optional<InetSocketAddress> address() {
    host.checkThread();
    return phase == Phase.JOINED && config.address() != null
        ? Optional.of(requireNonNull(engine).address())
        : Optional.empty();
  }

  private Members alone() {
    return new Members(here, List.of(here));
  }

  private void show(Engine joined) {
    List<Member> shown = Engine.shown(joined.view());
    if (shown.contains(joined.self())) {
      show(new Members(joined.self(), shown));
    } else {
      expelled(joined);
    }
  }

  /// Two parts of a cluster have become one, and the other has an older member of this name.
  private void expelled(Engine joined) {
    removed(
        joined,
        new ClusterException(
            "node '%s' has left: cluster '%s' has an older member with its name"
                .formatted(config.node(), config.cluster()),
            null));
  }

  private void removed(Engine left, ClusterException reason) {
    departures.begin(left);
    participation.end();
    phase = Phase.ALONE;
    engine = null;
    show(alone());
    var _ = task.wake(); // to suspend
    host.report("cluster", reason);
  }

  private void show(Members now) {
    Members before = members.get();
    if (!now.equals(before)) {
      var change = new MembersChange(before, now);
      members.set(now);
      if (!before.self().equals(here)) { // which has not left
        office.left(change.left());
      }
      var _ = changes.trySend(change);
    }
  }

  // Messages.

  /// {@return a new mailbox, that tasks of all members may send to} Open it before the others send:
  /// messages for a mailbox that is not there are refused. Never a suspension point.
  ///
  /// @param <T> the messages
  /// @param name 1 to 255 bytes of UTF-8
  /// @param codec that of the senders
  /// @throws IllegalStateException if there is a mailbox of that name already
  public <T> Mailbox<T> mailbox(String name, Codec<T> codec) {
    host.checkThread();
    PostOffice.requireName(name);
    return new Mailbox<>(office, name, requireNonNull(codec, "codec is null"));
  }

  /// {@return the way to a mailbox of a member} The member is looked up by each send. Never a
  /// suspension point.
  ///
  /// @param <T> the messages
  /// @param node the name of the member's node; may be that of this one
  /// @param name of the mailbox
  /// @param codec that of the mailbox
  public <T> RemoteMailbox<T> to(String node, String name, Codec<T> codec) {
    host.checkThread();
    requireNonNull(node, "node is null");
    PostOffice.requireName(name);
    requireNonNull(codec, "codec is null");
    return new RemoteMailbox<>(office, new Way(office, members, here, node, name), codec);
  }

  /// {@return a new signal, that the same signals of other members receive} Never a suspension
  /// point.
  ///
  /// @param <T> the payload
  /// @param name 1 to 255 bytes of UTF-8
  /// @param codec that of the other members
  /// @throws IllegalStateException if there is a signal of that name already
  public <T> ClusterSignal<T> signal(String name, Codec<T> codec) {
    host.checkThread();
    PostOffice.requireName(name);
    return new ClusterSignal<>(
        office, name, requireNonNull(codec, "codec is null"), this::recipients);
  }

  private List<Member> recipients() {
    Members now = members.get();
    return now.all().stream().map(member -> member.equals(now.self()) ? here : member).toList();
  }

  private void carry(Member to, Frame frame) {
    if (to.equals(here)) {
      arrivals.add(here, List.of(frame.copied()));
    } else {
      outbox.add(to, frame);
    }
  }

  private void carryAll(Member to, List<Frame> frames) {
    if (engine != null) {
      engine.send(to, frames);
    }
  }

  /// Passes on what tasks have sent, and confirms what they have taken.
  private void sendAll() {
    office.confirm();
    outbox.flush();
  }

  private void received(Member from, Frame frame) {
    if (phase != Phase.ALONE || from.equals(here)) {
      office.received(from, frame);
    }
  }

  /// {@return how many messages were refused because they are no frames, too large, too many, or
  /// not understood} Never a suspension point.
  long rejected() {
    host.checkThread();
    return office.rejected();
  }

  // Looking.

  @Override
  public void describe(AddOnReport report) {
    requireNonNull(report, "report is null");
    String standing = phase.name().toLowerCase(Locale.ROOT);
    var said = new ClusterReport(config, members.get(), address(), standing);
    said.writeTo(report, participation, office);
  }

  // What the nodes agree on.

  /// {@return whether this node can agree with the others, since when, and why not} A predicate
  /// that reads the cell watches it. Only this add-on sets it. A node notices within some 5 s that
  /// its etcd does not answer, or has no majority. Never a suspension point.
  public Cell<Quorum> quorum() {
    return participation.quorum();
  }

  /// {@return a name that one node at a time can have a lease of} Never a suspension point.
  ///
  /// @param name 1 to 255 bytes of UTF-8
  public ClusterLease lease(String name) {
    return leaseOf("lease", name);
  }

  private ClusterLease leaseOf(String kind, String name) {
    host.checkThread();
    PostOffice.requireName(name);
    return new ClusterLease(host, participation, LeaseWatch.name(kind, name));
  }

  /// {@return a number that all nodes count with} Never a suspension point.
  ///
  /// @param name 1 to 255 bytes of UTF-8
  public ClusterCounter counter(String name) {
    host.checkThread();
    PostOffice.requireName(name);
    return new ClusterCounter(participation::onValues, "counter '" + name + "'");
  }

  /// {@return a variable that all nodes share} Never a suspension point.
  ///
  /// @param <T> the value
  /// @param name 1 to 255 bytes of UTF-8
  /// @param codec that of the other nodes; equal values need equal bytes
  public <T> ClusterRegister<T> register(String name, Codec<T> codec) {
    host.checkThread();
    PostOffice.requireName(name);
    requireNonNull(codec, "codec is null");
    return new ClusterRegister<>(
        participation::onValues,
        "register '" + name + "'",
        codec,
        value -> office.encoded(codec, value));
  }

  // Jobs.

  /// Runs an action periodically, on one node at a time of those that call this with the same name.
  /// A node that takes over goes on with the phase of the one before. A run whose node was lost in
  /// the middle is repeated, see [JobRun#isRepeated()]. Never a suspension point.
  ///
  /// @param name 1 to 255 bytes of UTF-8
  /// @param period at least a millisecond; by the wall clocks of the nodes
  /// @param policy for runs that were missed, because a run took long or no node was there
  /// @param action may suspend
  /// @return the job, to cancel it
  /// @throws IllegalArgumentException if the name or the period is out of its range
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  public ClusterJob periodic(String name, Duration period, TickPolicy policy, JobAction action) {
    return job(name, JobSchedule.every(period, policy), action, new WallClock(scheduler));
  }

  /// Runs an action at the instants of a recurrence, as of [Recurrence#cron(String, ZoneId)], on
  /// one node at a time of those that call this with the same name. Instants that have passed count
  /// as one. A run whose node was lost in the middle is repeated, see [JobRun#isRepeated()]. Never
  /// a suspension point.
  ///
  /// @param name 1 to 255 bytes of UTF-8
  /// @param recurrence the same on all nodes
  /// @param action may suspend
  /// @return the job, to cancel it
  /// @throws IllegalArgumentException if the name is too short or too long
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  public ClusterJob recurring(String name, Recurrence recurrence, JobAction action) {
    return job(name, JobSchedule.of(recurrence), action, new WallClock(scheduler));
  }

  /// For tests, whose clock is their own.
  ClusterJob job(String name, JobSchedule schedule, JobAction action, WallClock clock) {
    ClusterLease lease = leaseOf("job", name);
    requireNonNull(action, "action is null");
    Consensus present = participation.onValues();
    var register =
        new ClusterRegister<>(
            participation::onValues, lease.toString(), JobState.CODEC, JobState.CODEC::encode);
    var place =
        new ClusterJob.Place(
            scheduler,
            clock,
            lease,
            register,
            config.limits().lease(),
            () -> participation.isIn(present));
    var job = new ClusterJob(place, schedule, action);
    jobs.removeIf(ClusterJob::isDone);
    jobs.add(job);
    return job;
  }

  // Keys.

  /// Spreads work over the members that call this with the same name and keys: each key is served
  /// by one of them at a time. When one comes or goes, as few keys move as possible: the action of
  /// a key that moves is cancelled, and the next member serves the key when it has ended. A key of
  /// a member that is lost is served again when [ClusterLimits#lease()] is over. Each key's lease
  /// is renewed three times in that time: a thousand keys are 600 renewals a second with leases of
  /// 5 s. Never a suspension point.
  ///
  /// @param name 1 to 255 bytes of UTF-8
  /// @param keys the same on all members that serve them, each as the name; duplicates count once
  /// @param action serves a key, in a task of its own; may suspend
  /// @return the spread, to cancel it
  /// @throws IllegalArgumentException if a name is empty or too long
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  public ClusterSpread spread(String name, Collection<String> keys, SpreadAction action) {
    host.checkThread();
    PostOffice.requireName(name);
    requireNonNull(keys, "keys is null").forEach(PostOffice::requireName);
    requireNonNull(action, "action is null");
    Consensus present = participation.onValues();
    String quoted = "spread '" + name.replace("'", "''") + "'";
    return new ClusterSpread(
        new ClusterSpread.Place(
            scheduler,
            quoted,
            config.node(),
            participation.held(quoted + " member"),
            leaseOf(quoted + " member", config.node()),
            key -> leaseOf(quoted + " key", key),
            config.limits().lease(),
            config.address() == null,
            () -> participation.isIn(present)),
        keys,
        action);
  }

  /// Receives reports of an engine, on its threads.
  private final class Inbound implements Engine.Listener {

    private final Consensus agreement;

    /// Why the engine has failed outside of a stay. Of the scheduler's thread.
    private @Nullable ClusterException failure;

    Inbound(Consensus agreement) {
      this.agreement = agreement;
    }

    /// Fails if the engine has failed as it joined, and before its stay.
    void requireOpen() throws ClusterException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void leaderChanged(boolean leads) {
      var _ = scheduler.post(() -> agreement.leaderChanged(leads));
    }

    @Override
    public void quorumChanged(String why) {
      var _ =
          scheduler.post(() -> {
            if (participation.isOf(agreement)) {
              participation.quorumChanged(why);
            }
          });
    }

    @Override
    public void failed(ClusterException reason) {
      var _ =
          scheduler.post(() -> {
            if (participation.isIn(agreement)) {
              removed(requireNonNull(engine), reason);
            } else {
              failure = reason;
              host.report("cluster", reason);
            }
          });
    }

    @Override
    public void met(ClusterException strangers) {
      var _ = scheduler.post(() -> host.report("cluster", strangers));
    }

    @Override
    public void membersChanged() {
      var _ =
          scheduler.post(() -> {
            if (phase == Phase.JOINED) {
              show(requireNonNull(engine));
            }
          });
    }

    @Override
    public void lost(List<Member> lost) {
      var _ =
          scheduler.post(() -> {
            if (phase == Phase.JOINED) {
              sendAll(); // some of them may have seen this one
              Members now = members.get();
              List<Member> left = new ArrayList<>(now.all());
              left.removeAll(lost);
              show(new Members(now.self(), left));
            }
          });
    }

    @Override
    public void received(Member from, List<Frame> frames) {
      arrivals.add(from, frames);
    }
  }

  // The task.

  @Override
  public StepResult turn(StepTask<Void> self) {
    if (scheduler.host().isShuttingDown()) {
      jobs.forEach(ClusterJob::endRepeated);
      jobs.clear();
      leaveAtTheEnd();
    }
    sendAll();
    return phase == Phase.ALONE ? StepResult.SUSPEND : self.idle();
  }

  /// An engine that does not block needs tasks to leave. So one of them gives the leases back, when
  /// the others have ended or are cancelled; for it to be done in time they are not waited for.
  private void leaveAtTheEnd() {
    Engine left = engine;
    if (phase != Phase.JOINED || left == null || left.blocks() || left == leftAtTheEnd) {
      return;
    }
    leftAtTheEnd = left;
    var _ =
        scheduler.spawn(
            "leaves the cluster",
            () -> {
              try {
                while (!LoopControl.of(host).isEnding() && othersAreLeft()) {
                  WaitForTime.on(scheduler).sleep(LOOK);
                }
              } finally {
                scheduler.shielded(() -> {
                  sendAll();
                  participation.giveBackAtTheEnd(LAST);
                  if (engine == left) {
                    close();
                  }
                });
              }
            });
  }

  private boolean othersAreLeft() {
    return scheduler.tasks().stream().filter(each -> !each.isDaemon()).count() > 1;
  }

  /// Leaves the cluster. Tasks have ended; leases that they have not closed are given back.
  @Override
  public void close() {
    Engine left = engine;
    if (left != null) {
      sendAll();
      participation.giveBackClosing(left.blocks());
      participation.end();
      phase = Phase.ALONE;
      engine = null;
      left.drop();
    }
  }
}
