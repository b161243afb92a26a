package dev.rondo.cluster.internal.jgroups;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.JoinFailures;
import dev.rondo.cluster.internal.engine.Wire;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/// Members over TCP, by JGroups. The name of a node is part of its address there, so that each view
/// has the names of its members.
public final class JGroupsEngine implements Engine {

  private static final String NAME = "rondo";
  private static final String AGREES = "agrees";
  private static final String WIRE = "wire";

  /// How long leaving waits until what is queued was sent.
  private static final long DRAIN_MILLIS = 2_000;

  /// How often leaving looks whether that was received.
  private static final long LOOK_NANOS = 1_000_000;

  private final ClusterConfig config;
  private final Listener listener;
  private final Wire wire;
  private volatile Member self;
  private final JGroupsSender sender;
  private String agreesBy = JoinFailures.NOTHING;
  private long passedNanos;

  private final ReentrantLock lock = new ReentrantLock();

  /// Held while a thread leaves.
  private final ReentrantLock departing = new ReentrantLock();

  private final Condition viewChanged = lock.newCondition();

  /// Members of JGroups that stay apart, and why. Guarded by the lock.
  private Map<Member, ClusterException> strangers = Map.of();

  /// Whether strangers are reported, and do not fail joining any more. Guarded by the lock.
  private boolean hasJoined;

  private volatile Map<Member, Address> members = Map.of();
  private volatile Map<Address, Member> names = Map.of();

  /// Members that have sent something before a view had them.
  private final Map<Member, Address> early = new ConcurrentHashMap<>();

  private volatile @Nullable JChannel channel;
  private volatile boolean leaving;
  private volatile boolean hasSent;

  public JGroupsEngine(ClusterConfig config, Listener listener) {
    this(config, listener, Wire.OURS);
  }

  /// Makes one that speaks other versions, for tests.
  public JGroupsEngine(ClusterConfig config, Listener listener, Wire wire) {
    this.config = config;
    this.listener = listener;
    this.wire = wire;
    this.self = new Member(config.node(), "");
    this.sender = new JGroupsSender(config.node(), new Sending());
  }

  /// The address of this member, which the protocols add to.
  private ExtendedUUID newAddress() {
    return newAddress(config, wire, agreesBy);
  }

