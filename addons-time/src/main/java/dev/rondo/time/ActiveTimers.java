package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import org.jspecify.annotations.Nullable;

/// Keeps the scheduler running while timers have a tick to come: one suspended task for all of
/// them. When that task is cancelled, because the scheduler closes, so are the timers.
///
/// Confined to the scheduler's thread.
final class ActiveTimers {

  private final Scheduler scheduler;
  private final Runnable cancelAll;

  /// Null if none is active, and nobody has noticed in the meantime that the last is not.
  private @Nullable StepTask<Void> keeper;

  private int active;

  ActiveTimers(Scheduler scheduler, Runnable cancelAll) {
    this.scheduler = scheduler;
    this.cancelAll = cancelAll;
  }

  /// Whether timers can become active: not any more once the scheduler has begun to close.
  boolean areKept() {
    return keeper != null;
  }

  /// One more.
  ///
  /// @throws IllegalStateException if the scheduler is closed; nothing has changed
  void add() {
    if (keeper == null) {
      keeper = newKeeper();
    }
    active++;
  }

  /// One less.
  void remove() {
    active--;
    StepTask<Void> own = keeper;
    if (active > 0 || own == null) {
      return;
    }
    if (scheduler.inMainTask()) {
      own.cancel("no timer is active"); // at once: there may be no further turn
    } else {
      own.wake(); // cancelling takes a picture of the stack, which costs more than a turn
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
    var _ = scheduler.queue().scheduleOn(made, Waitable.never()); // suspended, and never had a turn
    return made;
  }
}
