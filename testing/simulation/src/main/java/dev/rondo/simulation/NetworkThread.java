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

  /// That of the host which has a turn in a world.
  private @Nullable Scheduler stepped;

  void add(Scheduler scheduler) {
    schedulers.add(scheduler);
  }

  /// Says whose tasks may be on the thread of a turn.
  ///
  /// @param scheduler null after the turn
  void turnOf(@Nullable Scheduler scheduler) {
    stepped = scheduler;
  }

  /// Whether the caller is on it, and not on a thread of a task's own.
  boolean isHere() {
    return owner == Thread.currentThread();
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
    Scheduler own = stepped;
    return (own != null && isOf(own)) || schedulers.stream().anyMatch(NetworkThread::isOf);
  }

  private static boolean isOf(Scheduler scheduler) {
    try {
      scheduler.host().checkThread();
      return true;
    } catch (WrongThreadException e) {
      return false;
    }
  }
}
