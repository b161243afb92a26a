package dev.rondo.scheduler;

import dev.rondo.scheduler.coroutine.CoroutineBackend;

/// Keeps an [TaskMeter] for each task, and sees to it that limits are kept.
///
/// A turn costs two readings of the clock and two of the thread's allocation counter more.
final class TaskMetering implements TaskListener {

  private final Loop loop;
  private final TaskLimits standard;
  private final AllocationMeter meter;

  /// Of the turn that is going on.
  private long beganNanos;

  private long allocatedBefore;

  private TaskMetering(Loop loop, TaskLimits standard) {
    this.loop = loop;
    this.standard = standard;
    this.meter = AllocationMeter.of(loop.loopThread.thread());
    requireMeasurable(loop, standard, meter);
  }

  static Instrument withLimits(TaskLimits standard) {
    return loop -> new TaskMetering(loop, standard);
  }

  private static void requireMeasurable(Loop loop, TaskLimits limits, AllocationMeter meter) {
    CoroutineBackend backend = loop.backend;
    if (limits.limitsAllocation() && !(meter.isKnown() && backend.mountsOnLoopThread())) {
      throw new IllegalStateException(
          limits
              + " limits allocation, which cannot be measured on backend "
              + backend.name()
              + " of this JVM; limit turns or run time, or use CONTINUATION or BOUND");
    }
  }

  /// Sets the limits of one task.
  static void limits(Task<?> task, TaskLimits limits) {
    TaskMeter account = task.meter;
    if (account == null) {
      throw new IllegalStateException(
          "limits of task '"
              + task.name()
              + "', whose scheduler keeps no task metrics: build it with"
              + " Scheduler.builder().taskMetrics()");
    }
    if (limits.limitsAllocation() && !account.knowsAllocation) {
      requireMeasurable(task.loop, limits, AllocationMeter.NONE);
    }
    account.limits = limits;
  }

  @Override
  public void created(Task<?> task) {
    boolean measured =
        meter.isKnown() && (task instanceof StepTask<?> || loop.backend.mountsOnLoopThread());
    task.meter = new TaskMeter(task.addOn ? TaskLimits.unlimited() : standard, measured);
  }

  @Override
  public void beforeTurn(Task<?> task) {
    TaskMeter account = task.meter;
    if (account != null) {
      beganNanos = loop.ticker.read();
      allocatedBefore = meter.bytes();
    }
  }

  @Override
  public void afterTurn(Task<?> task) {
    TaskMeter account = task.meter;
    if (account != null) {
      long bytes = meter.bytes() - allocatedBefore;
      account.turnEnded(loop.ticker.read() - beganNanos, account.knowsAllocation ? bytes : 0);
      if (account.limits.isExceededBy(account) && !task.isDone()) {
        task.fail(
            new TaskLimitExceededException(
                "task '"
                    + task.name()
                    + "' exceeded its limits: "
                    + account.limits.excess(account)));
      }
    }
  }
}
