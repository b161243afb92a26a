package dev.rondo.simulation;

import dev.rondo.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The thread of a network: the first one that uses it. The tasks of its schedulers are on it, too,
/// whatever thread their backend gives them.
final class NetworkThread {

  private final List<Scheduler> schedulers = new ArrayList<>();
  private @Nullable Thread owner;

  void add(Scheduler scheduler) {
    schedulers.add(scheduler);
  }

  /// @throws WrongThreadException on another thread
  void check() {
    Thread current = Thread.currentThread();
    Thread known = owner;
    if (known == null) {
      owner = current;
    } else if (known != current && !isOfScheduler()) {
      throw new WrongThreadException(
          "called on thread '%s', but the simulated network belongs to thread '%s'"
              .formatted(current.getName(), known.getName()));
    }
  }

  private boolean isOfScheduler() {
    for (Scheduler each : schedulers) {
      try {
        each.host().checkThread();
        return true;
      } catch (WrongThreadException e) {
        // maybe another one's
      }
    }
    return false;
  }
}
