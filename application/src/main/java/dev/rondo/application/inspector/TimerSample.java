package dev.rondo.application.inspector;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.ArmedTimer;
import dev.rondo.time.WaitForTime;
import java.util.List;

/// The timers of a loop, at one moment.
///
/// @param armed how many there are
/// @param next those that are due next
record TimerSample(int armed, List<ArmedTimer> next) {

  private static final int MOST_SHOWN = 100;

  /// On the scheduler's thread.
  static TimerSample of(Scheduler scheduler) {
    WaitForTime time = scheduler.host().addOn(WaitForTime.class);
    return time == null
        ? new TimerSample(0, List.of())
        : new TimerSample(time.waiterCount(), time.nextTimers(MOST_SHOWN));
  }
}
