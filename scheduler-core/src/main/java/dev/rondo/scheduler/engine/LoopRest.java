package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.IdleStrategy;
import org.jspecify.annotations.Nullable;

/// The sleep of a loop in its [IdleStrategy] during a run, and its rest between two runs of one
/// turn each.
///
/// Confined to the scheduler's thread.
final class LoopRest {

  private final Inbox inbox;
  private final ReadyQueue tasks;
  private final IdleTasks idleTasks;
  private final Ticker ticker;

  /// What watches the waits that may close a cycle; null if there was none. It may have to be
  /// called while no task is ready.
  Cycles.@Nullable Watch cycles;

  /// Whether other code uses the loop's thread now. Changes by that code have to end the rest. Set
  /// by [#sleep] and [#begin()].
  boolean lent;

  LoopRest(Inbox inbox, ReadyQueue tasks, IdleTasks idleTasks, Ticker ticker) {
    this.inbox = inbox;
    this.tasks = tasks;
    this.idleTasks = idleTasks;
    this.ticker = ticker;
  }

  /// Sleeps until a task may be ready. The caller has called [Inbox#tryFallAsleep()].
  ///
  /// @param lends whether other code uses the loop's thread meanwhile
  void sleep(IdleStrategy idleStrategy, boolean lends) {
    lent = lends;
    try {
      if (cycles != null && !cycles.isEmpty()) {
        long look = cycles.deadlineNanos();
        boolean sooner = idleTasks.timed && idleTasks.earliestNanos - look < 0;
        idleStrategy.idleUntil(sooner ? idleTasks.earliestNanos : look);
      } else if (idleTasks.timed) {
        idleStrategy.idleUntil(idleTasks.earliestNanos);
      } else {
        idleStrategy.idle();
      }
    } finally {
      lent = false;
      inbox.awake();
    }
  }

  /// Begins the rest between two runs, see [dev.rondo.scheduler.addon.LoopControl#rest()].
  ///
  /// @return the time until the loop has to run, in nanoseconds; 0 if a task is ready or an entry
  ///   has come
  long begin() {
    inbox.clearStopRequest(); // there is nothing to stop
    if (!tasks.noneIsReady() || !inbox.tryFallAsleep()) {
      return 0;
    }
    lent = true;
    long now = ticker.read();
    idleTasks.beginInterval(now);
    long nanos = idleTasks.nanosLeft(now);
    if (cycles != null && !cycles.isEmpty()) {
      nanos = Math.min(nanos, cycles.deadlineNanos() - now);
    }
    return Math.max(0, nanos);
  }

  /// Reports the cycles that have lasted long enough.
  void lookForCycles(long nowNanos) {
    if (cycles != null) {
      cycles.look(nowNanos);
    }
  }

  /// Called when a run begins.
  void end() {
    if (lent) {
      lent = false;
      inbox.awake();
    }
  }

  /// Ends the rest of a scheduler that is closed: no run begins any more, and nothing is delivered.
  void endForEver() {
    lent = false;
    inbox.discard();
  }

  /// Called on the loop's own thread when something has changed. Does nothing unless that thread is
  /// lent.
  void wakeIfLent() {
    if (lent) {
      inbox.wakeIfAsleep();
    }
  }
}
