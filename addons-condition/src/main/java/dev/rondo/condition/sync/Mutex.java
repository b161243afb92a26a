package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// A lock that one task can have at a time; see [Lock] for all it does.
///
/// Not reentrant, unlike the one of `java.util.concurrent` and like those of Trio and
/// kotlinx.coroutines: between two suspension points a task is alone anyhow, so a task that comes
/// to a lock it has already has lost track of what it is in the middle of.
///
/// Confined to the scheduler's thread.
public final class Mutex extends Lock {

  private final LockOwnership only = new LockOwnership(this);
  private @Nullable String abandonedBy;

  /// An unlocked one. Never a suspension point.
  ///
  /// @param scheduler whose tasks lock it
  /// @param name shown in reports
  /// @return the mutex
  public static Mutex create(Scheduler scheduler, String name) {
    return new Mutex(scheduler, name);
  }

  private Mutex(Scheduler scheduler, String name) {
    super(scheduler, "mutex", name, new WaitQueue<>());
  }

  /// {@return the task that has it; null if nobody does}
  public @Nullable Task<?> owner() {
    scheduler.host().checkThread();
    return holder();
  }

  @Override
  public boolean isLocked() {
    scheduler.host().checkThread();
    return only.holder() != null;
  }

  @Override
  public @Nullable Task<?> holder() {
    return only.holder();
  }

  @Override
  boolean isFree() {
    return only.holder() == null;
  }

  @Override
  LockOwnership enter(Task<?> task) {
    only.takenBy(task);
    return only;
  }

  @Override
  void left(Task<?> task) {
    // nobody's by now: that is all there is to know
  }

  @Override
  boolean isExclusive() {
    return true;
  }

  @Override
  @Nullable LockOwnership heldBy(Task<?> task) {
    return only.holder() == task ? only : null;
  }

  @Override
  String holders() {
    Task<?> owner = holder();
    return owner == null ? "nobody has it" : "task '" + owner.name() + "' has it";
  }

  @Override
  void checkMayWait(Task<?> task) {
    if (heldBy(task) != null) {
      throw new IllegalStateException(
          "task '%s' locks %s, which it has already: it is not reentrant"
              .formatted(task.name(), this));
    }
  }

  @Override
  @Nullable String abandonedBy() {
    return abandonedBy;
  }

  @Override
  void abandonedBy(String task) {
    abandonedBy = task;
  }
}
