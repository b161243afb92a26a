package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import dev.rondo.scheduler.observe.TaskWait;
import dev.rondo.scheduler.observe.TaskWait.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes, for observers, the waits that tasks hold. The holders may be tasks of other loops.
final class HeldWaits {

  /// The most holders that are listed, because a group may have a million tasks.
  private static final int MOST_HOLDERS = 64;

  private final List<Holder> holders = new ArrayList<>();

  private HeldWaits() {}

  /// {@return what a task waits for; null if no task holds it} On the thread of the task's loop.
  static @Nullable TaskWait of(TaskCore<?> task, long nowNanos) {
    Waitable<?> awaited = task.awaited();
    if (awaited == null) {
      return null;
    }
    var waits = new HeldWaits();
    boolean held = waits.collect(awaited);
    if (waits.holders.isEmpty()) {
      return null;
    }
    return new TaskWait(
        holder(task),
        WaitDescriptions.describe(awaited),
        Duration.ofNanos(Math.max(0, nowNanos - task.sinceNanos)),
        31 * task.sinceNanos + System.identityHashCode(awaited),
        awaited instanceof GroupChildren<?>,
        held,
        waits.holders);
  }

  /// @return whether each way in which the wait can end has a task that holds it
  private boolean collect(Waitable<?> wait) {
    return switch (wait) {
      case Composite.Mapped<?, ?> mapped -> collect(mapped.inner());
      case Choice<?, ?> choice -> {
        boolean held = true;
        for (Waitable<?> part : choice.parts()) {
          held &= collect(part);
        }
        yield held;
      }
      case GroupChildren<?> children -> {
        boolean _ = children.oldestLeft(MOST_HOLDERS).allMatch(this::add);
        yield !children.isMet();
      }
      default -> {
        TaskCore<?> only = Holders.anywhere(wait);
        yield only != null && add(only);
      }
    };
  }

  private boolean add(TaskCore<?> holder) {
    if (holders.size() == MOST_HOLDERS) {
      return false;
    }
    holders.add(holder(holder));
    return true;
  }

  private static Holder holder(TaskCore<?> task) {
    return new Holder(task.loopNumber(), task.id(), task.name());
  }
}
