package dev.rondo.application.testing;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.observe.TaskInfo;

/// What a test has left behind.
final class LeakCheck {

  /// Turns for tasks that only need some to end; more than that is not ending.
  private static final int TURNS = 10_000;

  private LeakCheck() {}

  /// A report; empty if nothing is left. Gives those who are ready their turns before it looks.
  static String of(Application application) {
    settle(application.scheduler());
    var report = new StringBuilder();
    int timers = application.time().waiterCount();
    for (TaskInfo task : application.scheduler().tasks()) {
      if (isLeft(task)) {
        report.append("\n  ").append(task.describe());
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

  /// All but an add-on that has nothing to do.
  private static boolean isLeft(TaskInfo task) {
    return !task.isDaemon() || task.waitingFor() != null;
  }
}
