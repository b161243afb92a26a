package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Command.CompareAndSet;
import dev.rondo.examples.replicatedlog.Command.Nothing;
import dev.rondo.examples.replicatedlog.Command.OpenSession;
import dev.rondo.examples.replicatedlog.Command.Put;
import dev.rondo.examples.replicatedlog.Message.AppendReply;
import dev.rondo.examples.replicatedlog.Message.AppendRequest;
import dev.rondo.examples.replicatedlog.Message.Expired;
import dev.rondo.examples.replicatedlog.Message.Found;
import dev.rondo.examples.replicatedlog.Message.InstallRequest;
import dev.rondo.examples.replicatedlog.Message.NotLeader;
import dev.rondo.examples.replicatedlog.Message.Opened;
import dev.rondo.examples.replicatedlog.Message.Propose;
import dev.rondo.examples.replicatedlog.Message.Read;
import dev.rondo.examples.replicatedlog.Message.VoteReply;
import dev.rondo.examples.replicatedlog.Message.VoteRequest;
import dev.rondo.examples.replicatedlog.Message.Written;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The encoding of messages, entries and snapshots: a letter for the type, and then the fields as
/// [DataOutputStream] writes them.
final class Wire {

  private Wire() {}

  /// Writes a value.
  interface Encoder {
    void to(DataOutputStream out) throws IOException;
  }

  static byte[] bytes(Encoder encoder) throws IOException {
    var bytes = new ByteArrayOutputStream();
    encoder.to(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  // Messages.

  static void write(Message message, DataOutputStream out) throws IOException {
    switch (message) {
      case VoteRequest(long term, int candidate, Position last, boolean trial) -> {
        head('V', term, out).writeInt(candidate);
        write(last, out);
        out.writeBoolean(trial);
      }
      case VoteReply(long term, boolean granted) -> head('v', term, out).writeBoolean(granted);
      case AppendRequest(long term, int leader, Position previous, long commit, var entries) -> {
        head('A', term, out).writeInt(leader);
        write(previous, out);
        out.writeLong(commit);
        out.writeInt(entries.size());
        for (Entry entry : entries) {
          write(entry, out);
        }
      }
      case AppendReply(long term, boolean successful, long index) -> {
        head('a', term, out).writeBoolean(successful);
        out.writeLong(index);
      }
      case InstallRequest(long term, int leader, Snapshot snapshot) -> {
        head('I', term, out).writeInt(leader);
        write(snapshot, out);
      }
      case Propose(Command command) -> {
        out.writeByte('P');
        write(command, out);
      }
      case Read(String key) -> {
        out.writeByte('R');
        out.writeUTF(key);
      }
      case Opened(long session) -> head('o', session, out);
      case Written(boolean applied) -> {
        out.writeByte('w');
        out.writeBoolean(applied);
      }
      case Found(String value) -> {
        out.writeByte('f');
        writeNullable(value, out);
      }
      case NotLeader(int leader) -> {
        out.writeByte('n');
        out.writeInt(leader);
      }
      case Expired() -> out.writeByte('e');
    }
  }

  static Message readMessage(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'V' -> new VoteRequest(in.readLong(), in.readInt(), readPosition(in), in.readBoolean());
      case 'v' -> new VoteReply(in.readLong(), in.readBoolean());
      case 'A' ->
          new AppendRequest(
              in.readLong(), in.readInt(), readPosition(in), in.readLong(), readEntries(in));
      case 'a' -> new AppendReply(in.readLong(), in.readBoolean(), in.readLong());
      case 'I' -> new InstallRequest(in.readLong(), in.readInt(), readSnapshot(in));
      case 'P' -> new Propose(readCommand(in));
      case 'R' -> new Read(in.readUTF());
      case 'o' -> new Opened(in.readLong());
      case 'w' -> new Written(in.readBoolean());
      case 'f' -> new Found(readNullable(in));
      case 'n' -> new NotLeader(in.readInt());
      case 'e' -> new Expired();
      default -> throw new IOException("unknown message: kind=" + kind);
    };
  }

  private static DataOutputStream head(char kind, long number, DataOutputStream out)
      throws IOException {
    out.writeByte(kind);
    out.writeLong(number);
    return out;
  }

  // The log.

  static void write(Position position, DataOutputStream out) throws IOException {
    out.writeLong(position.index());
    out.writeLong(position.term());
  }

  static Position readPosition(DataInputStream in) throws IOException {
    return new Position(in.readLong(), in.readLong());
  }

  static void write(Entry entry, DataOutputStream out) throws IOException {
    write(entry.position(), out);
    write(entry.command(), out);
  }

  static Entry readEntry(DataInputStream in) throws IOException {
    return new Entry(readPosition(in), readCommand(in));
  }

  private static List<Entry> readEntries(DataInputStream in) throws IOException {
    var entries = new ArrayList<Entry>();
    for (int left = in.readInt(); left > 0; left--) {
      entries.add(readEntry(in));
    }
    return entries;
  }

  private static void write(Command command, DataOutputStream out) throws IOException {
    switch (command) {
      case Nothing() -> out.writeByte('n');
      case OpenSession() -> out.writeByte('o');
      case Put(long session, long sequence, String key, String value) -> {
        head('p', session, out).writeLong(sequence);
        out.writeUTF(key);
        out.writeUTF(value);
      }
      case CompareAndSet(long session, long sequence, String key, var expected, String value) -> {
        head('c', session, out).writeLong(sequence);
        out.writeUTF(key);
        writeNullable(expected, out);
        out.writeUTF(value);
      }
    }
  }

  private static Command readCommand(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'n' -> new Nothing();
      case 'o' -> new OpenSession();
      case 'p' -> new Put(in.readLong(), in.readLong(), in.readUTF(), in.readUTF());
      case 'c' ->
          new CompareAndSet(
              in.readLong(), in.readLong(), in.readUTF(), readNullable(in), in.readUTF());
      default -> throw new IOException("unknown command: kind=" + kind);
    };
  }

  // The state.

  static void write(Snapshot snapshot, DataOutputStream out) throws IOException {
    write(snapshot.last(), out);
    out.writeInt(snapshot.values().size());
    for (var value : snapshot.values().entrySet()) {
      out.writeUTF(value.getKey());
      out.writeUTF(value.getValue());
    }
    out.writeInt(snapshot.sessions().size());
    for (var session : snapshot.sessions().entrySet()) {
      out.writeLong(session.getKey());
      out.writeLong(session.getValue().sequence());
      out.writeBoolean(session.getValue().applied());
    }
  }

  static Snapshot readSnapshot(DataInputStream in) throws IOException {
    Position last = readPosition(in);
    Map<String, String> values = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.put(in.readUTF(), in.readUTF());
    }
    Map<Long, Snapshot.Session> sessions = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      sessions.put(in.readLong(), new Snapshot.Session(in.readLong(), in.readBoolean()));
    }
    return new Snapshot(last, values, sessions);
  }

  private static void writeNullable(@Nullable String text, DataOutputStream out)
      throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  private static @Nullable String readNullable(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }
}
