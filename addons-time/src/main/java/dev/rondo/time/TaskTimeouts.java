package dev.rondo.time;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.rooms.OwnedResource;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The timeouts that tasks set with [WaitForTime#timeout], at most one for each task.
///
/// A task owns its timeout, which is disarmed when the task ends. Confined to the scheduler's
/// thread.
final class TaskTimeouts {

  private final Alarms alarms;
  private final Map<Task<?>, Timeout> armed = new HashMap<>();

  TaskTimeouts(Alarms alarms) {
    this.alarms = alarms;
  }

  void arm(Task<?> task, Duration limit, long nanos) {
    disarm(task);
    var timeout = new Timeout(task, limit, new Deadline(alarms.host.nowNanos() + nanos));
    timeout.tie.begin();
    armed.put(task, timeout);
    alarms.arm(timeout, timeout.deadline.nanos());
  }

  void disarm(Task<?> task) {
    Timeout timeout = armed.remove(task);
    if (timeout != null) {
      timeout.tie.end();
      var _ = alarms.disarm(timeout);
    }
  }

  /// The deadline of a task that has not ended.
  Optional<Deadline> of(Task<?> task) {
    Timeout timeout = armed.get(task);
    return timeout == null ? Optional.empty() : Optional.of(timeout.deadline);
  }

  private final class Timeout extends TimerEntry {

    private final Task<?> task;
    private final Duration limit;

    /// The deadline as it was set. If no wait of the task can fail at the deadline, the timer is
    /// armed again when the task next waits.
    private final Deadline deadline;

    private final Tie tie = new Tie();

    Timeout(Task<?> task, Duration limit, Deadline deadline) {
      this.task = task;
      this.limit = limit;
      this.deadline = deadline;
    }

    @Override
    void fire() {
      switch (task.taskState()) {
        case WAITING, SUSPENDED, IDLING -> fail();
        case READY, RUNNING, BLOCKED -> failNext();
        case NEW, SUCCEEDED, FAILED, CANCELLED -> disarm(task);
      }
    }

    @Override
    String describe() {
      return "the time limit of " + TimeEvent.describe(task);
    }

    private void fail() {
      if (TaskControl.of(alarms.host).failWait(task, this::failure)) {
        disarm(task);
      } else {
        failNext(); // the task has something to take, or must not leave its wait
      }
    }

    /// Tries again when the task next waits. It arms no timer: otherwise a task that nothing wakes
    /// would look as if the timer could wake it.
    private void failNext() {
      TaskControl.of(alarms.host).whenParked(task, this::parked);
    }

    private void parked() {
      if (armed.get(task) == this) { // not removed or replaced meanwhile
        alarms.arm(this, alarms.host.nowNanos());
      }
    }

    private TimedOutException failure() {
      return new TimedOutException(limit, "timeout(..) of task '" + task.name() + "'");
    }

    /// Notices the end of the task, as a resource of the task.
    private final class Tie extends OwnedResource {

      void begin() {
        take(task);
      }

      void end() {
        giveBack();
      }

      @Override
      protected void abandoned(Task<?> ended) {
        armed.remove(ended);
        var _ = alarms.disarm(Timeout.this);
      }

      @Override
      public String toString() {
        return "a time limit";
      }
    }
  }
}
