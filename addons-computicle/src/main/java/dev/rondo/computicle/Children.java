package dev.rondo.computicle;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The computicles and pools that tasks of a scheduler have started: they end with it.
final class Children implements AddOn {

  private final Set<Child> alive = ConcurrentHashMap.newKeySet();

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

  /// Has all of them quit, and blocks until they have ended.
  @Override
  public void close() {
    List<Child> left = List.copyOf(alive);
    left.forEach(Child::quit);
    left.forEach(Child::blockUntilEnded);
  }
}
