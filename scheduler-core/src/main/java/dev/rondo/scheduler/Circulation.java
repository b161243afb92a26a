package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// Puts tasks into circulation and takes them out: what [Scheduler] and [Waiter]s ask for. Says
/// false, and does nothing, where a task cannot be moved so.
final class Circulation {

  private final Loop loop;

  /// Whether add-ons have precedence over other tasks.
  private final boolean addOnsFirst;

  Circulation(Loop loop, boolean addOnsFirst) {
    this.loop = loop;
    this.addOnsFirst = addOnsFirst;
  }

  /// Puts a task that is out of circulation into the ready queue; at the front means behind the
  /// running one.
  void makeReady(Task<?> task, boolean front) {
    if (!front && !(addOnsFirst && task.addOn)) {
      loop.tasks.addLast(task);
    } else {
      Task<?> running = loop.runningTask();
      if (running != null) {
        loop.tasks.addAfter(running, task);
      } else {
        loop.tasks.addFirst(task);
      }
    }
    if (loop.idleTasks.hasWatchers() && !task.watching) {
      wakeWatchers();
    }
    loop.stir();
  }

  /// The same for all tasks of a chain at once.
  void makeReady(WaitChain chain, boolean front) {
    if (front) {
      loop.tasks.addFirst(chain, loop.runningTask());
    } else {
      loop.tasks.addLast(chain);
    }
    if (loop.idleTasks.hasWatchers()) {
      wakeWatchers();
    }
    loop.stir();
  }

  private void wakeWatchers() {
    while (loop.idleTasks.hasWatchers()) {
      loop.idleTasks.firstWatcher().becomeReady(false);
    }
  }

  /// Schedules a task that is out of circulation; a wait of it ends.
  ///
  /// @return false if it was ready or running, is blocked in the JDK, or has ended
  boolean schedule(Task<?> task, boolean front) {
    task.catchUp();
    if (loop.isRunning(task) || !task.state.isOutOfCirculation() || comesTooLate(task)) {
      return false;
    }
    if (task.state == TaskState.WAITING) {
      task.leaveCirculation();
    }
    task.becomeReady(front);
    return true;
  }

  /// Like [#schedule(Task, boolean)], with a value for its next turn.
  boolean schedule(Task<?> task, @Nullable Object value, boolean front) {
    task.catchUp();
    if (loop.isRunning(task) || !task.state.isOutOfCirculation() || comesTooLate(task)) {
      return false;
    }
    if (task.state == TaskState.WAITING) {
      task.leaveCirculation();
    }
    endSettledWait(task);
    task.hand(value, null);
    task.becomeReady(front);
    return true;
  }

  boolean scheduleAfter(Task<?> task, Task<?> anchor) {
    anchor.catchUp();
    if (!loop.tasks.isReady(anchor) || !schedule(task, false)) {
      return false;
    }
    loop.tasks.remove(task);
    loop.tasks.addAfter(anchor, task);
    return true;
  }

  /// Has a task wait for something on its behalf.
  boolean scheduleOn(Task<?> task, Waitable<?> asked) {
    task.catchUp();
    if (loop.isRunning(task)
        || !(task.state.isOutOfCirculation() || task.state == TaskState.READY)
        || comesTooLate(task)
        || task.pendingCancel != null // it is to be told
        || (task.state == TaskState.WAITING && task.awaited() == asked)) {
      return false;
    }
    Waitable<?> source = Composite.prepared(asked);
    TaskState before = task.state;
    task.leaveCirculation();
    if (before == TaskState.NEW) {
      loop.tasks.register(task);
    }
    endSettledWait(task);
    task.dropReceived();
    task.state = TaskState.SUSPENDED;
    boolean settled;
    try {
      settled = task.waiter().arm(source);
    } catch (Throwable e) {
      if (task.state == TaskState.SUSPENDED) {
        undoArming(task, before, e);
      }
      throw e;
    }
    if (task.state != TaskState.SUSPENDED) { // by what the waitable did, or blocked in, meanwhile
      if (!settled) {
        task.waiter().disarm();
      }
    } else if (settled) {
      task.becomeReady(false);
    } else {
      task.state = TaskState.WAITING;
      task.sinceNanos = loop.roundNanos;
    }
    return true;
  }

  /// Drops the event that a task was woken by and has not taken.
  private static void endSettledWait(Task<?> task) {
    if (task.waiter != null && task.waiter.isSettled()) {
      task.waiter.end();
    }
  }

  /// A source could not be armed: leaves no task suspended that was not, for nobody would wake it.
  /// A wait that has been given up for this one cannot be had again, and fails with it.
  private void undoArming(Task<?> task, TaskState before, Throwable failure) {
    task.dropReceived();
    switch (before) {
      case NEW -> {
        task.state = TaskState.NEW;
        loop.tasks.unregister(task);
      }
      case WAITING -> {
        task.hand(null, failure);
        task.becomeReady(false);
      }
      case READY, IDLING -> task.becomeReady(false);
      case RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  /// Takes a task out of wherever it is, to be scheduled again by hand.
  boolean unschedule(Task<?> task) {
    task.catchUp();
    if (loop.isRunning(task)) {
      return false;
    }
    return switch (task.state) {
      case READY, WAITING, IDLING -> {
        task.leaveCirculation();
        task.state = TaskState.SUSPENDED;
        task.sinceNanos = loop.roundNanos;
        yield true;
      }
      case NEW, RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  /// A closed scheduler runs no task that has not begun.
  private boolean comesTooLate(Task<?> task) {
    return loop.isClosing() && task.state == TaskState.NEW;
  }
}
