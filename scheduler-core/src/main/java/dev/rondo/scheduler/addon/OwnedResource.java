package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Ownership;
import org.jspecify.annotations.Nullable;

/// A resource that one task owns and must give back before it ends, such as a lock. If a task ends
/// without giving the resource back, [#abandoned] is called.
///
/// The resources of a task form an intrusive list. Taking a resource allocates nothing. Giving a
/// resource back searches the few resources that were taken later.
///
/// Confined to the scheduler's thread. No method is a suspension point.
public abstract class OwnedResource {

  private final Ownership ownership = new Held();

  /// Makes a resource without an owner.
  protected OwnedResource() {}

  private final class Held extends Ownership {

    @Override
    protected void abandoned(Task<?> task) throws Exception {
      OwnedResource.this.abandoned(task);
    }

    @Override
    public String toString() {
      return OwnedResource.this.toString();
    }
  }

  /// {@return the owner; null if there is none}
  public final @Nullable Task<?> holder() {
    return ownership.holder();
  }

  /// Makes a task the owner.
  ///
  /// @param task a task that has not ended
  /// @throws IllegalStateException if there is an owner already, or the task has ended
  protected final void take(Task<?> task) {
    ownership.take(task);
  }

  /// Gives the resource back. After this call the resource has no owner.
  ///
  /// @throws IllegalStateException if it has no owner
  protected final void giveBack() {
    ownership.giveBack();
  }

  /// Called when the owner has ended without giving the resource back. The resource then has no
  /// owner. Must not suspend.
  ///
  /// @param task the task that has ended
  /// @throws Exception anything; it goes to the failure handler
  protected abstract void abandoned(Task<?> task) throws Exception;
}
