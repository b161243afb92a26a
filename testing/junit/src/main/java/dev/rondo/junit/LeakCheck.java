package dev.rondo.junit;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TaskInfo;

/// Finds the tasks and timers that a test has left behind.
final class LeakCheck {

  /// The turns granted to tasks that are about to end. A task that needs more counts as left.
  private static final int TURNS = 10_000;

  private LeakCheck() {}

  /// {@return a report, empty if nothing is left} Runs the tasks that are ready first.
  static String of(Application application) {
    settle(application.scheduler());
    var report = new StringBuilder();
    int timers = application.time().waiterCount();
    for (TaskInfo task : application.scheduler().tasks()) {
      if (isLeft(task)) {
        report.append("\n  ").append(task);
      }
    }
    if (timers > 0) {
      report.append("\n  ").append(timers == 1 ? "1 timer" : timers + " timers").append(" armed");
    }
    return report.isEmpty()
        ? ""
        : report.insert(0, "the test left this behind: join, cancel or close it").toString();
  }

  private static void settle(Scheduler scheduler) {
    int turns = 0;
    while (turns < TURNS && scheduler.step()) {
      turns++;
    }
  }

  /// {@return whether a task counts: every task except a daemon that waits for nothing}
  private static boolean isLeft(TaskInfo task) {
    return !task.isDaemon() || task.waitingFor() != null;
  }
}
