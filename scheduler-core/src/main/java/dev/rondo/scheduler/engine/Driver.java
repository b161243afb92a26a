package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.DeadlockException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The methods that drive a [Loop]. Each method keeps the calling thread while tasks have turns.
/// Only one of these methods is on the stack at a time.
///
/// Confined to the scheduler's thread.
public final class Driver {

  private final Loop loop;
  private final Inbox inbox;
  private final Failures failures;
  private final ReadyQueue tasks;

  /// Makes add-ons ready that need to look once more before a run ends; returns false if there are
  /// none. See [Engine.Host#beginLastLook].
  private final Predicate<Boolean> lastLook;

  /// Called at the end of each run, when another run may begin.
  private final Runnable whenIdle;

  /// Whether [#stop()] ends the run that is on the stack. Set by `start` and `run`, cleared at the
  /// end.
  private boolean stoppable;

  Driver(Loop loop, Predicate<Boolean> lastLook, Runnable whenIdle) {
    this.loop = loop;
    this.inbox = loop.inbox;
    this.failures = loop.failures;
    this.tasks = loop.tasks;
    this.lastLook = lastLook;
    this.whenIdle = whenIdle;
  }

  // Until there is nothing left to do.

  /// Runs until only daemons are left, or until a stop or a halt.
  ///
  /// @throws DeadlockException if tasks other than daemons are left, and nothing can wake them
  void start() {
    new UntilDone(false, null).drive("start()");
  }

  /// Like [#start()], but hands each task's product to the next task, and returns the last product.
  /// Tasks may be left suspended.
  @Nullable Object run(@Nullable Object value) {
    var run = new UntilDone(true, value);
    run.drive("run()");
    return run.carried;
  }

  /// A run that goes on until only daemons are left.
  private final class UntilDone extends Loop.Run {

    /// One round for the add-ons, and one for the tasks that they make ready.
    private static final int LAST_ROUNDS = 2;

    private int roundsLeft = LAST_ROUNDS;

    /// The number of turns that are left in the current round.
    private int turnsLeft;

    /// Whether only add-ons have had turns since they last looked because no task could become
    /// ready. If so, another look would have the same result.
    private boolean looked;

    /// Whether each turn takes a value and has a product.
    private final boolean withValues;

    private @Nullable Object carried;

    UntilDone(boolean withValues, @Nullable Object first) {
      this.withValues = withValues;
      this.carried = first;
    }

    void drive(String call) {
      begin(call);
      stoppable = true;
      try {
        var _ = loop.handleInterrupts();
        loop.passSoon();
        loop.run(this);
      } finally {
        exit();
      }
    }

    @Override
    public boolean pass() {
      if (loop.halted || failures.fatal != null) {
        var _ = inbox.takeStopRequest(); // this run ends in any case
        failures.throwFatal();
        return false;
      }
      Rooms.Interrupts interrupts = loop.interrupts;
      if (interrupts != null) {
        interrupts.note();
      }
      if (inbox.takeStopRequest()) {
        return false;
      }
      boolean goesOn = loop.pass();
      if (failures.fatal != null) { // of a posted action: the loop could sleep now
        failures.throwFatal();
      }
      if (goesOn) {
        roundsLeft = LAST_ROUNDS;
        turnsLeft = 0;
        return true;
      }
      return goesOnForLastLook();
    }

    /// Called when only daemons are left. Lets the add-ons look once more, and gives a turn to the
    /// tasks that they make ready. Repeats this while an add-on asks for it.
    private boolean goesOnForLastLook() {
      if (turnsLeft == 0) {
        if (roundsLeft == LAST_ROUNDS || roundsLeft == 0) {
          if (!lastLook.test(roundsLeft == 0)) {
            return false;
          }
          roundsLeft = LAST_ROUNDS;
        }
        roundsLeft--;
        turnsLeft = tasks.readyCount();
      }
      loop.passSoon();
      return turnsLeft-- > 0;
    }

