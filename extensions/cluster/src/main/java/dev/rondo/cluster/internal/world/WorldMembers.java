package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The members that one sees in a world, and its datagrams to and from them.
///
/// | a member is seen | until |
/// |---|---|
/// | when both have heard each other | it says that it leaves |
/// | | it was silent for `ClusterLimits.silence` |
/// | | its host says that no process is there, or another stay has its address, for a second |
/// | | it says that it does not see this one any more |
///
/// Confined to the world's thread.
public final class WorldMembers {

  /// Receives its news.
  interface Owner {

    /// Frames have come, from a member that is seen.
    void received(WorldPeer from, List<Frame> frames);

    /// Other members are seen than before.
    void changed();

    /// A member agrees by something else, and stays apart.
    void met(WorldPacket.Sender stranger);
  }

  /// How long a process that seems to be gone has to show that it is not.
  private static final long VERIFY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// A member to which nothing was sent for so long is sent something, at the engine's next tick.
  private static final long MOST_BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// How many heartbeats may be missing.
  private static final int HEARTBEATS = 8;

  private static final int LARGEST = 1 << 16;

  private final WorldSocket socket;
  private final DatagramChannel channel;
  private final WorldPacket.Sender self;
  private final long silenceNanos;
  private final long beatNanos;
  private final Owner owner;
  private final ByteBuffer buffer = ByteBuffer.allocate(LARGEST);

  /// By the ids of members.
  private final Map<String, WorldPeer> peers = new LinkedHashMap<>();

  private final WorldContacts contacts;
  private final @Nullable Supplier<List<InetSocketAddress>> finder;

  private final DepartedIds gone = new DepartedIds();

  private long lastSight;
  private long lastPacket;

  /// Where members listen that stay apart, by their ids.
  private final Map<String, InetSocketAddress> strangers = new HashMap<>();

  WorldMembers(
      WorldSocket socket,
      DatagramChannel channel,
      WorldPacket.Sender self,
      ClusterConfig config,
      Owner owner) {
    this.socket = socket;
    this.channel = channel;
    this.self = self;
    this.silenceNanos = Engine.nanos(config.limits().silence());
    this.beatNanos = Math.min(silenceNanos / HEARTBEATS, MOST_BEAT_NANOS);
    this.owner = owner;
    this.contacts = new WorldContacts(self.address(), config.members());
    this.finder = config.finder();
  }

  // Looking.

  /// {@return those that are seen}
  List<WorldPeer> seen() {
    return peers.values().stream().filter(each -> each.isSeen).toList();
  }

  /// {@return all members, this one included, the one that has been there longest first}
  List<Member> view() {
    record Aged(long since, Member member) {}
    return Stream.concat(
            Stream.of(new Aged(self.sinceNanos(), self.member())),
            seen().stream().map(each -> new Aged(each.sinceNanos, each.member)))
        .sorted(Comparator.comparingLong(Aged::since).thenComparing(each -> each.member().id()))
        .map(Aged::member)
        .toList();
  }

  /// {@return whether this member has been there longest of those with its name, as all see it}
  boolean isShown() {
    return Engine.shown(view()).contains(self.member())
        && seen().stream()
            .flatMap(each -> each.sees.stream())
            .noneMatch(each ->
                each.member().name().equals(self.member().name())
                    && !each.member().equals(self.member())
                    && isOlder(each));
  }

  /// As the order of [#view()].
  private boolean isOlder(WorldPacket.Sighting other) {
    int order = Long.compare(other.sinceNanos(), self.sinceNanos());
    return order < 0 || (order == 0 && other.member().id().compareTo(self.member().id()) < 0);
  }

  @Nullable WorldPeer find(Member member) {
    WorldPeer peer = peers.get(member.id());
    return peer != null && peer.isSeen ? peer : null;
  }

  /// {@return the addresses at which no member is seen}
  List<InetSocketAddress> withoutMember(List<InetSocketAddress> addresses) {
    var missing = new ArrayList<InetSocketAddress>(addresses);
    missing.remove(self.address());
    seen().forEach(each -> missing.remove(each.address));
    return missing;
  }

