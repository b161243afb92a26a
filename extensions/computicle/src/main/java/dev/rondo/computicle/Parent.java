package dev.rondo.computicle;

import dev.rondo.application.LoopStarter;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import org.jspecify.annotations.Nullable;

/// The starter of a computicle or a pool.
///
/// @param scheduler of the task that has started it; null if a thread has
/// @param children the set of children that end with that scheduler; null if this one does not
/// @param starter of loops, in a simulation; null if each has a thread
record Parent(
    @Nullable Scheduler scheduler, @Nullable Children children, @Nullable LoopStarter starter) {

  /// {@return the caller}
  static Parent current() {
    Scheduler scheduler = Scheduler.currentOrNull();
    if (scheduler == null) {
      return new Parent(null, null, null);
    }
    LoopStarter starter =
        LoopControl.of(scheduler.host()).idleStrategy() instanceof LoopStarter found ? found : null;
    return new Parent(scheduler, Children.of(scheduler), starter);
  }

  /// {@return the same parent, for a child that does not end with the scheduler by itself}
  Parent withoutChildren() {
    return new Parent(scheduler, null, starter);
  }

  /// Whether all loops run on one thread.
  boolean isSimulated() {
    return starter != null;
  }

  void add(Child child) {
    if (children != null) {
      children.add(child);
    }
  }

  /// Any thread.
  void remove(Child child) {
    if (children != null) {
      children.remove(child);
    }
  }
}
