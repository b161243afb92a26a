package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.internal.engine.Saved;
import dev.rondo.cluster.members.Member;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A datagram between members in a world.
///
/// Two members that see each other have given each other a number, their *sight*. A member that
/// loses sight of another and sees it again gives a larger one.
///
/// @param sender who it is
/// @param number larger than that of all that the sender has sent before
/// @param to the id of the member that it is for; empty if that is not known
/// @param sight the number that the sender has given that member; 0 if it does not see it
/// @param lastSight the last number that the sender has given any member
/// @param echo the number that the sender was given; 0 if it has none
/// @param received up to which number it has the pieces of the stream
/// @param leaves whether it leaves
/// @param others the members that it sees; none if there is a piece
/// @param piece of the stream; null for none
public record WorldPacket(
    Sender sender,
    long number,
    String to,
    long sight,
    long lastSight,
    long echo,
    long received,
    boolean leaves,
    List<Sighting> others,
    WorldStream.@Nullable Piece piece) {

  private static final int MAGIC = 0x526F6E64;

  /// The properties of a member that do not change while it stays.
  ///
  /// @param cluster its name
  /// @param secured whether it has TLS
  /// @param member its name and id
  /// @param address where it listens
  /// @param sinceNanos the world's time when it began to join
  /// @param agreesBy what its nodes agree by
  record Sender(
      String cluster,
      boolean secured,
      Member member,
      InetSocketAddress address,
      long sinceNanos,
      String agreesBy) {}

  /// Another member that the sender sees.
  ///
  /// @param member its name and id
  /// @param address where it listens
  /// @param sinceNanos the world's time when it began to join
  record Sighting(Member member, InetSocketAddress address, long sinceNanos) {}

  ByteBuffer bytes() {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    try {
      out.writeInt(MAGIC);
      out.writeUTF(sender.cluster());
      out.writeBoolean(sender.secured());
      out.writeUTF(sender.member().name());
      out.writeUTF(sender.member().id());
      write(out, sender.address());
      out.writeLong(sender.sinceNanos());
      out.writeUTF(sender.agreesBy());
      out.writeLong(number);
      out.writeUTF(to);
      out.writeLong(sight);
      out.writeLong(lastSight);
      out.writeLong(echo);
      out.writeLong(received);
      out.writeBoolean(leaves);
      out.writeInt(others.size());
      for (Sighting each : others) {
        out.writeUTF(each.member().name());
        out.writeUTF(each.member().id());
        write(out, each.address());
        out.writeLong(each.sinceNanos());
      }
      out.writeBoolean(piece != null);
      if (piece != null) {
        out.writeLong(piece.number());
        out.writeBoolean(piece.last());
        Saved.write(out, piece.bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a name that is too long was refused before
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  /// Returns the packet that bytes are; null if they are none.
  static @Nullable WorldPacket of(byte[] bytes) {
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      if (in.readInt() != MAGIC) {
        return null;
      }
      var sender =
          new Sender(
              in.readUTF(),
              in.readBoolean(),
              new Member(in.readUTF(), in.readUTF()),
              address(in),
              in.readLong(),
              in.readUTF());
      return new WorldPacket(
          sender,
          in.readLong(),
          in.readUTF(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readBoolean(),
          sightings(in),
          in.readBoolean() ? piece(in) : null);
    } catch (IOException e) {
      return null;
    }
  }

  private static WorldStream.Piece piece(DataInputStream in) throws IOException {
    long number = in.readLong();
    boolean last = in.readBoolean();
    byte[] bytes = Saved.read(in);
    return new WorldStream.Piece(number, last, bytes == null ? new byte[0] : bytes);
  }

  private static void write(DataOutputStream out, InetSocketAddress address) throws IOException {
    byte[] host = address.getAddress().getAddress();
    out.writeByte(host.length);
    out.write(host);
    out.writeShort(address.getPort());
  }

  private static InetSocketAddress address(DataInputStream in) throws IOException {
    byte[] host = in.readNBytes(in.readUnsignedByte());
    return new InetSocketAddress(InetAddress.getByAddress(host), in.readUnsignedShort());
  }

  private static List<Sighting> sightings(DataInputStream in) throws IOException {
    var read = new ArrayList<Sighting>();
    for (int left = in.readInt(); left > 0; left--) {
      read.add(new Sighting(new Member(in.readUTF(), in.readUTF()), address(in), in.readLong()));
    }
    return read;
  }
}
