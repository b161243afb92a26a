package dev.rondo.scheduler.engine.rooms;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A wait that several tasks hold, or a task that is not known yet. A task *holds* a wait if the
/// task must act before the event can come, see [Waitable#holder()].
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the wait
public interface HeldWait<T extends @Nullable Object> extends Waitable<T> {

  /// {@return whether each way in which this wait can end has a holder that meets a condition} If
  /// all holders have to act, one such holder is enough.
  default boolean isHeld(Predicate<? super TaskCore<?>> condition) {
    return meets(onlyHolder(this), condition);
  }

  /// Calls a visitor for each holder, with the part of this wait that the task holds, until the
  /// visitor returns false.
  ///
  /// @return false if the visitor has returned false
  default boolean eachHolder(BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    TaskCore<?> only = onlyHolder(this);
    return only == null || visitor.test(this, only);
  }

  /// {@return whether all holders have to act, and not only one of them}
  default boolean needsAllHolders() {
    return false;
  }

  /// {@return whether a task completes this wait, even if the task is not known yet}
  default boolean isHeldLater() {
    return false;
  }

  // The holders of any wait.

  /// {@return whether each way in which a wait can end needs a task that meets a condition}
  static boolean isHeld(Waitable<?> wait, Predicate<? super TaskCore<?>> condition) {
    return wait instanceof HeldWait<?> held
        ? held.isHeld(condition)
        : meets(onlyHolder(wait), condition);
  }

  private static boolean meets(
      @Nullable TaskCore<?> holder, Predicate<? super TaskCore<?>> condition) {
    return holder != null && condition.test(holder);
  }

  /// Calls a visitor for each holder of a wait, with the part of the wait that the task holds,
  /// until the visitor returns false.
  ///
  /// @return false if the visitor has returned false
  static boolean eachHolder(Waitable<?> wait, BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    if (wait instanceof HeldWait<?> held) {
      return held.eachHolder(visitor);
    }
    TaskCore<?> only = onlyHolder(wait);
    return only == null || visitor.test(wait, only);
  }

  /// {@return whether all holders of a wait have to act, and not only one of them}
  static boolean needsAllHolders(Waitable<?> wait) {
    return wait instanceof HeldWait<?> held && held.needsAllHolders();
  }

  /// The only task, of any loop, that holds a wait; null if there is no single one. The state of a
  /// task of another loop may be read only on the thread of that loop.
  static @Nullable TaskCore<?> onlyHolder(Waitable<?> wait) {
    try {
      Task<?> holder = wait.holder();
      return holder == null ? null : TaskCore.of(holder);
    } catch (Throwable e) {
      return null; // the description of the waiting task reports the failure
    }
  }
}
