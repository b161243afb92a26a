package dev.rondo.time;

import dev.rondo.scheduler.TaskAction;

/// Tests of one timer.
abstract class TimerFixture extends OnEveryBackend {

  /// The timer, also for actions that use it.
  Timer timer;

  /// Starts it: an action every ten milliseconds.
  final void every10(TaskAction<?> action) {
    timer = time().periodic(ms(10), action);
  }
}
