package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// A resource that one task owns and must give back before it ends, such as a lock. If a task ends
/// without giving the resource back, [#abandoned] is called.
///
/// The resources of a task form an intrusive list. Taking a resource allocates nothing. Giving a
/// resource back searches the few resources that were taken later.
///
/// Confined to the scheduler's thread. No method is a suspension point.
public abstract class OwnedResource implements Rooms.Owned {

  private @Nullable TaskCore<?> holder;

  /// The resource that the same task took before this one; null if there is none.
  private @Nullable OwnedResource earlier;

  /// Makes a resource without an owner.
  protected OwnedResource() {}

  /// {@return the resource of a class that a task took last; null if there is none}
  ///
  /// @param <R> the class
  /// @param task any
  /// @param type the class
  public static <R extends OwnedResource> @Nullable R of(Task<?> task, Class<R> type) {
    requireNonNull(type, "type is null");
    var each = (OwnedResource) TaskCore.of(requireNonNull(task, "task is null")).owned;
    while (each != null && !type.isInstance(each)) {
      each = each.earlier;
    }
    return type.cast(each);
  }

  /// {@return the task that has the resource; null if there is none}
  public final @Nullable Task<?> holder() {
    return holder;
  }

  /// Gives the resource to a task.
  ///
  /// @param by the task
  /// @throws IllegalStateException if a task has the resource already, or the task has ended
  protected final void take(Task<?> by) {
    TaskCore<?> task = TaskCore.of(by);
    if (holder != null) {
      throw new IllegalStateException(
          this + " is for task '" + task.name() + "', but task '" + holder.name() + "' has it");
    }
    if (task.hasEnded()) {
      throw new IllegalStateException(this + " is for task '" + task.name() + "', which has ended");
    }
    holder = task;
    var before = (OwnedResource) task.owned;
    if (before != null) { // mostly there is none, which saves a store
      earlier = before;
    }
    task.owned = this;
  }

  /// Takes the resource from its task.
  ///
  /// @throws IllegalStateException if no task has the resource
  protected final void giveBack() {
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
    for (var later = (OwnedResource) had.owned; later != null; later = later.earlier) {
      if (later.earlier == this) {
        later.earlier = earlier;
        return;
      }
    }
    throw new AssertionError(had + " does not know that it has " + this);
  }

  /// Called when the task that had the resource has ended. The end of the task gives the resource
  /// back. A failure goes to the failure handler. Must not suspend.
  ///
  /// @param task the task that has ended
  /// @throws Exception any exception; it is reported
  protected abstract void abandoned(Task<?> task) throws Exception;

  @Override
  public final void taskEnded(TaskCore<?> task) {
    for (OwnedResource last; (last = (OwnedResource) task.owned) != null; ) {
      last.giveBack();
      try {
        last.abandoned(task);
      } catch (Throwable e) {
        task.loop.report("end of task '" + task.name() + "'", e);
      }
    }
  }
}
