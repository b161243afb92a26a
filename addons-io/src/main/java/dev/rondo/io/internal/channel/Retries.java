package dev.rondo.io.internal.channel;

import java.util.ArrayDeque;
import java.util.Queue;

/// Operations that were refused for lack of descriptors or memory. They are retried when a channel
/// is closed, and after a while in any case, because other processes may close their descriptors.
///
/// Confined to the scheduler's thread. Times are of the scheduler's ticker.
final class Retries {

  static final long DELAY_NANOS = 100_000_000;

  private final Queue<Runnable> actions = new ArrayDeque<>();
  private long dueNanos;

  void add(Runnable action, long nowNanos) {
    actions.add(action);
    dueNanos = nowNanos + DELAY_NANOS;
  }

  boolean isEmpty() {
    return actions.isEmpty();
  }

  /// When the next retry is due, if there is one.
  long dueNanos() {
    return dueNanos;
  }

  /// Makes the retries due, because there may be descriptors now.
  void makeDue(long nowNanos) {
    dueNanos = nowNanos;
  }

  void runIfDue(long nowNanos) {
    if (!actions.isEmpty() && nowNanos - dueNanos >= 0) {
      for (int i = actions.size(); i > 0; i--) {
        actions.remove().run(); // which may add another
      }
    }
  }
}
