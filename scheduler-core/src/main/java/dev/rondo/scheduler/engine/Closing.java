package dev.rondo.scheduler.engine;

/// Closes a scheduler. It lets the `finally` blocks of all tasks run.
final class Closing {

  /// Cancelled tasks have this many turns each, on average, to clean up.
  private static final long TURNS_TO_CLEAN_UP = 1_000;

  private final Loop loop;
  private final Driver driver;
  private final ReadyQueue tasks;
  private final Inbox inbox;
  private final Deliveries deliveries;
  private final Failures failures;
  private final Shutdown shutdown;

  Closing(
      Loop loop,
      Driver driver,
      ReadyQueue tasks,
      Inbox inbox,
      Failures failures,
      Shutdown shutdown) {
    this.loop = loop;
    this.driver = driver;
    this.tasks = tasks;
    this.inbox = inbox;
    this.deliveries = loop.deliveries;
    this.failures = failures;
    this.shutdown = shutdown;
  }

  /// Cancels every task, the youngest first, and lets all run to their end. Then does the same with
  /// the add-ons.
  void close() {
    if (loop.isClosing()) {
      return;
    }
    driver.enter("close()");
    loop.beginToClose();
    boolean known = shutdown.gaveUp();
    try {
      endAll();
    } finally {
      shutdown.closed();
      driver.exit();
      loop.closeInstruments();
      abandonAll(known); // last of what calls listeners
      loop.unwatch();
    }
  }

  private void endAll() {
    inbox.clearStopRequest();
    loop.endAtInterrupt(); // which ends nothing here: the caller finds it, and no task does
    loop.noteInterrupt();
    try {
      deliveries.deliverAll();
      if (!shutdown.gaveUp()) {
        loop.cancelTasks("the scheduler closes");
        loop.run(new CleaningUp());
      } // otherwise the shutdown has given them their time
    } finally { // also if a scheduling policy fails
      loop.closeHelpers();
      loop.cancelAddOns("the scheduler closes");
      deliveries.close();
      failures.reportFatal("a task while the scheduler closed");
    }
  }

  /// A run until only add-ons are left, no task can become ready, or the turns for cleaning up are
  /// spent. A task that ends the JVM has as many turns as it needs.
  private final class CleaningUp extends Run {

    private long patience = TURNS_TO_CLEAN_UP * (1L + tasks.size());

    CleaningUp() {
      if (!goesOn()) {
        loop.passSoon();
      }
    }

    private boolean goesOn() {
      return (patience > 0 || shutdown.isJvmExiting()) && tasks.hasOthersThanAddOns();
    }

    @Override
    boolean pass() {
      if (!goesOn()) {
        return false;
      }
      inbox.clearStopRequest(); // nothing stops this run
      loop.noteInterrupt();
      loop.pass();
      return true;
    }

    @Override
    boolean turn(TaskCore<?> task) {
      if (!goesOn()) {
        return false;
      }
      patience -= task.addOn ? 0 : 1;
      loop.turn(task);
      return goesOn();
    }
  }

  /// Gives up the tasks that are left: none will have another turn.
  ///
  /// @param known whether the failure handler knows of them already
  private void abandonAll(boolean known) {
    for (TaskCore<?> task : tasks.listWithoutAddOns()) {
      String where = task.toString();
      var failure = TaskReports.abandonedByClose(task);
      task.abandon(failure);
      if (!known) {
        failures.report(where, failure);
      }
    }
  }
}
