package dev.rondo.computicle;

import dev.rondo.application.internal.MainListener;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The computicles and pools that tasks of a scheduler have started: they end with it. As in a task
/// group, how the main task has ended decides how: if it has returned, or there is none, they have
/// their grace; if it has failed or was cancelled, they are cancelled at once.
final class Children implements MainListener {

  private final Set<Child> alive = ConcurrentHashMap.newKeySet();

  /// Of the last main task. Confined to the scheduler's thread.
  private boolean mainReturned = true;

  private Children() {}

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

  /// Has all of them end, and blocks until they have.
  @Override
  public void close() {
    List<Child> left = List.copyOf(alive);
    left.forEach(mainReturned ? Child::quit : Child::cancel);
    left.forEach(Child::blockUntilEnded);
  }
}
