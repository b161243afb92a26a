package dev.rondo.io.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Who listens to which of the JVM's signals, of all schedulers. A signal that nobody listens to
/// any more gets the handler it had before.
///
/// All state is guarded by the class.
public final class OsSignals {

  /// Who listens to one signal.
  private static final class Listening {
    private final List<Runnable> listeners = new ArrayList<>();
    private final Object before;

    Listening(String name) {
      before = JvmSignals.handle(name, () -> raised(name));
      if (STAY_IGNORED.contains(name) && JvmSignals.isIgnoring(before)) {
        throw new IllegalStateException(
            "this process was started so that it ignores the signal, by nohup or as a job in the"
                + " background, and the JVM leaves it so: signal="
                + name);
      }
    }
  }

  /// Those that the JVM does not listen to if they were ignored before.
  private static final Set<String> STAY_IGNORED = Set.of("HUP", "INT", "TERM");

  private static final Map<String, Listening> SIGNALS = new HashMap<>();

  private OsSignals() {}

  /// Begins to tell a listener of a signal.
  ///
  /// @param name without SIG
  /// @param listener run on a thread of the JVM for each signal
  /// @throws IllegalArgumentException if there is no such signal, or the JVM or the system keeps it
  ///   to itself
  /// @throws IllegalStateException if this process was started so that it ignores the signal
  public static synchronized void add(String name, Runnable listener) {
    SIGNALS.computeIfAbsent(name, Listening::new).listeners.add(listener);
  }

  /// Ends that. Nothing happens if it does not listen.
  ///
  /// @param name as for [#add]
  /// @param listener as for [#add]
  public static synchronized void remove(String name, Runnable listener) {
    Listening listening = SIGNALS.get(name);
    if (listening != null
        && listening.listeners.remove(listener)
        && listening.listeners.isEmpty()) {
      SIGNALS.remove(name);
      JvmSignals.restore(name, listening.before);
    }
  }

  /// On a thread of the JVM.
  private static void raised(String name) {
    List<Runnable> told;
    synchronized (OsSignals.class) {
      Listening listening = SIGNALS.get(name);
      told = listening == null ? List.of() : List.copyOf(listening.listeners);
    }
    told.forEach(Runnable::run);
  }
}
