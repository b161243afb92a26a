package dev.rondo.scheduler.engine.closing;

import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Driver;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.engine.view.TaskReports;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.TurnRunner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Closes a scheduler. It lets the `finally` blocks of all tasks run.
public final class Closing {

  /// The number of turns that cancelled tasks have to clean up, for each task on average.
  private static final long TURNS_TO_CLEAN_UP = 1_000;

  /// The time after which a close logs which tasks it waits for.
  private static final Duration WARN_AFTER = Duration.ofSeconds(10);

  private final Loop loop;
  private final Driver driver;
  private final ReadyQueue tasks;
  private final MassCancellation massCancellation;
  private final Ending ending;
  private final ExternalWork externalWork;
  private final Runnable whenClosed;

  private Closing(SchedulerCore scheduler) {
    this.loop = scheduler.loop;
    this.driver = scheduler.driver;
    this.tasks = loop.tasks;
    this.massCancellation = new MassCancellation(loop);
    this.ending = Ending.of(scheduler);
    this.externalWork = loop.externalWork;
    this.whenClosed = scheduler.closeView;
  }

  /// Cancels every task, from the youngest to the oldest, and runs the loop until all tasks have
  /// ended. Then does the same with the add-ons.
  public static void close(SchedulerCore scheduler) {
    new Closing(scheduler).close();
  }

  private void close() {
    driver.enter("close()");
    loop.beginToClose();
    UnbegunTasks.endAll(loop);
    boolean reported = ending.gaveUp;
    try {
      endAll();
    } finally {
      ending.closed(tasks.hasOthersThanAddOns());
      driver.exit();
      try {
        abandonAll(reported);
        loop.reportHeld();
      } finally {
        whenClosed.run();
      }
    }
  }

  private void endAll() {
    Rooms.Interrupts interrupts =
        loop.handleInterrupts(); // an interrupt ends nothing here: the caller finds it
    try {
      loop.deliverAll();
      if (!ending.gaveUp && tasks.hasOthersThanAddOns()) {
        massCancellation.cancelTasks("the scheduler closes");
        new CleaningUp(interrupts).drive();
      } // otherwise the shutdown has given the tasks their time
    } finally { // also if a scheduling policy fails
      closeRunner();
      massCancellation.cancelAddOns("the scheduler closes");
      loop.refuseAll();
    }
  }

  /// No task has another turn, so from now on code may block the loop's own thread.
  private void closeRunner() {
    TurnRunner own = loop.runner;
    if (own != null) {
      loop.runner = null;
      own.close();
    }
  }

  /// A run until only add-ons are left, no task can become ready, or the turns for cleaning up are
  /// spent. A task that ends the JVM has as many turns as it needs.
  private final class CleaningUp extends Loop.Run {

    private final Rooms.Interrupts interrupts;

    private long turnsLeft = TURNS_TO_CLEAN_UP * (1L + tasks.size());

    /// The time that tasks have waited for other threads, without the present wait.
    private long waitedNanos;

    /// The beginning of the present wait.
    private long beganNanos;

    /// Null while no task waits for another thread: in that case, tasks that nothing can wake end
    /// this run.
    private @Nullable TimerHandle alarm;

    private boolean warned;

    CleaningUp(Rooms.Interrupts interrupts) {
      this.interrupts = interrupts;
      if (!goesOn()) {
        loop.passSoon();
      }
    }

    void drive() {
      try {
        loop.run(this);
      } finally {
        cancelAlarm();
      }
    }

    private boolean goesOn() {
      return (turnsLeft > 0 || ending.isJvmExiting) && tasks.hasOthersThanAddOns();
    }

    @Override
    public boolean pass() {
      if (!goesOn()) {
        return false;
      }
      loop.ignoreStop(); // nothing stops this run
      interrupts.note();
      boolean _ = loop.pass();
      watchOthers();
      return true;
    }

    /// Logs once which tasks this run waits for, if these tasks have waited long for other threads
    /// in all, because a call on another thread may never return. Requires a timer. Does nothing
    /// under virtual time, which a timer would advance.
    private void watchOthers() {
      if (externalWork.waits() == 0) {
        cancelAlarm();
        return;
      }
      TimerService timers = loop.timerService;
      IdleStrategy strategy = loop.idleStrategy;
      if (alarm == null && !warned && timers != null && !strategy.timeStandsStill()) {
        beganNanos = loop.nowNanos();
        alarm = timers.at(beganNanos + WARN_AFTER.toNanos() - waitedNanos, this::warn);
      }
    }

    private void warn() {
      warned = true;
      Alerts.warn(
          TaskReports.naming(
              "close() has waited for %s, and continues to wait, for tasks that were cancelled and have not ended:"
                  .formatted(ReportText.duration(WARN_AFTER)),
              tasks.listWithoutAddOns()));
    }

    private void cancelAlarm() {
      TimerHandle own = alarm;
      alarm = null;
      if (own != null) {
        waitedNanos += loop.nowNanos() - beganNanos;
        boolean _ = own.cancel();
      }
    }

    @Override
    public boolean turn(ReadyQueue.Entry entry) {
      if (!goesOn()) {
        return false;
      }
      TaskCore<?> task = entry.makeFirst();
      turnsLeft -= task.isAddOn() ? 0 : 1;
      loop.turn(task);
      watchOthers();
      return goesOn();
    }
  }

  /// Gives up the tasks that are left. These tasks have no more turns.
  ///
  /// @param reported whether the failure handler has received them already
  private void abandonAll(boolean reported) {
    for (TaskCore<?> task : tasks.listWithoutAddOns()) {
      String where = task.toString();
      var failure = TaskReports.abandoned(task, 0, "closed: it did not end");
      task.abandon(failure);
      if (!reported) {
        loop.report(where, failure);
      }
    }
  }
}
