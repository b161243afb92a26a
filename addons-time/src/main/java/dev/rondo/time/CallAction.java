package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.TaskAction;

/// The action of a [Coalescer]. Its failure does not end the [Timer] that runs it, because later
/// calls would be lost.
///
/// An exception is reported; an error fails the task, because it may have to stop the scheduler.
final class CallAction implements TaskAction<Exception> {

  private final WaitForTime time;
  private final String name;
  private final TaskAction<?> action;

  /// @param name shown in reports
  CallAction(WaitForTime time, String name, TaskAction<?> action) {
    this.time = time;
    this.name = name;
    this.action = requireNonNull(action, "action is null");
  }

  @Override
  public void run() throws Exception {
    try {
      action.run();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        throw e; // a cancelled task's blocking call ends with it
      }
      time.scheduler().host().report(name, e);
    }
  }
}
