package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Source;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A wait that needs more steps than a wait for one event, or that several tasks hold: a seam for
/// choices, changed values, and the ends of groups.
///
/// The engine *prepares* such a wait, and polls and arms the result. When the wait is settled, the
/// engine *finishes* it in the task. A task *holds* a wait if the task must act before the event
/// can come, see [Waitable#holder()].
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the wait
public abstract class WaitStep<T extends @Nullable Object> implements Source<T> {

  /// Prepares this waitable for one wait of a task. Runs user code in that task.
  ///
  /// @return the waitable to poll and to arm
  /// @throws IllegalStateException if it belongs to another scheduler
  public Waitable<T> prepared(TaskCore<?> task) {
    return this;
  }

  /// Makes the value of the wait from the value with which the waiter was fired. Runs user code in
  /// the waiting task.
  @SuppressWarnings({"unchecked", "NullAway"}) // it was fired with a value of its type T
  public T finish(@Nullable Object raw) {
    return (T) raw;
  }

  /// {@return whether the part that has delivered a value is [eager][#isEager()]}
  public boolean wasEager(@Nullable Object raw) {
    return isEager();
  }

  /// {@return [#isEager()] of any event}
  ///
  /// @param waitable a source or not
  public static boolean isEager(Waitable<?> waitable) {
    return !(waitable instanceof Source<?> source) || source.isEager();
  }

  // Holders.

  /// {@return whether each way in which this wait can end has a holder that meets a condition} If
  /// all holders have to act, one such holder is enough.
  public boolean isHeld(Predicate<? super TaskCore<?>> condition) {
    return meets(onlyHolder(this), condition);
  }

  /// Calls a visitor for each holder, with the part of this wait that the task holds, until the
  /// visitor returns false.
  ///
  /// @return false if the visitor has returned false
  public boolean eachHolder(BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    TaskCore<?> only = onlyHolder(this);
    return only == null || visitor.test(this, only);
  }

  /// {@return whether all holders have to act, and not only one of them}
  public boolean needsAllHolders() {
    return false;
  }

  /// {@return whether a task completes this wait, even if the task is not known yet}
  public boolean isHeldLater() {
    return false;
  }

  // The holders of any wait.

  /// {@return whether each way in which a wait can end needs a task that meets a condition}
  public static boolean isHeld(Waitable<?> wait, Predicate<? super TaskCore<?>> condition) {
    return wait instanceof WaitStep<?> step
        ? step.isHeld(condition)
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
  public static boolean eachHolder(
      Waitable<?> wait, BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    if (wait instanceof WaitStep<?> step) {
      return step.eachHolder(visitor);
    }
    TaskCore<?> only = onlyHolder(wait);
    return only == null || visitor.test(wait, only);
  }

  /// The only task, of any loop, that holds a wait; null if there is no single one. The state of a
  /// task of another loop may be read only on the thread of that loop.
  public static @Nullable TaskCore<?> onlyHolder(Waitable<?> wait) {
    try {
      Task<?> holder = wait.holder();
      return holder == null ? null : TaskCore.of(holder);
    } catch (Throwable e) {
      return null; // the description of the waiting task reports the failure
    }
  }

  // While the task must not be scheduled.

  /// {@return whether this wait may end with a failure while it must not end in another way without
  /// its event}
  public boolean mayFail() {
    return false;
  }

  /// Keeps a failure for later, because this wait must not end with it.
  ///
  /// @return false if the failure is refused
  public boolean failLater(Supplier<? extends Throwable> failure) {
    return false;
  }
}
