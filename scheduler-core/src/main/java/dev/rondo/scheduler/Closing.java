package dev.rondo.scheduler;

import java.util.List;

/// The end of a scheduler: no task is left behind with its `finally` not run.
final class Closing {

  /// Cancelled tasks have this many turns each, on average, to clean up.
  private static final long TURNS_TO_CLEAN_UP = 1_000;

  private final Loop loop;

  Closing(Loop loop) {
    this.loop = loop;
  }

  /// Cancels every task, youngest first, and lets all run to their end; then the add-ons.
  ///
  /// @return those that would not end
  List<Task<?>> close() {
    loop.inbox.clearStopRequest();
    loop.inbox.drain(loop);
    cancelYoungestFirst(false);
    runOut();
    cancelYoungestFirst(true);
    loop.inbox.close(loop);
    loop.failures.reportFatal("a task while the scheduler closed");
    List<Task<?>> left = loop.tasks.list();
    left.removeIf(task -> task.addOn);
    return left;
  }

  private void cancelYoungestFirst(boolean addOns) {
    for (Task<?> task : loop.tasks.list().reversed()) {
      if (task.addOn == addOns) {
        if (!task.cancel("the scheduler closes")) {
          task.applyCancel(); // it was cancelled before, and may have been taken out since
        }
        if (loop.tasks.isReady(task)) {
          loop.tasks.remove(
              task); // those that are told at a yield have their turn in this order too
          loop.tasks.addLast(task);
        }
      }
    }
  }

  /// Runs until only add-ons are left, nothing can move any more, or patience is at its end: there
  /// are turns enough to clean up, not to go on for ever.
  private void runOut() {
    long patience = TURNS_TO_CLEAN_UP * (1L + loop.tasks.size());
    while (patience > 0 && loop.tasks.hasOthersThanAddOns()) {
      Task<?> task = loop.nextWhileClosing();
      if (task != null) {
        patience -= task.addOn ? 0 : 1;
        loop.turn(task);
      } else if (!loop.awaitWork()) {
        return;
      }
    }
  }
}
