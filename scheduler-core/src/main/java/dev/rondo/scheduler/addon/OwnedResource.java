package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Ownership;
import org.jspecify.annotations.Nullable;

/// Something that one task has and must give back before it ends: a lock. A task that ends without
/// having done so *abandons* it, and whoever lent it is told.
///
/// A task's holdings are a list through themselves: taking allocates nothing, giving back costs a
/// search among those taken later, which are few.
///
/// Confined to the scheduler's thread. No method is a suspension point.
public abstract class OwnedResource {

  private final Ownership ownership = new Held();

  /// Nobody has it yet.
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

  /// {@return the task that has it; null if nobody does}
  public final @Nullable Task<?> holder() {
    return ownership.holder();
  }

  /// From now on a task has it.
  ///
  /// @param task one that has not ended
  /// @throws IllegalStateException if somebody has it already, or the task has ended
  protected final void take(Task<?> task) {
    ownership.take(task);
  }

  /// Nobody has it any more.
  ///
  /// @throws IllegalStateException if nobody had it
  protected final void giveBack() {
    ownership.giveBack();
  }

  /// The task that had it has ended; nobody has it any more. Must not suspend. What it throws goes
  /// to the failure handler.
  ///
  /// @param task the one that has ended
  /// @throws Exception it is reported
  protected abstract void abandoned(Task<?> task) throws Exception;
}
