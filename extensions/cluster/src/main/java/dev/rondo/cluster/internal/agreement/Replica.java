package dev.rondo.cluster.internal.agreement;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.engine.Engine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The state that all nodes have in common: leases, counters and registers, made by applying the
/// same commands in the same order. Reads no clock, and draws no random number.
///
/// A command has a number in the session of its client: it is applied once, however often it was
/// proposed, and comes again when a log is read after a crash. D. Ongaro, *Consensus: Bridging
/// Theory and Practice* (2014), 6.3.
///
/// Confined to the engine's thread that applies the commands.
public final class Replica implements Engine.Machine {

  /// More sessions than that: the one that has been used least recently is forgotten.
  private static final int MOST_SESSIONS = 10_000;

  /// The result of a command, and the leases that it has changed.
  ///
  /// @param client whose command it was; empty if a whole state was read
  /// @param id of the command
  /// @param result of the command
  /// @param leases that are others now; all of them if a whole state was read
  public record Applied(String client, long id, Result result, List<LeaseState> leases) {

    public boolean isWholeState() {
      return client.isEmpty();
    }
  }

  /// Receives what was applied, on the engine's thread.
  public interface Observer {
    void applied(Applied applied);
  }

  private static final class Session {
    private final NavigableMap<Long, Result> results = new TreeMap<>();
    private long completed;
    private long lastUse;
  }

  private final Observer observer;
  private final Map<String, Session> sessions = new TreeMap<>();
  private final List<LeaseState> changed = new ArrayList<>();
  private final LeaseTable leases = new LeaseTable(changed::add);
  private final ValueTable values = new ValueTable();
  private long applied;

  public Replica(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void apply(byte[] bytes) {
    Command command = Command.of(bytes);
    if (command == null) {
      return; // of a member that is broken: the same for all nodes
    }
    Result result = result(command);
    if (result != null) {
      observer.applied(new Applied(command.client(), command.id(), result, List.copyOf(changed)));
    }
    changed.clear();
  }

  /// Applies a command, unless that was done before. Returns null if it was answered long ago.
  private @Nullable Result result(Command command) {
    if (command.kind() == Command.Kind.NOTHING) {
      return null;
    }
    Session session = sessions.get(command.client());
    if (command.kind() == Command.Kind.OPEN) {
      if (session == null) {
        open(command.client());
      }
      return Result.DONE;
    }
    if (session == null) {
      return Result.UNKNOWN_SESSION;
    }
    boolean reads = command.kind() == Command.Kind.READ;
    Result before = session.results.get(command.id());
    if (before != null || command.id() <= session.completed) {
      return before != null && reads ? done(command) : before;
    }
    session.lastUse = ++applied;
    Result result = done(command);
    session.results.put(command.id(), reads ? Result.DONE : result); // values are large
    session.completed = Math.max(session.completed, command.completed());
    session.results.headMap(session.completed, true).clear();
    return result;
  }

  private void open(String client) {
    if (sessions.size() >= MOST_SESSIONS) {
      String oldest =
          sessions.entrySet().stream()
              .min(Comparator.comparingLong(each -> each.getValue().lastUse))
              .orElseThrow()
              .getKey();
      var _ = sessions.remove(oldest);
    }
    var session = new Session();
    session.lastUse = ++applied;
    sessions.put(client, session);
  }

  private Result done(Command command) {
    return switch (command.kind()) {
      case OPEN, NOTHING -> Result.DONE;
      case TAKE -> leases.take(command);
      case RENEW -> leases.renew(command);
      case RELEASE -> leases.release(command);
      case FORGET -> leases.forget(command);
      case EXPIRE -> leases.expire(command);
      case ADD -> values.add(command);
      case SWAP -> values.swap(command);
      case READ -> values.read(command);
      case WRITE -> values.write(command);
      case COMPARE -> values.compare(command);
    };
  }

  // The whole state.

  @Override
  public byte[] save() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeLong(applied);
    leases.write(out);
    values.write(out);
    out.writeInt(sessions.size());
    for (Map.Entry<String, Session> each : sessions.entrySet()) {
      Session session = each.getValue();
      out.writeUTF(each.getKey());
      out.writeLong(session.completed);
      out.writeLong(session.lastUse);
      out.writeInt(session.results.size());
      for (Map.Entry<Long, Result> result : session.results.entrySet()) {
        out.writeLong(result.getKey());
        result.getValue().write(out);
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public void restore(byte[] saved) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(requireNonNull(saved)));
    applied = in.readLong();
    leases.read(in);
    values.read(in);
    sessions.clear();
    for (int left = in.readInt(); left > 0; left--) {
      String client = in.readUTF();
      var session = new Session();
      session.completed = in.readLong();
      session.lastUse = in.readLong();
      for (int results = in.readInt(); results > 0; results--) {
        session.results.put(in.readLong(), Result.read(in));
      }
      sessions.put(client, session);
    }
    observer.applied(new Applied("", 0, Result.DONE, leases.all()));
  }
}
