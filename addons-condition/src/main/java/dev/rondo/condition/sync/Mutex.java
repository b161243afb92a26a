package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A lock that one task can hold at a time; see [Lock].
///
/// Like the mutexes of Trio and kotlinx.coroutines, and unlike the locks of `java.util.concurrent`,
/// a mutex is not reentrant. No other task runs between two suspension points anyway. So a task
/// that locks a mutex twice most likely does so by mistake.
///
/// Confined to the scheduler's thread.
public final class Mutex extends Lock {

  private final LockOwnership only = new LockOwnership(this);
  private @Nullable String abandonedBy;

  /// Makes an unlocked mutex. Never a suspension point.
  ///
  /// @param scheduler whose tasks lock it
  /// @param name shown in reports
  public Mutex(Scheduler scheduler, String name) {
    super(scheduler, "mutex", name, new WaitQueue<>());
  }

  /// {@return the task that holds the mutex, if any}
  Optional<Task<?>> owner() {
    scheduler.host().checkThread();
    return Optional.ofNullable(holder());
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
    // nothing to record: the ownership has no holder now
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
    return owner == null ? "it is not locked" : "task '" + owner.name() + "' holds it";
  }

  @Override
  void checkMayWait(Task<?> task) {
    if (heldBy(task) != null) {
      throw new IllegalStateException(
          "task '%s' locks %s, which it holds already: it is not reentrant"
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
