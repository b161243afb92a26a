package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.time.Duration;

/// A warning for the [FailureHandler]: a task was cancelled and does not end. Never thrown. Its
/// trace is where the task is; its cause shows where `cancel` was called.
///
/// There are two reasons. The task swallows [TaskCancelled], in a `catch (Throwable)` for instance,
/// and goes on: let it pass. Or it cleans up for longer than expected, inside [Scheduler#shielded].
public final class CancelIgnoredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private CancelIgnoredException(String message, CancelRequest request) {
    super(message + " (" + request.describe() + ")", request.site());
  }

  /// Of the current task.
  static CancelIgnoredException toldOften(Task<?> task, CancelRequest request, int times) {
    return new CancelIgnoredException(
        "task '%s' was told %d times that it is cancelled, and suspends again: let TaskCancelled pass"
            .formatted(task.name(), times),
        request);
  }

  /// Of a task that is not the current one.
  static CancelIgnoredException outOfPatience(Task<?> task, CancelRequest request, Duration grace) {
    Waitable<?> awaited = task.awaited();
    var late =
        new CancelIgnoredException(
            "%s has not ended within %s of its cancellation%s"
                .formatted(
                    task,
                    Durations.readable(grace),
                    awaited == null ? "" : "; it waits for " + WaitDescriptions.describe(awaited)),
            request);
    late.setStackTrace(task.stackTrace());
    return late;
  }
}
