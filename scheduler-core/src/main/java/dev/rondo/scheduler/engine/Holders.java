package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Answers which tasks *hold* a wait: the tasks that must act before its event can come, such as
/// the owner of a lock. See [Waitable#holder()].
///
/// A choice has a holder for each of its parts, and the end of a group has all children as holders.
/// Any other wait has one holder at most.
final class Holders {

  private Holders() {}

  /// Whether each way in which a wait can end needs a task of this loop. Only choices and the ends
  /// of groups can end in several ways.
  static boolean holdAllWays(Waitable<?> wait) {
    if (wait instanceof Choice<?, ?> choice) {
      return choice.allParts(Holders::holdAllWays);
    }
    if (wait instanceof Composite.Mapped<?, ?> mapped) {
      return holdAllWays(mapped.inner());
    }
    return wait instanceof GroupChildren<?> children ? !children.isMet() : here(wait) != null;
  }

  /// Calls an action for each task of this loop that holds a wait, with the part of the wait that
  /// the task holds.
  static void forEach(Waitable<?> wait, BiConsumer<Waitable<?>, TaskCore<?>> action) {
    switch (wait) {
      case Composite.Mapped<?, ?> mapped -> forEach(mapped.inner(), action);
      case Choice<?, ?> choice -> {
        for (Waitable<?> part : choice.parts()) {
          forEach(part, action);
        }
      }
      case GroupChildren<?> children ->
          children.left().forEach(child -> action.accept(wait, child));
      default -> {
        TaskCore<?> holder = here(wait);
        if (holder != null) {
          action.accept(wait, holder);
        }
      }
    }
  }

  /// The one task of this loop that holds a wait; null if there is none.
  private static @Nullable TaskCore<?> here(Waitable<?> awaited) {
    TaskCore<?> holder = anywhere(awaited);
    return holder == null || holder.isElsewhere() ? null : holder;
  }

  /// The one task, of any loop, that holds a wait; null if there is none. The state of a task of
  /// another loop may be read only on the thread of that loop.
  static @Nullable TaskCore<?> anywhere(Waitable<?> awaited) {
    try {
      Task<?> holder = awaited.holder();
      return holder == null ? null : TaskCore.of(holder);
    } catch (Throwable e) {
      return null; // the description of the waiting task reports the failure
    }
  }
}
