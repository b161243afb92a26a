package dev.rondo.time;

import dev.rondo.scheduler.TaskAction;

/// Tests of one timer.
abstract class TimerFixture extends OnEveryBackend {

  /// The one, also for actions that need their own.
  Timer timer;

  /// Has it run an action every ten milliseconds from now on.
  final void every10(TaskAction action) {
    timer = time().periodic(ms(10), action);
  }
}
