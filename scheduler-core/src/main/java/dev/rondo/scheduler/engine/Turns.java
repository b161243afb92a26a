package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.observe.LockWatch;
import dev.rondo.scheduler.engine.observe.LoopRecorder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The turns of a scheduler's tasks: whose it is, what the task may do in it, what it hands out,
/// and what observers see of it.
///
/// The base of the [Loop], which gives the turns: as an object of its own it would cost each turn a
/// detour.
///
/// Confined to the scheduler's thread.
abstract sealed class Turns permits Loop {

  /// Eager operations (a read, a lock, a channel operation that completes at once) a task may do in
  /// one turn before it has to give way.
  private static final int EAGER_OPERATIONS_PER_TURN = 128;

  final LoopThread loopThread = new LoopThread();
  final CoroutineBackend backend;
  final ReadyQueue tasks;
  final Failures failures;

  /// Whether a task may stay mounted in this run, see [MountedTask].
  boolean isOpenForMounted;

  /// Whether tasks have threads of their own.
  final boolean tasksHaveThreads;

  /// Null unless debugging, on a backend where there is something to find.
  private final @Nullable DebugChecks debug;

  /// What keeps the contexts of libraries with the tasks; null if there are none.
  private final @Nullable Contexts contexts;

  private final @Nullable HelperThreads helpers;

  /// The observers; null if there are none.
  private @Nullable Instruments instruments;

  /// Keeps the last events; null if nothing does.
  private @Nullable LoopRecorder recorder;

  /// Whether a turn has more to do than to run and to be recorded.
  private boolean isWatched;

  /// Whether the head of the ready queue is having its turn.
  private boolean inTurn;

  /// Whether another loop runs on the stack of the running task, or a listener does: it cannot give
  /// way meanwhile.
  private boolean obscured;

  /// What is left of this turn's eager operations. A task that has none left has to give way.
  int eagerBudget;

  /// Whether turns have products: the caller steps with values.
  private boolean carrying;

  private @Nullable Object produced;

  /// What the running task has left its stack for; null if nothing.
  @Nullable Errand<?> errand;

  /// Whether a task has asked the run to return, to go on as the first in the next one.
  private boolean halted;

  private long lastTaskId;

  Turns(Settings settings) {
    this.backend = settings.backend();
    this.tasks = new ReadyQueue(settings.policy());
    this.failures = new Failures(this, settings.failureHandler(), settings.fatal());
    this.tasksHaveThreads = !backend.sharesThread();
    this.debug = settings.debug() && backend.sharesThread() ? new DebugChecks() : null;
    this.contexts =
        settings.contexts().isEmpty() ? null : new Contexts(settings.contexts(), failures);
    backend.checkLoopThread(loopThread.thread());
    boolean carries = backend.mountsOnLoopThread() && !backend.sharesThread();
    this.helpers = carries ? new HelperThreads((Loop) this) : null;
    if (!backend.sharesThread()) {
      LockWatch.watch(loopThread.thread());
    }
  }

  /// Has the next pass come before the next turn.
  abstract void passSoon();

  /// The loop's thread was interrupted when a turn ended.
  abstract void interruptedInTurn(TaskCore<?> task);

  // A run begins and ends.

  /// @param call the method that begins it
  final void beginTurns(String call) {
    if (debug != null) {
      debug.beforeDriving(call);
    }
    halted = false;
  }

  /// Whatever has become of the turn that was under way: the run is over.
  final void endTurns() {
    inTurn = false;
    carrying = false;
    produced = null;
  }

  /// The observers, when the rest of the loop is there.
  final void instruments(@Nullable Instruments opened) {
    instruments = opened;
    recorder = opened == null ? null : opened.recorder();
    isWatched = contexts != null || (opened != null && opened.seeTurns());
  }

  /// How many turns the observers have seen; 0 without observers. Any thread.
  final long turnCount() {
    Instruments seeing = instruments;
    return seeing == null ? 0 : seeing.turnCount();
  }

  final void closeInstruments() {
    if (instruments != null) {
      instruments.close();
    }
  }

  // One turn.

  final void turn(TaskCore<?> task) {
    eagerBudget = EAGER_OPERATIONS_PER_TURN;
    inTurn = true;
    if (task.interrupted) {
      interruptAgain(task);
    }
    if (recorder != null) {
      recorder.turn(task.id(), task.addOn, ((Loop) this).roundNanos);
    }
    if (isWatched) {
      watchedTurn(task);
    } else {
      task.turn();
      inTurn = false;
    }
    if (loopThread.isInterrupted()) {
      interruptedInTurn(task);
    }
  }

