package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Answers which tasks *hold* a wait: the tasks that must act before its event can come, such as
/// the owner of a lock. See [Waitable#holder()] and, for a wait that several tasks hold,
/// [WaitStep#eachHolder].
public final class Holders {

  private Holders() {}

  /// {@return whether each way in which a wait can end needs a task that meets a condition}
  public static boolean areHolding(Waitable<?> wait, Predicate<? super TaskCore<?>> condition) {
    if (wait instanceof WaitStep<?> step) {
      return step.isHeld(condition);
    }
    TaskCore<?> only = only(wait);
    return only != null && condition.test(only);
  }

  /// Calls a visitor for each holder of a wait, with the part of the wait that the task holds,
  /// until the visitor returns false.
  ///
  /// @return false if it has
  public static boolean each(Waitable<?> wait, BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    if (wait instanceof WaitStep<?> step) {
      return step.eachHolder(visitor);
    }
    TaskCore<?> only = only(wait);
    return only == null || visitor.test(wait, only);
  }

  /// The one task, of any loop, that holds a wait; null if there is none. The state of a task of
  /// another loop may be read only on the thread of that loop.
  public static @Nullable TaskCore<?> only(Waitable<?> wait) {
    try {
      Task<?> holder = wait.holder();
      return holder == null ? null : TaskCore.of(holder);
    } catch (Throwable e) {
      return null; // the description of the waiting task reports the failure
    }
  }
}
