package dev.rondo.computicle;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The computicles that tasks of a scheduler have started: they end with it.
final class Children implements AddOn {

  private final Set<Computicle<?>> alive = ConcurrentHashMap.newKeySet();

  private Children() {}

  static Children of(Scheduler parent) {
    Children found = parent.addOn(Children.class);
    if (found == null) {
      found = new Children();
      parent.host().install(found);
    }
    return found;
  }

  void add(Computicle<?> child) {
    alive.add(child);
  }

  /// Any thread.
  void remove(Computicle<?> child) {
    alive.remove(child);
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Has all of them quit, and blocks until they have ended.
  @Override
  public void close() {
    List<Computicle<?>> left = List.copyOf(alive);
    left.forEach(Computicle::quitWithGrace);
    left.forEach(Computicle::blockUntilEnded);
  }
}
