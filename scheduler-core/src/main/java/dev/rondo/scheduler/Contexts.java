package dev.rondo.scheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The [ContextPropagation]s of a scheduler at work: swaps the thread's context for the task's at
/// the beginning of a turn, and back at its end.
///
/// Confined to the scheduler's thread, but for [#begin], which runs on a task's own.
final class Contexts {

  private final List<ContextPropagation<?>> propagations;
  private final Failures failures;

  /// What was on the loop's thread before the turn. A turn upon a resident's frames is between two
  /// turns of the resident's, see [MountedTask]: one place is enough.
  private @Nullable Object @Nullable [] outside;

  /// Whether the running task's context is on the loop's thread. Not of a task that has a thread of
  /// its own, which it has from its first turn on, and has no more when it has ended.
  private boolean swapped;

  Contexts(List<ContextPropagation<?>> propagations, Failures failures) {
    this.propagations = propagations;
    this.failures = failures;
  }

  /// What is on this thread; null if there is nothing.
  @Nullable Object @Nullable [] capture() {
    @Nullable Object[] snapshots = null;
    for (int i = 0; i < propagations.size(); i++) {
      Object snapshot = capture(propagations.get(i));
      if (snapshot != null) {
        if (snapshots == null) {
          snapshots = new Object[propagations.size()];
        }
        snapshots[i] = snapshot;
      }
    }
    return snapshots;
  }

  private @Nullable Object capture(ContextPropagation<?> propagation) {
    try {
      return propagation.capture();
    } catch (Throwable e) {
      failures.report("capture of context " + WaitDescriptions.describe(propagation), e);
      return null;
    }
  }

  private void restore(@Nullable Object @Nullable [] snapshots) {
    for (int i = 0; i < propagations.size(); i++) {
      restore(propagations.get(i), snapshots == null ? null : snapshots[i]);
    }
  }

  @SuppressWarnings("unchecked") // it is its own snapshot
  private <C> void restore(ContextPropagation<C> propagation, @Nullable Object snapshot) {
    try {
      propagation.restore((C) snapshot);
    } catch (Throwable e) {
      failures.report("restore of context " + WaitDescriptions.describe(propagation), e);
    }
  }

  /// A task begins on a thread of its own, which is its context from now on.
  void begin(Task<?> task) {
    restore(task.context);
  }

  void beforeTurn(Task<?> task) {
    swapped = task.thread() == null;
    if (swapped) {
      outside = capture();
      restore(task.context);
    }
  }

  void afterTurn(Task<?> task) {
    if (swapped) {
      task.context = task.isDone() ? null : capture();
      restore(outside);
      outside = null;
    }
  }
}
