package dev.rondo.micrometer;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskState;
import dev.rondo.time.WaitForTime;
import java.util.Map;

/// What a scheduler was doing at one moment.
///
/// @param tasks how many tasks are in each state
/// @param turns how many turns tasks have had
/// @param ready how many tasks are ready
/// @param timers how many timers are armed
/// @param channels how many sockets, listeners and pipes are open
/// @param channelWaits how many waits for them there are
/// @param bytesReceived how many bytes sockets and pipes have received
/// @param bytesSent how many bytes of them the system has taken
record Sample(
    Map<TaskState, Integer> tasks,
    long turns,
    int ready,
    int timers,
    int channels,
    int channelWaits,
    long bytesReceived,
    long bytesSent) {

  static final Sample NONE = new Sample(Map.of(), 0, 0, 0, 0, 0, 0, 0);

  /// Takes a sample, on the scheduler's thread.
  static Sample of(Scheduler scheduler) {
    WaitForTime time = scheduler.host().addOn(WaitForTime.class);
    WaitForIO io = scheduler.host().addOn(WaitForIO.class);
    return new Sample(
        scheduler.host().tasksByState(),
        scheduler.host().turnCount(),
        scheduler.tasksPending(),
        time == null ? 0 : time.waiterCount(),
        io == null ? 0 : io.openCount(),
        io == null ? 0 : io.waiterCount(),
        io == null ? 0 : io.bytesReceived(),
        io == null ? 0 : io.bytesSent());
  }

  int inState(TaskState state) {
    return tasks.getOrDefault(state, 0);
  }
}
