package dev.rondo.computicle;

import dev.rondo.application.internal.MainListener;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The computicles and pools that tasks of a scheduler have started: they end with it, when its
/// tasks have ended. As in a task group, how the main task has ended decides how: if it has
/// returned, or there is none, they have their grace; if it has failed or was cancelled, they are
/// cancelled at once. If the scheduler is that of a computicle or of a pool's loop, and that was
/// cancelled so, they are cancelled however its main task has ended: a cancel goes down all levels.
final class Children implements MainListener {

  private final Set<Child> alive = ConcurrentHashMap.newKeySet();

  /// Of the last main task. Confined to the scheduler's thread.
  private boolean mainReturned = true;

  /// Whether what the scheduler belongs to was cancelled. Set by any thread.
  private volatile boolean cancelled;

  /// Whether the scheduler waits for them. Set by its thread.
  private volatile boolean closing;

  static Children of(Scheduler parent) {
    Children found = parent.host().addOn(Children.class);
    if (found == null) {
      found = new Children();
      parent.host().install(found);
    }
    return found;
  }

  void add(Child child) {
    alive.add(child);
  }

  /// Any thread.
  void remove(Child child) {
    alive.remove(child);
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  @Override
  public void mainEnded(Outcome<?> outcome) {
    mainReturned = outcome instanceof Outcome.Success<?>;
  }

  /// What the scheduler belongs to is cancelled: they will be when the scheduler closes, or are now
  /// if it does already. Any thread.
  void cancel() {
    cancelled = true; // before it reads the other: close() does it the other way round
    if (closing) {
      alive.forEach(Child::cancel);
    }
  }

  /// Has all of them end, and blocks until they have.
  @Override
  public void close() {
    closing = true;
    List<Child> left = List.copyOf(alive);
    left.forEach(mainReturned && !cancelled ? Child::quit : Child::cancel);
    left.forEach(Child::blockUntilEnded);
  }
}