  /// {@return whether there is a member, or one that stays apart, at each of the addresses}
  boolean areAllMet(List<InetSocketAddress> addresses) {
    return strangers.values().containsAll(withoutMember(addresses));
  }

  boolean isAllConfirmed() {
    return seen().stream().allMatch(each -> each.stream.isConfirmed());
  }

  // Receiving.

  void receiveAll(long now) {
    try {
      while (channel.isOpen() && channel.receive(buffer.clear()) != null) {
        var bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        WorldPacket packet = WorldPacket.of(bytes);
        if (packet != null && isOurs(packet.sender())) {
          receive(packet, now);
        }
      }
    } catch (IOException e) {
      // Nothing has come.
    }
    List.copyOf(peers.values()).stream()
        .filter(each -> each.awaitsAnswer)
        .forEach(each -> beat(each, now));
  }

  private boolean isOurs(WorldPacket.Sender sender) {
    return sender.cluster().equals(self.cluster())
        && sender.secured() == self.secured()
        && !sender.member().equals(self.member())
        && !gone.contains(sender.member().id());
  }

  private void receive(WorldPacket packet, long now) {
    WorldPacket.Sender sender = packet.sender();
    noteStay(sender, now);
    if (!sender.agreesBy().equals(self.agreesBy())) {
      meetStranger(packet);
      return;
    }
    if (packet.leaves()) {
      gone.add(sender.member().id());
      contacts.left(sender.address());
      drop(peers.get(sender.member().id()));
      return;
    }
    WorldPeer peer = peers.get(sender.member().id());
    if (peer != null && peer.isSeen && hasLostSight(packet, peer)) {
      drop(peer);
      peer = null;
    }
    if (peer != null && packet.sight() != 0 && packet.sight() < peer.theirSight) {
      return; // it is late
    }
    if (peer == null) {
      peer = meet(sender, now);
      if (peer == null) {
        return;
      }
    }
    peer.theirSight = Math.max(peer.theirSight, packet.sight());
    boolean isForThis = packet.to().equals(self.member().id()) && packet.echo() == peer.sight;
    boolean isNew = isForThis && !peer.isSeen;
    peer.awaitsAnswer |= !isForThis || isNew || packet.piece() != null;
    if (isForThis) {
      take(packet, peer, isNew, now);
    }
  }

  /// It learns that this one stays apart, too.
  private void meetStranger(WorldPacket packet) {
    WorldPacket.Sender sender = packet.sender();
    if (packet.to().isEmpty()) {
      contact(sender.address(), sender.member().id());
    }
    if (strangers.put(sender.member().id(), sender.address()) == null) {
      owner.met(sender);
    }
  }

  /// A process that has the address of another stay has taken its place.
  private void noteStay(WorldPacket.Sender sender, long now) {
    for (WorldPeer each : peers.values()) {
      if (each.address.equals(sender.address()) && !each.member.equals(sender.member())) {
        each.broken(now);
      }
    }
  }

  private static boolean hasLostSight(WorldPacket packet, WorldPeer peer) {
    return packet.sight() == 0
        ? packet.lastSight() >= peer.theirSight
        : packet.sight() > peer.theirSight;
  }

  private @Nullable WorldPeer meet(WorldPacket.Sender sender, long now) {
    try {
      DatagramChannel connected = socket.newChannel();
      var peer = new WorldPeer(sender, ++lastSight, now, connected);
      DatagramChannel _ = connected.connect(sender.address());
      contacts.learn(sender.address(), now);
      peers.put(sender.member().id(), peer);
      return peer;
    } catch (IOException e) {
      return null; // it cannot be reached, or there are too many descriptors: it tries again
    }
  }

