package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// The methods that drive a [Loop]: each holds its thread while tasks have turns, and decides when
/// that is to end. One of them is on the stack at a time.
///
/// Confined to the scheduler's thread.
final class Driver {

  private final Loop loop;

  /// Whether one of the driving methods is on the stack.
  private boolean driving;

  /// Whether it is one that goes on until it is stopped.
  private boolean stoppable;

  Driver(Loop loop) {
    this.loop = loop;
  }

  /// Whether one of the driving methods is on the stack.
  boolean isDriving() {
    return driving;
  }

  // Until there is nothing left to do.

  /// Steps until no working task is left, or somebody stops or halts us.
  ///
  /// @throws DeadlockException if working tasks are left that nothing can wake
  void start() {
    enter("start()");
    loop.turnsLeft = 0;
    stoppable = true;
    loop.mountedTask.open();
    try {
      while (true) {
        if (--loop.turnsLeft < 0 && !pass()) {
          return;
        }
        Task<?> task = loop.tasks.first();
        if (task != null) {
          loop.turn(task);
        } else if (!loop.awaitWork()) {
          if (!takeStopRequest() && loop.tasks.isWorking()) {
            throw Deadlocks.of(loop);
          }
          return;
        }
      }
    } finally {
      exit();
    }
  }

  /// Like [#start()], with each task's product handed to the next; returns the last.
  @Nullable Object run(@Nullable Object value) {
    enter("run()");
    loop.turnsLeft = 0;
    stoppable = true;
    try {
      Object carried = value;
      while (true) {
        if (--loop.turnsLeft < 0 && !pass()) {
          return carried;
        }
        Task<?> task = loop.tasks.first();
        if (task != null) {
          carried = loop.turn(task, carried);
        } else if (!loop.awaitWork()) {
          takeStopRequest();
          return carried;
        }
      }
    } finally {
      exit();
    }
  }

  /// What is done between turns every now and then.
  ///
  /// @return false if the run should end
  private boolean pass() {
    if (loop.halted || loop.failures.hasFatal()) {
      takeStopRequest(); // this run ends anyhow
      loop.failures.throwFatal();
      return false;
    }
    loop.noteInterrupt();
    if (takeStopRequest()) {
      return false;
    }
    loop.lookAround();
    return loop.tasks.isWorking() || !loop.inbox.isEmpty();
  }

  private boolean takeStopRequest() {
    boolean requested = loop.inbox.isStopRequested();
    if (requested) {
      loop.inbox.clearStopRequest();
    }
    return requested;
  }

  /// From the scheduler's own thread it ends the run that is on the stack, if one is. Any thread.
  void stop() {
    if (!loop.loopThread.isCaller()) {
      loop.inbox.requestStop();
    } else if (stoppable) {
      loop.inbox.requestStop();
      loop.turnsLeft = 0;
    }
  }

  // Turn by turn.

  /// Gives one task a turn.
  boolean step() {
    enter("step()");
    try {
      Task<?> task = nextToStep();
      if (task == null) {
        return false;
      }
      loop.turn(task);
      loop.failures.throwFatal();
      return true;
    } finally {
      exit();
    }
  }

  /// Gives one task a turn with a value, and answers what it produced.
  @Nullable Object step(@Nullable Object value) {
    enter("step()");
    try {
      Task<?> task = nextToStep();
      if (task == null) {
        return value;
      }
      Object product = loop.turn(task, value);
      loop.failures.throwFatal();
      return product;
    } finally {
      exit();
    }
  }

  private @Nullable Task<?> nextToStep() {
    if (--loop.turnsLeft < 0 || loop.tasks.nobodyIsReady()) {
      loop.lookAround();
    }
    return loop.tasks.first();
  }

  // To the end.

  /// Ends everything, see [Closing].
  void close() {
    if (loop.isClosing()) {
      return;
    }
    enter("close()");
    loop.beginToClose();
    boolean known = loop.shutdown.gaveUp();
    try {
      new Closing(loop).close();
    } finally {
      loop.shutdown.closed();
      exit();
      if (loop.instruments != null) {
        loop.instruments.close();
      }
      Closing.abandon(loop, known); // last: it runs what others have to say to that
    }
  }

  // Either way.

  private void enter(String call) {
    loop.loopThread.checkCaller();
    if (driving) {
      throw new IllegalStateException(
          call
              + " inside of a running scheduler, called by "
              + loop.callerName()
              + ": it is driven already; yield, sleep or await instead");
    }
    if (loop.isClosing()) {
      throw new IllegalStateException(call + " of a closed scheduler");
    }
    if (loop.debug != null) {
      loop.debug.beforeDriving(call);
    }
    driving = true;
    loop.halted = false;
    loop.loopThread.beginDriving(loop);
  }

  private void exit() {
    loop.abandonTurn();
    loop.mountedTask.close();
    stoppable = false;
    driving = false;
    loop.loopThread.endDriving();
    loop.passOnInterrupt();
    loop.shutdown.check(); // last: whoever is told may drive us again, or close us
  }
}
