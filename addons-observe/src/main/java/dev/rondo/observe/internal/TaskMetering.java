package dev.rondo.observe.internal;

import com.google.common.base.Ticker;
import dev.rondo.observe.TaskLimitExceededException;
import dev.rondo.observe.TaskLimits;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;

/// Gives each task a [TaskMeter], and ends tasks that exceed their limits.
///
/// Each turn costs two more reads of the clock and two of the thread's allocation counter.
public final class TaskMetering implements EngineListener {

  private final LoopView loop;
  private final Ticker ticker;
  private TaskLimits standard;
  private final AllocationMeter allocation;

  /// When the current turn began.
  private long beganNanos;

  /// The bytes that the loop's thread had allocated at that moment.
  private long allocatedBefore;

  private TaskMetering(LoopView loop) {
    this.loop = loop;
    this.ticker = loop.ticker();
    this.standard = TaskLimits.UNLIMITED;
    this.allocation = AllocationMeter.of(loop.thread());
  }

  /// Measures all tasks of a loop, once: a second call changes the limits, unless it has none.
  ///
  /// @param standard the limits of each task except add-ons
  /// @throws IllegalStateException if the limits cannot be measured
  public static void open(LoopView loop, TaskLimits standard) {
    TaskMetering there = loop.listener(TaskMetering.class);
    TaskMetering own = there == null ? new TaskMetering(loop) : there;
    boolean knowsAllocation = own.allocation.isKnown() && loop.backend().mountsOnLoopThread();
    requireMeasurable(loop, standard, knowsAllocation);
    if (!standard.equals(TaskLimits.UNLIMITED)) {
      own.standard = standard;
    }
    if (there == null) {
      loop.add(own);
    }
  }

  private static void requireMeasurable(LoopView loop, TaskLimits limits, boolean knowsAllocation) {
    if (limits.allocatedBytes().isPresent() && !knowsAllocation) {
      throw new IllegalStateException(
          limits
              + " limits allocation, which cannot be measured on backend "
              + loop.backend().name()
              + " of this JVM; limit turns or run time, or use CONTINUATION or BOUND");
    }
  }

  /// Sets the limits of one task.
  ///
  /// @throws IllegalStateException if the task has no meter, or the limits cannot be measured
  public static void limit(Task<?> task, TaskLimits limits) {
    LoopView loop = LoopView.of(task);
    loop.scheduler().host().checkThread();
    if (!(loop.meter(task) instanceof TaskMeter meter)) {
      throw new IllegalStateException(
          "limits of task '"
              + task.name()
              + "', whose scheduler keeps no task metrics: build it with"
              + " Scheduler.builder().instrument(new Observers().taskMetrics())");
    }
    requireMeasurable(loop, limits, meter.knowsAllocation);
    meter.limit(limits);
  }

  @Override
  public void created(Task<?> task) {
    TaskLimits limits = loop.isAddOn(task) ? TaskLimits.UNLIMITED : standard;
    loop.meter(task, new TaskMeter(limits, allocation.isKnown() && loop.usesLoopThread(task)));
  }

  @Override
  public void beforeTurn(Task<?> task) {
    if (loop.meter(task) instanceof TaskMeter) {
      beganNanos = ticker.read();
      allocatedBefore = allocation.bytes();
    }
  }

  @Override
  public void afterTurn(Task<?> task) {
    if (loop.meter(task) instanceof TaskMeter meter) {
      long bytes = allocation.bytes() - allocatedBefore;
      meter.turnEnded(ticker.read() - beganNanos, bytes);
      if (meter.isOverLimit() && !task.isDone()) {
        loop.fail(
            task,
            new TaskLimitExceededException(
                "task '" + task.name() + "' exceeded its limits: " + meter.excess()));
      }
    }
  }
}
