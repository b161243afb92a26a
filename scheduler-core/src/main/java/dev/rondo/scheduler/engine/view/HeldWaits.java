package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import dev.rondo.scheduler.internal.rooms.TaskWait.Holder;
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

  /// {@return the wait of a task; null if no task holds it} On the thread of the task's loop.
  static @Nullable TaskWait of(TaskCore<?> task, long nowNanos) {
    Waitable<?> awaited = task.awaited();
    if (awaited == null) {
      return null;
    }
    var waits = new HeldWaits();
    boolean complete = HeldWait.eachHolder(awaited, (by, holder) -> waits.add(holder));
    if (waits.holders.isEmpty()) {
      return null;
    }
    boolean all = HeldWait.needsAllHolders(awaited);
    return new TaskWait(
        holder(task),
        ReportText.describe(awaited),
        Duration.ofNanos(Math.max(0, nowNanos - task.sinceNanos)),
        31 * task.sinceNanos + System.identityHashCode(awaited),
        all,
        (all || complete) && HeldWait.isHeld(awaited, each -> true),
        waits.holders,
        !complete);
  }

  private boolean add(TaskCore<?> holder) {
    if (holders.size() == MOST_HOLDERS) {
      return false;
    }
    holders.add(holder(holder));
    return true;
  }

  private static Holder holder(TaskCore<?> task) {
    return new Holder(task.loop.number, task.id(), task.name());
  }
}