  private void interruptAgain(TaskCore<?> task) {
    if (runsOnHelper(task)) {
      return; // where it is interrupted
    }
    task.interrupted = false;
    Thread.currentThread().interrupt();
  }

  private void watchedTurn(TaskCore<?> task) {
    if (instruments != null) {
      instruments.beforeTurn(task);
    }
    if (contexts != null && !runsOnHelper(task)) {
      contexts.beforeTurn(task);
    }
    task.turn();
    endTurn(task);
  }

  /// The turn of a task is over; its frames may stay on the stack, and the loop may run above them.
  final void endTurn(TaskCore<?> task) {
    inTurn = false;
    if (contexts != null && !runsOnHelper(task)) {
      contexts.afterTurn(task);
    }
    if (instruments != null) {
      instruments.afterTurn(task);
    }
  }

  /// The same for one whose frames do stay.
  final void endMountedTurn(TaskCore<?> task) {
    endTurn(task);
    if (loopThread.isInterrupted()) {
      interruptedInTurn(task);
    }
  }

  /// Back in frames that stayed on the stack.
  ///
  /// @param hasTurn whether it is the task's turn; if not, it leaves them
  final void returnTo(TaskCore<?> mounted, boolean hasTurn) {
    inTurn = true;
    if (hasTurn) {
      eagerBudget = EAGER_OPERATIONS_PER_TURN;
      if (mounted.interrupted) {
        interruptAgain(mounted);
      }
      if (recorder != null) {
        recorder.turn(mounted.id(), mounted.addOn, ((Loop) this).roundNanos);
      }
      if (instruments != null) {
        instruments.beforeTurn(mounted);
      }
    }
    if (contexts != null) {
      contexts.beforeTurn(mounted);
    }
  }

  /// A turn with a value in and a product out. Daemons stay out of it.
  final @Nullable Object turn(TaskCore<?> task, @Nullable Object value) {
    if (task.isDaemon()) {
      turn(task);
      return halted ? takeProduced() : value;
    }
    if (!task.handed) {
      task.hand(value, null);
    }
    carrying = true;
    turn(task);
    carrying = false;
    return takeProduced();
  }

  private @Nullable Object takeProduced() {
    Object product = produced;
    produced = null;
    return product;
  }

  /// What was posted is about to run, outside of tasks.
  final void beforeActions() {
    if (instruments != null) {
      instruments.beforeActions();
    }
  }

  /// It has run.
  final void afterActions() {
    if (instruments != null) {
      instruments.afterActions();
    }
  }

  // The running task.

  final boolean isRunning(TaskCore<?> task) {
    return inTurn && tasks.isFirst(task);
  }

  /// The task that has the turn, if it may give way; null in the turn of a task that drives another
  /// scheduler.
  final @Nullable TaskCore<?> currentTask() {
    return inTurn && !obscured ? tasks.head() : null;
  }

  /// The task that has the turn. Any thread, as far as that can see.
  final @Nullable TaskCore<?> runningTask() {
    return inTurn ? tasks.head() : null;
  }

  final StackfulTask<?> currentStackful(String call) {
    loopThread.checkCaller();
    TaskCore<?> task = currentTask();
    if (task instanceof StackfulTask<?> stackful) {
      return stackful;
    }
    if (inTurn && obscured) {
      throw new IllegalStateException(
          call
              + " in code that must not suspend, as a predicate or a listener: wait before or"
              + " after");
    }
    throw new IllegalStateException(
        task == null
            ? call
                + " outside of a task, as in code that was posted: only a task of this scheduler"
                + " can give way; spawn one"
            : call
                + " in step task '"
                + task.name()
                + "', which has no stack to leave: answer a StepResult instead, or spawn a stackful"
                + " task");
  }

  final String callerName() {
    TaskCore<?> task = currentTask();
    return task != null ? "task '" + task.name() + "'" : Thread.currentThread().getName();
  }

  /// Whether the caller is this task, and may give way. Any thread.
  final boolean isCurrent(TaskCore<?> task) {
    return loopThread.isCaller() && isRunning(task) && !obscured;
  }

  final boolean isCaller() {
    return loopThread.isCaller();
  }

  final void checkCaller() {
    loopThread.checkCaller();
  }

  /// What the current turn hands to the caller of `step`, if that asked for it.
  final void produce(@Nullable Object product) {
    if (carrying) {
      produced = product;
    }
  }

  final void requestHalt(@Nullable Object product) {
    produced = product;
    halted = true;
    passSoon();
  }

  final void withdrawHalt() {
    produced = null;
    halted = false;
  }

  final boolean isHalted() {
    return halted;
  }

