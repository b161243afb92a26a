package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.OwnedResource;
import org.jspecify.annotations.Nullable;

/// The implementation of [OwnedResource]: an entry in the list of resources that a task owns.
public abstract class Ownership {

  private @Nullable TaskCore<?> holder;

  /// The resource that the same task took before this one; null if there is none.
  private @Nullable Ownership earlier;

  /// Makes a resource without an owner.
  protected Ownership() {}

  /// {@return the task that has the resource; null if there is none}
  public final @Nullable Task<?> holder() {
    return holder;
  }

  /// Gives the resource to a task.
  ///
  /// @param by the task
  /// @throws IllegalStateException if a task has the resource already, or the task has ended
  public final void take(Task<?> by) {
    TaskCore<?> task = TaskCore.of(by);
    if (holder != null) {
      throw new IllegalStateException(
          this + " is for task '" + task.name() + "', but task '" + holder.name() + "' has it");
    }
    if (task.hasEnded()) {
      throw new IllegalStateException(this + " is for task '" + task.name() + "', which has ended");
    }
    holder = task;
    Ownership before = task.owned;
    if (before != null) { // mostly there is none, which saves a store
      earlier = before;
    }
    task.owned = this;
  }

  /// Takes the resource from its task.
  ///
  /// @throws IllegalStateException if no task has the resource
  public final void giveBack() {
    TaskCore<?> had = holder;
    if (had == null) {
      throw new IllegalStateException("no task has " + this);
    }
    if (had.owned == this) {
      had.owned = earlier;
    } else {
      unlink(had);
    }
    holder = null;
    if (earlier != null) {
      earlier = null;
    }
  }

  private void unlink(TaskCore<?> had) {
    for (Ownership later = had.owned; later != null; later = later.earlier) {
      if (later.earlier == this) {
        later.earlier = earlier;
        return;
      }
    }
    throw new AssertionError(had + " does not know that it has " + this);
  }

  /// Called when the task that had the resource has ended. The end of the task gives the resource
  /// back. A failure goes to the failure handler.
  ///
  /// @param task the task that has ended
  /// @throws Exception any exception; it is reported
  protected abstract void abandoned(Task<?> task) throws Exception;

  /// Abandons all resources of a task, the latest first.
  static void abandonAll(TaskCore<?> ended) {
    for (Ownership last; (last = ended.owned) != null; ) {
      last.giveBack();
      try {
        last.abandoned(ended);
      } catch (Throwable e) {
        ended.loop.report("end of task '" + ended.name() + "'", e);
      }
    }
  }
}