  private void take(WorldPacket packet, WorldPeer peer, boolean isNew, long now) {
    peer.heard(now);
    peer.stream.confirmed(packet.received());
    boolean isLate = packet.number() < peer.lastPacket;
    if (!isLate) {
      peer.lastPacket = packet.number();
    }
    if (packet.piece() == null && !isLate) {
      peer.sees = packet.others();
      peer.sees.stream()
          .filter(each -> !gone.contains(each.member().id()))
          .forEach(each -> contacts.learn(each.address(), now));
    }
    if (isNew) {
      peer.isSeen = true;
      owner.changed();
    }
    WorldStream.Piece piece = packet.piece();
    if (piece != null) {
      peer.stream.receive(piece, bytes -> passOn(peer, bytes));
    }
    flush(peer, now); // the window may have become free
  }

  private void passOn(WorldPeer from, byte[] bytes) {
    owner.received(from, frames(bytes));
  }

  private static List<Frame> frames(byte[] bytes) {
    var frames = new ArrayList<Frame>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      byte[] frame = new byte[in.getInt()];
      in.get(frame);
      frames.add(Frame.of(ByteBuffer.wrap(frame)));
    }
    return frames;
  }

  private void drop(@Nullable WorldPeer peer) {
    if (peer != null && peers.remove(peer.member.id(), peer)) {
      peer.close();
      if (peer.isSeen) {
        peer.isSeen = false;
        owner.changed();
      }
    }
  }

  // Sending.

  /// Sends frames, each behind its length.
  void send(WorldPeer to, List<Frame> frames, long now) {
    List<byte[]> all = frames.stream().map(Frame::bytes).toList();
    var out = ByteBuffer.allocate(all.stream().mapToInt(each -> Integer.BYTES + each.length).sum());
    all.forEach(each -> out.putInt(each.length).put(each));
    to.stream.add(out.array());
    flush(to, now);
  }

  private void flush(WorldPeer to, long now) {
    if (to.isSeen) {
      to.stream.due(now).forEach(piece -> to.send(packet(to, piece, false).bytes(), now));
    }
  }

  private void beat(WorldPeer to, long now) {
    to.send(packet(to, null, false).bytes(), now);
  }

  private WorldPacket packet(WorldPeer to, WorldStream.@Nullable Piece piece, boolean leaves) {
    return new WorldPacket(
        self,
        ++lastPacket,
        to.member.id(),
        to.sight,
        lastSight,
        to.theirSight,
        to.stream.received(),
        leaves,
        piece == null ? sightings() : List.of(),
        piece);
  }

  private List<WorldPacket.Sighting> sightings() {
    return seen().stream()
        .map(each -> new WorldPacket.Sighting(each.member, each.address, each.sinceNanos))
        .toList();
  }

  /// Looks for a member that is not known.
  ///
  /// @param id of the member; empty if that is not known
  private void contact(InetSocketAddress address, String id) {
    var hello = new WorldPacket(self, ++lastPacket, id, 0, lastSight, 0, 0, false, List.of(), null);
    try {
      int _ = channel.send(hello.bytes(), address);
    } catch (IOException e) {
      // It cannot be reached now.
    }
  }

  // Time.

  void tick(long now) {
    for (WorldPeer each : List.copyOf(peers.values())) {
      each.look(now);
      boolean isGone = each.broken && now - each.brokenNanos >= VERIFY_NANOS;
      if (isGone || now - each.heardNanos >= silenceNanos) {
        drop(each);
      } else if (now - each.sentNanos >= beatNanos) {
        beat(each, now);
      }
      flush(each, now);
    }
    Set<InetSocketAddress> known =
        peers.values().stream().map(each -> each.address).collect(Collectors.toSet());
    if (finder != null) {
      finder.get().forEach(each -> contacts.learn(each, now));
    }
    contacts.due(known, now).forEach(each -> contact(each, ""));
  }

  /// Says that this member leaves, and sends and receives nothing any more.
  void end() {
    for (WorldPeer each : peers.values()) {
      each.send(packet(each, null, true).bytes(), 0);
      each.close();
    }
    peers.clear();
    socket.close(channel);
  }
}
