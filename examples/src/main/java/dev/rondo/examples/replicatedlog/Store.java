package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Command.CompareAndSet;
import dev.rondo.examples.replicatedlog.Command.InSession;
import dev.rondo.examples.replicatedlog.Command.Nothing;
import dev.rondo.examples.replicatedlog.Command.OpenSession;
import dev.rondo.examples.replicatedlog.Command.Put;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.Expired;
import dev.rondo.examples.replicatedlog.Message.Opened;
import dev.rondo.examples.replicatedlog.Message.Written;
import dev.rondo.examples.replicatedlog.Snapshot.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state machine: keys with values, and the sessions of the clients. All replicas apply the
/// same entries in the same order, and so have the same state.
class Store {

  private static final int MOST_SESSIONS = 10_000;

  private final Map<String, String> values = new LinkedHashMap<>();

  /// The session that was used last comes last.
  private final Map<Long, Session> sessions = new LinkedHashMap<>();

  private Position applied = Position.START;

  /// {@return the position of the last entry that it has applied}
  Position applied() {
    return applied;
  }

  @Nullable String get(String key) {
    return values.get(key);
  }

  /// Applies the next entry.
  Answer apply(Entry entry) {
    applied = entry.position();
    return switch (entry.command()) {
      case Nothing() -> new Written(true);
      case OpenSession() -> open(entry.index());
      case InSession command -> applyOnce(command);
    };
  }

  private Answer open(long session) {
    if (sessions.size() == MOST_SESSIONS) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    sessions.put(session, new Session(0, false));
    return new Opened(session);
  }

  private Answer applyOnce(InSession command) {
    Session session = sessions.remove(command.session());
    if (session == null) {
      return new Expired();
    }
    if (!isDuplicate(command, session)) {
      session = new Session(command.sequence(), change(command));
    }
    sessions.put(command.session(), session); // as the last one
    return new Written(session.applied());
  }

  /// Overridden by a test.
  boolean isDuplicate(InSession command, Session session) {
    return command.sequence() <= session.sequence();
  }

  private boolean change(InSession command) {
    return switch (command) {
      case Put put -> {
        values.put(put.key(), put.value());
        yield true;
      }
      case CompareAndSet change -> {
        boolean same = Objects.equals(values.get(change.key()), change.expected());
        if (same) {
          values.put(change.key(), change.value());
        }
        yield same;
      }
    };
  }

  Snapshot snapshot() {
    return new Snapshot(applied, new LinkedHashMap<>(values), new LinkedHashMap<>(sessions));
  }

  void restore(Snapshot snapshot) {
    values.clear();
    values.putAll(snapshot.values());
    sessions.clear();
    sessions.putAll(snapshot.sessions());
    applied = snapshot.last();
  }
}