  static ExtendedUUID newAddress(ClusterConfig config, Wire wire, String agreesBy) {
    ExtendedUUID address = ExtendedUUID.randomUUID(config.node());
    return address
        .put(NAME, bytes(config.node()))
        .put(WIRE, bytes(wire.toString()))
        .put(AGREES, bytes(agreesBy));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Returns the member of an address; null if it is none of ours.
  private static @Nullable Member member(@Nullable Address address) {
    if (!(address instanceof ExtendedUUID named)) {
      return null;
    }
    byte[] name = named.get(NAME);
    return name == null
        ? null
        : new Member(new String(name, StandardCharsets.UTF_8), named.toStringLong());
  }

  // Joining and leaving.

  @Override
  public void agreeBy(String what, Duration passed) {
    agreesBy = what;
    passedNanos = Engine.nanos(passed);
  }

  @Override
  public void join() throws ClusterException {
    long deadline = System.nanoTime() + Engine.nanos(config.limits().join()) - passedNanos;
    JavaSerialization.refuse();
    JGroupsFrames.register();
    boolean joined = false;
    try {
      JChannel made = new JChannel(JGroupsStack.of(config, sender.bundler()));
      channel = made;
      var _ = made.name(config.node()).addAddressGenerator(this::newAddress);
      var _ = made.setDiscardOwnMessages(true).setReceiver(new Incoming());
      var _ = made.connect(config.cluster());
      self = requireNonNull(member(made.getAddress()));
      sender.start();
      awaitOthers(deadline);
      joined = !leaving;
      if (leaving) {
        throw new ClusterException("node '" + config.node() + "' no longer joins", null);
      }
    } catch (ClusterException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("joining was interrupted", e);
    } catch (Exception e) {
      throw explained(e);
    } finally {
      if (!joined) {
        leave();
      }
    }
  }

  private ClusterException explained(Exception failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof BindException) {
        return JoinFailures.cannotListen(config, failure);
      }
    }
    return JoinFailures.other(config, failure);
  }

  private void awaitOthers(long deadline) throws ClusterException, InterruptedException {
    List<Member> shown = awaitEnough(deadline, config.atLeast());
    if (shown.size() == 1) {
      Map<InetSocketAddress, String> refusals = Inquiry.refusals(config, missing());
      if (Inquiry.mayBeBusy(refusals)) {
        shown = awaitEnough(deadline, Math.max(2, config.atLeast()));
      }
      if (!refusals.isEmpty() && Engine.shown(view()).size() == 1) {
        throw JoinFailures.refused(config, refusals);
      }
    }
    if (shown.size() < config.atLeast()) {
      throw JoinFailures.tooFew(config, shown, missing());
    }
  }

  /// Waits until this member is shown, and enough others are, or too few in time.
  private List<Member> awaitEnough(long deadline, int least)
      throws ClusterException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        List<Member> shown = Engine.shown(view());
        boolean isApart = members.size() == 1 && !strangers.isEmpty();
        boolean isShown = shown.contains(self) && !isApart;
        long left = deadline - System.nanoTime();
        if (isApart && (left <= 0 || areAllMet())) {
          throw strangers.values().iterator().next();
        }
        if (leaving || (isShown && (shown.size() >= least || left <= 0))) {
          hasJoined = true;
          strangers.values().forEach(listener::met);
          return shown;
        }
        if (left <= 0) {
          throw JoinFailures.nameTaken(config);
        }
        var _ = viewChanged.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether there is a member of JGroups at each address at which it looks for members. Otherwise
  /// some of them may have a part of their own yet, which it finds.
  private boolean areAllMet() {
    JChannel made = requireNonNull(channel);
    Set<PhysicalAddress> others = new HashSet<>(JGroupsStack.resolved(made));
    for (Address each : made.getView()) {
      var _ =
          others.remove((PhysicalAddress) made.down(new Event(Event.GET_PHYSICAL_ADDRESS, each)));
    }
    return others.isEmpty();
  }

  /// {@return why a member of JGroups is none of this cluster; null if it is one}
  private @Nullable ClusterException difference(Member member, Address address) {
    String stated = said(address, WIRE);
    if (wire.common(stated).isEmpty()) {
      return JoinFailures.otherWire(config, wire, member, stated);
    }
    String said = said(address, AGREES);
    return said.equals(agreesBy) ? null : JoinFailures.otherEngine(config, agreesBy, member, said);
  }

  private static String said(Address by, String key) {
    byte[] value = by instanceof ExtendedUUID named ? named.get(key) : null;
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  /// {@return the given addresses at which there is no member}
  private List<InetSocketAddress> missing() {
    var missing = new ArrayList<>(JGroupsStack.lookedAt(requireNonNull(channel)));
    for (Address each : members.values()) {
      InetSocketAddress there = physical(each);
      missing.removeIf(named -> there != null && JGroupsStack.AddressList.isOf(named, there));
    }
    return missing;
  }

  private @Nullable InetSocketAddress physical(Address logical) {
    return requireNonNull(channel).down(new Event(Event.GET_PHYSICAL_ADDRESS, logical))
            instanceof IpAddress ip
        ? new InetSocketAddress(ip.getIpAddress(), ip.getPort())
        : null;
  }

  @Override
  public void leave() {
    leaving = true;
    lock.lock();
    try {
      viewChanged.signalAll();
    } finally {
      lock.unlock();
    }
    departing.lock();
    try {
      drainAndClose();
    } finally {
      departing.unlock();
    }
  }

  private void drainAndClose() {
    boolean interrupted = false;
    try {
      sender.end(DRAIN_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    JChannel left = channel;
    if (left != null) {
      awaitReceived(left);
      left.close();
      JGroupsStack.closeListening(left);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits a while until the others have what was sent to them.
  private void awaitReceived(JChannel leaving) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
    while (leaving.isConnected()
        && !isReceived()
        && System.nanoTime() - deadline < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// Whether the members that are present, or known already, have confirmed what was sent to them.
  /// JGroups keeps what was sent to one that is gone for a minute, and no answer comes.
  public boolean isReceived() {
    UNICAST3 unicast = requireNonNull(channel).getProtocolStack().findProtocol(UNICAST3.class);
    return !hasSent
        || Stream.of(members, early)
            .flatMap(each -> each.values().stream())
            .allMatch(each -> unicast.getNumUnackedMessages(each) == 0);
  }

  // Looking.

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> view() {
    return List.copyOf(members.keySet());
  }

  @Override
  public InetSocketAddress address() {
    return requireNonNull(physical(requireNonNull(channel).getAddress()), "not joined");
  }

  /// The channel, for tests that cut it; null before joining.
  public @Nullable JChannel channel() {
    return channel;
  }

  // Sending.

  @Override
  public void send(Member to, List<Frame> frames) {
    Address address = members.getOrDefault(to, early.get(to));
    if (address != null) {
      sender.send(address, frames);
    }
  }

  /// Runs on the sender's thread.
  private final class Sending implements JGroupsSender.Output {

    @Override
    public void send(Address to, List<Frame> frames) {
      hasSent = true;
      int version = wire.common(said(to, WIRE)).orElse(wire.oldest());
      JGroupsFrames.send(to, frames, version, this::send);
    }

    private void send(Message message) {
      try {
        var _ = requireNonNull(channel).send(message);
      } catch (Exception e) {
        // The channel is closed: the members leave, and what was sent to them fails.
      }
    }
  }

  /// Called by JGroups, on its threads.
  private final class Incoming implements Receiver {

    @Override
    public void viewAccepted(View view) {
      var seen = new LinkedHashMap<Member, Address>();
      var named = new HashMap<Address, Member>();
      var differing = new HashMap<Member, ClusterException>();
      for (Address each : view.getMembers()) {
        Member member = member(each);
        ClusterException difference = member == null ? null : difference(member, each);
        if (member != null && difference != null) {
          differing.put(member, difference);
        } else if (member != null) {
          seen.put(member, each);
          named.put(each, member);
        }
      }
      lock.lock();
      try {
        names = Map.copyOf(named);
        members = Collections.unmodifiableMap(seen);
        early.clear();
        if (hasJoined) {
          differing.forEach((member, difference) -> {
            if (!strangers.containsKey(member)) {
              listener.met(difference);
            }
          });
        }
        strangers = differing;
        viewChanged.signalAll();
      } finally {
        lock.unlock();
      }
      if (view instanceof MergeView merged) {
        listener.lost(ofOtherParts(merged, requireNonNull(channel).getAddress()));
      }
      listener.membersChanged();
    }

    /// Returns the members in whose view this one was not.
    private static List<Member> ofOtherParts(MergeView merged, Address own) {
      return merged.getSubgroups().stream()
          .filter(part -> !part.containsMember(own))
          .flatMap(part -> part.getMembers().stream())
          .flatMap(address -> Stream.ofNullable(member(address)))
          .toList();
    }

    @Override
    public void receive(Message message) {
      receive(message.getSrc(), List.of(message));
    }

    /// The messages of a member that have come together.
    @Override
    public void receive(MessageBatch batch) {
      receive(batch.getSender(), batch);
    }

    private void receive(Address source, Iterable<Message> messages) {
      Member known = names.get(source);
      Member from = known != null ? known : member(source);
      if (from == null || (known == null && difference(from, source) != null)) {
        return;
      }
      var frames = new ArrayList<Frame>();
      for (Message each : messages) {
        JGroupsFrames.read(each, wire, frames::add);
      }
      if (known == null) {
        early.put(from, source);
      }
      if (!frames.isEmpty()) {
        listener.received(from, frames);
      }
    }
  }
}
