package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.members.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;

/// Another member in a world, as one member sees it.
///
/// Confined to the world's thread.
public final class WorldPeer {

  final Member member;
  final InetSocketAddress address;

  /// When it began to join, in the world's time.
  final long sinceNanos;

  /// What this member has given it, see [WorldPacket].
  final long sight;

  /// What it has given this member; 0 if it has not.
  long theirSight;

  /// Whether both see each other.
  boolean isSeen;

  long heardNanos;

  /// Whether its process seems to be gone, since `brokenNanos`.
  boolean broken;

  long brokenNanos;
  long sentNanos;

  /// Whether it is to learn what has come from it.
  boolean awaitsAnswer;

  /// The largest number of its packets: what an earlier one says of it is out of date.
  long lastPacket;

  /// The members that it sees.
  List<WorldPacket.Sighting> sees = List.of();

  final WorldStream stream = new WorldStream();

  /// Connected to its address.
  private final DatagramChannel channel;

  WorldPeer(WorldPacket.Sender sender, long sight, long now, DatagramChannel channel) {
    this.member = sender.member();
    this.address = sender.address();
    this.sinceNanos = sender.sinceNanos();
    this.sight = sight;
    this.heardNanos = now;
    this.channel = channel;
  }

  /// Its process seems to be gone. It has a second to show that it is not.
  void broken(long now) {
    if (!broken) {
      broken = true;
      brokenNanos = now;
    }
  }

  void heard(long now) {
    heardNanos = now;
    broken = false;
  }

  void send(ByteBuffer packet, long now) {
    sentNanos = now;
    awaitsAnswer = false;
    try {
      int _ = channel.write(packet);
    } catch (PortUnreachableException e) {
      broken(now);
    } catch (IOException e) {
      // It is lost.
    }
  }

  /// Learns whether its host has said that no process is there.
  void look(long now) {
    try {
      int _ = channel.read(ByteBuffer.allocate(1));
    } catch (PortUnreachableException e) {
      broken(now);
    } catch (IOException e) {
      // Nothing is known.
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It counts as closed.
    }
  }

  @Override
  public String toString() {
    return member.toString();
  }
}
