package dev.rondo.scheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The end of a scheduler: no task is left behind with its `finally` not run.
final class Closing {

  /// Cancelled tasks have this many turns each, on average, to clean up.
  private static final long TURNS_TO_CLEAN_UP = 1_000;

  private final Loop loop;

  Closing(Loop loop) {
    this.loop = loop;
  }

  /// Cancels every task, youngest first, and lets all run to their end; then the add-ons.
  void close() {
    loop.inbox.clearStopRequest();
    try {
      loop.inbox.drain(loop);
      if (!loop.shutdown.gaveUp()) {
        cancelYoungestFirst(loop, "the scheduler closes");
        runOut();
      } // else they had their time
    } finally { // also if a scheduling policy fails
      cancelYoungestFirst(loop, "the scheduler closes", true);
      loop.inbox.close(loop);
      loop.failures.reportFatal("a task while the scheduler closed");
    }
  }

  /// The tasks that are still there, without add-ons.
  static List<Task<?>> left(Loop loop) {
    List<Task<?>> left = loop.tasks.list();
    left.removeIf(task -> task.addOn);
    return left;
  }

  /// Cancels every task but add-ons.
  static void cancelYoungestFirst(Loop loop, String reason) {
    cancelYoungestFirst(loop, reason, false);
  }

  private static void cancelYoungestFirst(Loop loop, String reason, boolean addOns) {
    CancelRequest all = CancelRequest.here("the scheduler", reason, loop.callerName());
    for (Task<?> task : loop.tasks.list().reversed()) {
      if (task.addOn == addOns) {
        if (!task.cancelHere(all.of(task))) {
          task.applyCancel(); // it was cancelled before, and may have been taken out since
        }
        if (loop.tasks.isReady(task) && !loop.isRunning(task)) {
          loop.tasks.remove(
              task); // those that are told at a yield have their turn in this order too
          loop.tasks.addLast(task);
        }
      }
    }
  }

  /// Gives up the tasks that are left: no turn comes any more.
  ///
  /// @param known whether the failure handler was told of them already
  static void abandon(Loop loop, boolean known) {
    for (Task<?> task : left(loop)) {
      String where = task.toString();
      var failure = TaskAbandonedException.closed(task);
      task.abandon(failure);
      if (!known) {
        loop.failures.report(where, failure);
      }
    }
  }

  /// The next task to run, after a look around if one is due; without any thought of ending.
  private @Nullable Task<?> next() {
    loop.inbox.clearStopRequest();
    if (--loop.turnsLeft < 0) {
      loop.lookAround();
    }
    return loop.tasks.first();
  }

  /// Runs until only add-ons are left, nothing can move any more, or patience is at its end: there
  /// are turns enough to clean up, not to go on for ever; but a task that ends the JVM gets there.
  private void runOut() {
    long patience = TURNS_TO_CLEAN_UP * (1L + loop.tasks.size());
    while ((patience > 0 || loop.shutdown.isJvmExiting()) && loop.tasks.hasOthersThanAddOns()) {
      Task<?> task = next();
      if (task != null) {
        patience -= task.addOn ? 0 : 1;
        loop.turn(task);
      } else if (!loop.awaitWork()) {
        return;
      }
    }
  }
}
