package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import org.jspecify.annotations.Nullable;

/// Keeps the scheduler running while a timer has a tick to come. One suspended task does this for
/// all timers. When the scheduler closes, that task is cancelled, and with it all timers.
///
/// Confined to the scheduler's thread.
final class ActiveTimers {

  private final Scheduler scheduler;
  private final Runnable cancelAll;

  /// The suspended task; null if no timer is active and the last such task has ended.
  private @Nullable StepTask<Void> keeper;

  private int active;

  ActiveTimers(Scheduler scheduler, Runnable cancelAll) {
    this.scheduler = scheduler;
    this.cancelAll = cancelAll;
  }

  /// Whether timers can stay active; they cannot once the scheduler has begun to close.
  boolean areKept() {
    return keeper != null;
  }

  /// Adds a timer.
  ///
  /// @throws IllegalStateException if the scheduler is closed; nothing has changed
  void add() {
    if (keeper == null) {
      keeper = newKeeper();
    }
    active++;
  }

  /// Removes a timer.
  void remove() {
    active--;
    StepTask<Void> own = keeper;
    if (active > 0 || own == null) {
      return;
    }
    if (scheduler.inMainTask()) {
      own.cancel("no timer is active"); // at once, because there may be no further turn
    } else {
      own.wake(); // cancelling records the stack, which costs more than a turn
    }
  }

  private StepTask<Void> newKeeper() {
    StepTask<Void> made =
        scheduler
            .host()
            .newStepTask(
                "active timers", self -> active == 0 ? StepResult.DONE : StepResult.SUSPEND);
    made.trap((ended, outcome) -> {
      keeper = null;
      if (active > 0) {
        cancelAll.run();
      }
      return outcome;
    });
    var _ = scheduler.queue().scheduleOn(made, Waitable.never()); // suspended without a turn
    return made;
  }
}