  final void beforeGivingWay(TaskCore<?> task) {
    if (debug != null) {
      debug.beforeGivingWay(task);
    }
  }

  final void turnGoesOn(TaskCore<?> task) {
    if (instruments != null) {
      instruments.turnGoesOn(task);
    }
    produce(null);
  }

  /// Forbids the running task to give way, or allows it again. Returns what it was before.
  final boolean obscure(boolean on) {
    boolean before = obscured;
    obscured = on;
    return before;
  }

  /// A task begins to run on a thread of its own.
  final void enter(TaskCore<?> task) {
    loopThread.enter((Loop) this);
    if (contexts != null) {
      contexts.begin(task);
    }
  }

  private boolean runsOnHelper(TaskCore<?> task) {
    return helpers != null && task instanceof StepTaskCore<?>;
  }

  /// What runs step tasks where the loop's thread must not block; null where it may.
  final @Nullable HelperThreads helpers() {
    return helpers;
  }

  /// Runs code of users that is no task: where the loop's thread must not block, on a helper
  /// thread. If a call of the JDK blocks it, it ends later, as a task.
  ///
  /// @param what the name of that task
  final void apart(String what, Runnable code) {
    HelperThreads all = helpers;
    var loop = (Loop) this;
    if (all == null || all.isClosed() || !loopThread.isHere() || !loop.isDriven()) {
      code.run();
      return;
    }
    HelperThread own = all.take();
    if (own.run(code, StepTaskCore.PATIENCE_NANOS)) {
      all.giveBack(own);
    } else {
      StepTaskCore.adopt(loop, what, own);
    }
  }

  /// No task has a turn any more, and there is none that code on the loop's own thread could block.
  final void closeHelpers() {
    if (helpers != null) {
      helpers.close();
    }
  }

  /// The scheduler is closed.
  final void unwatch() {
    if (!backend.sharesThread()) {
      LockWatch.unwatch(loopThread.thread());
    }
  }

  /// A helper thread begins to run.
  final void enterHelper() {
    loopThread.enter((Loop) this);
  }

  /// A step task begins a turn on a helper thread.
  final void beginContext(TaskCore<?> task) {
    if (contexts != null) {
      contexts.begin(task);
    }
  }

  /// That turn is over.
  final void endContext(TaskCore<?> task) {
    if (contexts != null) {
      contexts.end(task);
    }
  }

  /// Wakes the loop's thread, if it is parked. Any thread.
  final void unpark() {
    LockSupport.unpark(loopThread.thread());
  }

  /// A task is about to have its turn on this thread; null is the scheduler's own.
  final void turnGoesTo(@Nullable Thread taskThread) {
    loopThread.turnGoesTo(taskThread);
  }

  /// The task that had the turn has ended, and its thread with it.
  final void forgetThread() {
    loopThread.forgetThread();
  }

  // Tasks come and go.

  final long nextTaskId() {
    return ++lastTaskId;
  }

  final @Nullable Object @Nullable [] captureContext() {
    return contexts == null ? null : contexts.capture();
  }

  /// A task was made: tells the observers.
  final <K extends TaskCore<?>> K made(K task) {
    if (recorder != null) {
      recorder.created(task);
    }
    if (instruments != null) {
      instruments.created(task);
    }
    return task;
  }

  /// The running task was parked.
  final void parkedInTurn(TaskCore<?> task, TaskState how) {
    if (recorder != null) {
      recorder.parked(task, how);
    }
  }

  /// A parked task has become ready.
  final void woken(TaskCore<?> task) {
    if (recorder != null) {
      recorder.woken(task, runningTask());
    }
  }

  /// All tasks of a chain have become ready.
  final void woken(WaitChain chain) {
    if (recorder != null) {
      chain.tasks().forEach(task -> woken(TaskCore.of(task)));
    }
  }

  /// A task was asked to end.
  final void cancelled(TaskCore<?> task, CancelRequest request) {
    if (recorder != null) {
      recorder.cancelled(task, runningTask(), request.describe());
    }
  }

  /// A task has ended: tells the observers.
  final void done(TaskCore<?> task) {
    if (recorder != null) {
      recorder.done(task);
    }
    if (instruments != null) {
      instruments.done(task);
    }
  }

  final String backendName() {
    return backend.name();
  }

  final Coroutine newCoroutine(String name, Coroutine.Body body) {
    return backend.newCoroutine(name, body);
  }

  /// A task that has the turn has ended.
  final void endTurnOf(TaskCore<?> task) {
    if (isRunning(task)) {
      inTurn = false; // the one behind it does not run yet
    }
  }
}