    @Override
    public boolean turn(ReadyQueue.Entry entry) {
      looked = looked && entry instanceof TaskCore<?> task && task.isAddOn();
      if (withValues) {
        carried = loop.turn(entry.makeFirst(), carried);
      } else if (looked) {
        loop.turn(entry); // the next turn may not belong to the look
      } else {
        loop.turns(entry);
      }
      return true;
    }

    @Override
    boolean findsMoreWork() {
      if (inbox.takeStopRequest()) {
        return false;
      }
      if (!looked && lastLook.test(false)) {
        looked = true; // until a task has had a turn, another look would have the same result
        loop.passSoon();
        return true;
      }
      if (!withValues) {
        requireNoDeadlock();
      }
      return false;
    }
  }

  /// @throws DeadlockException if tasks other than daemons are left: none is ready, and none can
  ///   become ready
  private void requireNoDeadlock() {
    if (tasks.working > 0) {
      ExternalWork others = loop.externalWork;
      RuntimeException deadlock =
          Rooms.all().deadlock(tasks.listWithoutAddOns(), loop.passNanos, others.expectsShutdown());
      failures.suppressAddOnsIn(deadlock);
      throw deadlock;
    }
  }

  /// Ends the run that is on the stack. If there is no run, a call on the scheduler's own thread
  /// has no effect. Any thread.
  void stop() {
    if (!loop.isCaller()) {
      inbox.requestStop();
    } else if (stoppable) {
      inbox.requestStop();
      loop.passSoon();
    }
  }

  // Turn by turn.

  /// Gives one task a turn.
  boolean step() {
    return step(false, null).given;
  }

  /// Gives one task a turn with a value, and returns the product.
  @Nullable Object step(@Nullable Object value) {
    return step(true, value).carried;
  }

  private OneTurn step(boolean withValue, @Nullable Object value) {
    begin("step()");
    try {
      var run = new OneTurn(withValue, value);
      loop.run(run);
      failures.throwFatal();
      return run;
    } finally {
      exit();
    }
  }

  /// A run of one turn, or of no turn if no task is ready.
  private final class OneTurn extends Loop.Run {

    private final boolean withValue;
    private @Nullable Object carried;
    private boolean given;

    OneTurn(boolean withValue, @Nullable Object value) {
      this.withValue = withValue;
      this.carried = value;
      if (tasks.readyCount() == 0) {
        loop.passSoon();
      }
    }

    @Override
    public boolean pass() {
      boolean _ = loop.pass();
      return tasks.readyCount() > 0;
    }

    @Override
    public boolean turn(ReadyQueue.Entry entry) {
      given = true;
      if (withValue) {
        carried = loop.turn(entry.makeFirst(), carried);
      } else {
        loop.turn(entry);
      }
      return false;
    }
  }

  // Either way.

  /// @throws IllegalStateException as [#enter] does, and if the scheduler has broken down
  private void begin(String call) {
    if (loop.isBroken()) {
      throw new IllegalStateException(
          call + " of a scheduler that has ended, because the stack of a task has: close it");
    }
    enter(call);
  }

  /// Begins a run.
  ///
  /// @param call the method that begins the run
  /// @throws IllegalStateException if there is a run already, or the scheduler is closed
  public void enter(String call) {
    loop.checkCaller();
    if (loop.isDriven()) {
      throw new IllegalStateException(
          call
              + " inside of a running scheduler, called by "
              + loop.callerName()
              + ": it is driven already; yield, sleep or await instead");
    }
    if (loop.isClosing()) {
      throw new IllegalStateException(call + " of a closed scheduler: build another one");
    }
    loop.beginRun(call);
  }

  public void exit() {
    failures.endHeld();
    stoppable = false;
    loop.endRun();
    whenIdle.run(); // last, because it may drive or close the scheduler
  }
}
