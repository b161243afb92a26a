package dev.rondo.condition;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.WaitQueue;
import org.jspecify.annotations.Nullable;

/// A lock that one task can have at a time; see [Lock] for all it does.
///
/// Not reentrant, unlike the one of `java.util.concurrent` and like those of Trio and
/// kotlinx.coroutines: between two suspension points a task is alone anyhow, so a task that comes
/// to a lock it has already has lost track of what it is in the middle of.
///
/// Confined to the scheduler's thread.
public final class Mutex extends Lock {

  private @Nullable Held held;
  private @Nullable String abandonedBy;

  /// An unlocked one. Never a suspension point.
  ///
  /// @param scheduler whose tasks lock it
  /// @param name shown in reports
  public Mutex(Scheduler scheduler, String name) {
    super(scheduler, "mutex", name, new WaitQueue<>());
  }

  /// {@return the task that has it; null if nobody does}
  public @Nullable Task<?> owner() {
    scheduler.checkThread();
    return holder();
  }

  @Override
  public boolean isLocked() {
    scheduler.checkThread();
    return held != null;
  }

  @Override
  public @Nullable Task<?> holder() {
    return held == null ? null : held.holder();
  }

  @Override
  boolean isFree() {
    return held == null;
  }

  @Override
  void entered(Held now, Task<?> task) {
    held = now;
  }

  @Override
  void left(Task<?> task) {
    held = null;
  }

  @Override
  boolean isExclusive() {
    return true;
  }

  @Override
  @Nullable Held heldBy(Task<?> task) {
    return held != null && held.holder() == task ? held : null;
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
