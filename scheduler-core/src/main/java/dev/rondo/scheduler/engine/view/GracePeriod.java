package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.rooms.OwnedResource;
import java.time.Duration;
import java.util.Objects;

/// The time within which a cancelled task has to end. A task that does not is reported. The task
/// owns this object, whose timer is cancelled when the task ends.
///
/// Confined to the scheduler's thread.
public final class GracePeriod extends OwnedResource {

  private final TimerHandle timer;

  private GracePeriod(TimerHandle timer) {
    this.timer = timer;
  }

  /// Asks a task to end within some time, and reports the task if it does not.
  ///
  /// @return false if the task has ended, or was cancelled before
  public static boolean cancel(TaskCore<?> task, String reason, Duration grace) {
    long nanos = Durations.nanos(grace, "grace");
    Loop loop = task.loop;
    loop.checkCaller();
    var _ = loop.requireTimerService(); // refused before anything is changed
    boolean taken = task.cancel(reason);
    if (!task.hasEnded()) {
      CancelRequest holds = Objects.requireNonNull(task.cancelRequest());
      GracePeriod earlier = of(task, GracePeriod.class);
      if (earlier != null) {
        earlier.giveBack();
        earlier.timer.cancel();
      }
      Runnable report =
          () ->
              loop.report(
                  "task '" + task.name() + "'", TaskReports.outOfPatience(task, holds, grace));
      new GracePeriod(loop.after(nanos, report)).take(task);
    }
    return taken;
  }

  @Override
  protected void abandoned(Task<?> task) {
    timer.cancel();
  }

  @Override
  public String toString() {
    return "grace period";
  }
}
