package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// Something that one task has and must give back before it ends: a lock. A task that ends without
/// having done so *abandons* it, and whoever lent it is told.
///
/// A task's holdings are a list through themselves: taking allocates nothing, giving back costs a
/// search among those taken later, which are few.
///
/// Confined to the scheduler's thread. No method is a suspension point.
public abstract class OwnedResource {

  private @Nullable Task<?> holder;

  /// What the same task took before.
  private @Nullable OwnedResource earlier;

  /// Nobody has it yet.
  protected OwnedResource() {}

  /// {@return the task that has it; null if nobody does}
  public final @Nullable Task<?> holder() {
    return holder;
  }

  /// From now on a task has it.
  ///
  /// @param task one that has not ended
  /// @throws IllegalStateException if somebody has it already, or the task has ended
  protected final void take(Task<?> task) {
    if (holder != null) {
      throw new IllegalStateException(
          this + " is for task '" + task.name() + "', but task '" + holder.name() + "' has it");
    }
    if (task.resolvedState().isDone()) {
      throw new IllegalStateException(this + " is for task '" + task.name() + "', which has ended");
    }
    holder = task;
    OwnedResource before = task.ownedResources;
    if (before
        != null) { // mostly there is none, and then nothing has to wait for that to be stored
      earlier = before;
    }
    task.ownedResources = this;
  }

  /// Nobody has it any more.
  ///
  /// @throws IllegalStateException if nobody had it
  protected final void giveBack() {
    Task<?> had = holder;
    if (had == null) {
      throw new IllegalStateException("nobody has " + this);
    }
    if (had.ownedResources == this) {
      had.ownedResources = earlier;
    } else {
      unlink(had);
    }
    holder = null;
    if (earlier != null) {
      earlier = null;
    }
  }

  private void unlink(Task<?> had) {
    for (OwnedResource later = had.ownedResources; later != null; later = later.earlier) {
      if (later.earlier == this) {
        later.earlier = earlier;
        return;
      }
    }
    throw new AssertionError(had + " does not know that it has " + this);
  }

  /// The task that had it has ended; nobody has it any more. Must not suspend. What it throws goes
  /// to the failure handler.
  ///
  /// @param task the one that has ended
  /// @throws Exception it is reported
  protected abstract void abandoned(Task<?> task) throws Exception;

  /// Tells all that a task has; the latest first.
  static void abandonAll(Task<?> ended) {
    for (OwnedResource last; (last = ended.ownedResources) != null; ) {
      last.giveBack();
      try {
        last.abandoned(ended);
      } catch (Throwable e) {
        ended.report("end of task '" + ended.name() + "'", e);
      }
    }
  }
}
