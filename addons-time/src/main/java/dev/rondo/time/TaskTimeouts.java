package dev.rondo.time;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/// The imperative timeouts, at most one for each task: see [WaitForTime#timeout].
///
/// A task may end while its timeout is armed, so this class holds tasks weakly; what remains is a
/// timer without effect. Confined to the scheduler's thread.
final class TaskTimeouts {

  /// The delay before another attempt if the task cannot be woken: it is blocked in the JDK, or was
  /// taken out with something that it has received.
  private static final long RETRY_NANOS = 1_000_000;

  private final Alarms alarms;
  private final Map<Task<?>, Timeout> armed = new WeakHashMap<>();

  TaskTimeouts(Alarms alarms) {
    this.alarms = alarms;
  }

  void arm(Task<?> task, Duration limit, long nanos) {
    disarm(task);
    var timeout = new Timeout(task, limit, new Deadline(alarms.host.nowNanos() + nanos));
    armed.put(task, timeout);
    alarms.arm(timeout, timeout.deadline.nanos());
  }

  void disarm(Task<?> task) {
    Timeout timeout = armed.remove(task);
    if (timeout != null) {
      var _ = alarms.disarm(timeout);
    }
  }

  /// The deadline of a task that has not ended.
  Optional<Deadline> of(Task<?> task) {
    Timeout timeout = task.isDone() ? null : armed.get(task);
    return timeout == null ? Optional.empty() : Optional.of(timeout.deadline);
  }

  private final class Timeout extends TimerEntry {

    private final WeakReference<Task<?>> reference;
    private final Duration limit;

    /// As it was set; the timer is armed again if it cannot fail a wait then.
    private final Deadline deadline;

    Timeout(Task<?> task, Duration limit, Deadline deadline) {
      this.reference = new WeakReference<>(task);
      this.limit = limit;
      this.deadline = deadline;
    }

    @Override
    void fire() {
      Task<?> task = reference.get();
      if (task == null) {
        return;
      }
      switch (task.taskState()) {
        case WAITING, SUSPENDED, IDLING -> fail(task);
        case READY, RUNNING -> alarms.arm(this, alarms.host.nowNanos()); // its next wait
        case BLOCKED -> alarms.arm(this, alarms.host.nowNanos() + RETRY_NANOS);
        case NEW, SUCCEEDED, FAILED, CANCELLED -> armed.remove(task);
      }
    }

    @Override
    String describe() {
      Task<?> task = reference.get();
      return task == null
          ? "the time limit of a task that has ended"
          : "the time limit of " + TimeEvent.describe(task);
    }

    /// Replaces the task's wait by one that fails.
    private void fail(Task<?> task) {
      Waitable<String> end = Waitable.always(task.name()).map(this::failed);
      if (alarms.scheduler.queue().scheduleOn(task, end)) {
        armed.remove(task);
      } else {
        alarms.arm(this, alarms.host.nowNanos() + RETRY_NANOS);
      }
    }

    /// Runs in the task, so that the trace shows the wait.
    private String failed(String name) {
      throw new TimedOutException(limit, "timeout(..) of task '" + name + "'");
    }
  }
}
