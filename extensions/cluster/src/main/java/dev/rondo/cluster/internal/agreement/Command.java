package dev.rondo.cluster.internal.agreement;

import dev.rondo.cluster.internal.engine.Saved;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entry of the replicated log: all nodes do it, each in the same order.
///
/// @param kind what to do
/// @param client the session of the node
/// @param id its number in that session: a command that comes twice is done once
/// @param completed all commands of the session up to this number have been answered
/// @param name of the lease, counter or register
/// @param first a number, see the kind
/// @param second a number, see the kind
/// @param value see the kind
/// @param expected see the kind
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Command(
    Kind kind,
    String client,
    long id,
    long completed,
    String name,
    long first,
    long second,
    byte @Nullable [] value,
    byte @Nullable [] expected) {

  /// Of the commands and of a state. Nodes of different ones do not agree with each other.
  public static final byte VERSION = 1;

  /// The kinds of commands.
  public enum Kind {
    /// Opens the session.
    OPEN,
    /// Does nothing, and commits what earlier leaders have left.
    NOTHING,
    /// Takes a lease, or queues for it if `second` is not zero. `first` is its time in nanoseconds,
    /// `value` the name of the node.
    TAKE,
    /// Renews a lease. `first` is its token.
    RENEW,
    /// Gives a lease back. `first` is its token, `value` the members that are there.
    RELEASE,
    /// Takes back the TAKE number `first`, whatever has become of it.
    FORGET,
    /// Ends a lease if it has the token `first` and was renewed `second` times. `value` as for
    /// RELEASE.
    EXPIRE,
    /// Adds `first` to a counter.
    ADD,
    /// Sets a counter from `first` to `second`.
    SWAP,
    /// Reads a register.
    READ,
    /// Sets a register to `value`; null empties it.
    WRITE,
    /// Sets a register from `expected` to `value`.
    COMPARE
  }

  /// A kind is its place in here.
  private static final List<Kind> KINDS =
      List.of(
          Kind.OPEN,
          Kind.NOTHING,
          Kind.TAKE,
          Kind.RENEW,
          Kind.RELEASE,
          Kind.FORGET,
          Kind.EXPIRE,
          Kind.ADD,
          Kind.SWAP,
          Kind.READ,
          Kind.WRITE,
          Kind.COMPARE);

  public static Command of(Kind kind, String name, long first, long second) {
    return new Command(kind, "", 0, 0, name, first, second, null, null);
  }

  public Command with(byte @Nullable [] newValue, byte @Nullable [] newExpected) {
    return new Command(kind, client, id, completed, name, first, second, newValue, newExpected);
  }

  public Command numbered(String session, long number, long answered) {
    return new Command(kind, session, number, answered, name, first, second, value, expected);
  }

  public byte[] bytes() {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeByte(KINDS.indexOf(kind));
      out.writeUTF(client);
      out.writeLong(id);
      out.writeLong(completed);
      out.writeUTF(name);
      out.writeLong(first);
      out.writeLong(second);
      Saved.write(out, value);
      Saved.write(out, expected);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a name that is too long was refused before
    }
    return bytes.toByteArray();
  }

  /// Returns the command that bytes are; null if they are none.
  public static @Nullable Command of(byte[] bytes) {
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      if (in.readByte() != VERSION) {
        return null;
      }
      int kind = in.readByte();
      if (kind < 0 || kind >= KINDS.size()) {
        return null;
      }
      return new Command(
          KINDS.get(kind),
          in.readUTF(),
          in.readLong(),
          in.readLong(),
          in.readUTF(),
          in.readLong(),
          in.readLong(),
          Saved.read(in),
          Saved.read(in));
    } catch (IOException e) {
      return null;
    }
  }
}
