package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Finds tasks that wait for each other in a circle while the scheduler has other things to wait
/// for, so that it is not deadlocked as a whole.
///
/// A circle is closed by the last of its waits, so each wait for another task looks whether it
/// closes one: a few steps, from holder to holder. A circle that lasts is reported, once.
///
/// Confined to the scheduler's thread.
final class CycleWatch {

  /// A wait may have a limit that is meant to open such a circle.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  private record Suspect(TaskCore<?> task, Waitable<?> awaited, long deadlineNanos) {}

  private final Failures failures;

  /// The waits that have closed a circle, oldest first.
  private final ArrayDeque<Suspect> suspects = new ArrayDeque<>();

  CycleWatch(Failures failures) {
    this.failures = failures;
  }

  /// A task begins to wait.
  void waitBegun(TaskCore<?> task, Waitable<?> awaited, long nowNanos) {
    if (Deadlocks.closesCycle(task, awaited)) {
      suspects.add(new Suspect(task, awaited, nowNanos + PATIENCE_NANOS));
    }
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /// When to look again. There must be a suspect.
  long deadlineNanos() {
    return suspects.element().deadlineNanos;
  }

  /// Reports the circles that have lasted.
  void look(long nowNanos) {
    for (Suspect each; (each = suspects.peek()) != null && nowNanos - each.deadlineNanos >= 0; ) {
      suspects.remove();
      DeadlockException found = stillThere(each, nowNanos);
      if (found != null) {
        failures.report("tasks that wait for each other", found);
      }
    }
  }

  private static @Nullable DeadlockException stillThere(Suspect suspect, long nowNanos) {
    boolean waits = suspect.task.awaited() == suspect.awaited;
    return waits && Deadlocks.closesCycle(suspect.task, suspect.awaited)
        ? Deadlocks.ofCycle(suspect.task, nowNanos)
        : null;
  }
}
