package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.observe.LockWatch;
import dev.rondo.scheduler.engine.observe.LoopRecorder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The turns of a scheduler's tasks: what a task may do in one, what it hands out, and what
/// observers see of it.
///
/// The base of the [Loop], which gives the turns: as an object of its own it would cost each turn a
/// detour.
///
/// Confined to the scheduler's thread.
abstract sealed class Turns extends RunningTask permits Loop {

  /// Eager operations (a read, a lock, a channel operation that completes at once) a task may do in
  /// one turn before it has to give way.
  private static final int EAGER_OPERATIONS_PER_TURN = 128;

  final CoroutineBackend backend;
  final Failures failures;

  /// Whether a task may stay mounted in this run, see [MountedTask].
  boolean isOpenForMounted;

  /// Whether tasks have threads of their own.
  final boolean tasksHaveThreads;

  /// Whether code that is no stackful task runs on [HelperThreads], because the loop's own thread
  /// must not block.
  final boolean usesHelpers;

  /// Null unless debugging, on a backend where there is something to find.
  final @Nullable DebugChecks debug;

  /// What keeps the contexts of libraries with the tasks; null if there are none.
  private final @Nullable Contexts contexts;

  /// What sees the tasks; null if nothing does.
  @Nullable Instruments observers;

  /// Whether a turn has more to do than to run.
  private boolean isWatched;

  /// Whether nothing has to see each task.
  private boolean isLazy;

  /// What records the turns, if a turn has nothing else to do: the shorter way is for production.
  private @Nullable LoopRecorder onlyRecorder;

  /// The clock as of the last pass.
  long roundNanos;

  /// What is left of this turn's eager operations. A task that has none left has to give way.
  int eagerBudget;

  /// Whether turns have products: the caller steps with values.
  private boolean carrying;

  private @Nullable Object produced;

  /// What the running task has left its stack for; null if nothing.
  @Nullable Errand<?> errand;

  /// Whether a task has asked the run to return, to go on as the first in the next one.
  boolean halted;

  private long lastTaskId;

  private final UnbegunTasks unbegun = new UnbegunTasks();

  Turns(Settings settings) {
    super(settings.policy());
    this.backend = settings.backend();
    this.failures = new Failures(this, settings.failureHandler(), settings.fatal());
    this.tasksHaveThreads = !backend.sharesThread();
    this.debug = settings.debug() && backend.sharesThread() ? new DebugChecks() : null;
    this.contexts =
        settings.contexts().isEmpty() ? null : new Contexts(settings.contexts(), failures);
    backend.checkLoopThread(thread);
    this.usesHelpers = backend.mountsOnLoopThread() && !backend.sharesThread();
    if (!backend.sharesThread()) {
      LockWatch.watch(thread);
    }
  }

  /// Has the next pass come before the next turn.
  abstract void passSoon();

  /// An entry has joined the ready queue that is no task.
  abstract void entryJoined();

  /// The last task has ended that kept the scheduler running.
  abstract void lastHasEnded();

  /// Runs code of users that is no task: where the loop's thread must not block, on a helper
  /// thread. If a call of the JDK blocks it, it ends later, as a task.
  ///
  /// @param what the name of that task, if there is to be one
  abstract void apart(Supplier<String> what, Runnable code);

  /// The loop's thread was interrupted when a turn ended.
  ///
  /// @param task null if it was never made
  abstract void interruptedInTurn(@Nullable TaskCore<?> task);

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
    running = TaskTable.NONE;
    carrying = false;
    produced = null;
  }

  /// What sees the tasks, when the rest of the loop is there.
  final void observers(@Nullable Instruments opened) {
    observers = opened;
    isWatched = contexts != null || opened != null;
    isLazy =
        backend.sharesThread()
            && debug == null
            && contexts == null
            && !tasks.hasPolicy()
            && (opened == null || opened.allowsLazyTurns());
    onlyRecorder = contexts == null && opened != null ? opened.onlyRecorder() : null;
  }

  /// How many turns the observers have seen; 0 without observers. Any thread.
  final long turnCount() {
    Instruments seeing = observers;
    return seeing == null ? 0 : seeing.turnCount();
  }

  final void closeInstruments() {
    if (observers != null) {
      observers.close();
    }
  }

  // One turn.

  final void turn(TaskCore<?> task) {
    beginTurn(task.slot);
    if (task.interrupted) {
      interruptAgain(task);
    }
    if (isWatched) {
      watchedTurn(task);
    } else {
      task.turn();
      running = TaskTable.NONE;
    }
    if (thread.isInterrupted()) {
      interruptedInTurn(task);
    }
  }

  private void beginTurn(int slot) {
    eagerBudget = EAGER_OPERATIONS_PER_TURN;
    running = slot;
    hinder();
  }

  private void interruptAgain(TaskCore<?> task) {
    if (runsOnHelper(task)) {
      return; // where it is interrupted
    }
    task.interrupted = false;
    Thread.currentThread().interrupt();
  }

  private void watchedTurn(TaskCore<?> task) {
    if (onlyRecorder != null) {
      onlyRecorder.turn(task.id(), task.addOn, roundNanos);
      task.turn();
      running = TaskTable.NONE;
      return;
    }
    if (observers != null) {
      observers.turn(task, roundNanos);
    }
    if (contexts != null && !runsOnHelper(task)) {
      contexts.beforeTurn(task);
    }
    task.turn();
    endTurn(task);
  }

  /// Gives the first of a chain of lazy tasks its turn.
  final void turn(LazyChain chain) {
    beginTurn(lazily(chain.slot));
    Instruments seeing = observers;
    if (seeing != null) {
      seeing.lazyTurn(chain);
    }
    TaskCore<?> task = chain.turn();
    if (task != null) {
      endTurn(task);
    } else {
      running = TaskTable.NONE;
      if (seeing != null) {
        seeing.afterLazyTurn();
      }
      if (tasks.endFirst(chain)) {
        lastHasEnded();
      }
    }
    if (thread.isInterrupted()) {
      interruptedInTurn(task);
    }
  }

  /// Another task has its turn within the turn that the loop has given: its first, on a coroutine
  /// that exists.
  final void beginInnerTurn(StackfulTask<?> task) {
    task.entered = true;
    beginTurn(task.slot);
    if (observers != null) {
      observers.turn(task, roundNanos);
    }
  }

  /// The turn of a task is over; its frames may stay on the stack, and the loop may run above them.
  final void endTurn(TaskCore<?> task) {
    running = TaskTable.NONE;
    if (contexts != null && !runsOnHelper(task)) {
      contexts.afterTurn(task);
    }
    if (observers != null) {
      observers.afterTurn(task);
    }
  }

  /// The same where it ends within the turn that the loop has given.
  final void endInnerTurn(TaskCore<?> task) {
    endTurn(task);
    if (thread.isInterrupted()) {
      interruptedInTurn(task);
    }
  }

  /// Back in frames that stayed on the stack.
  ///
  /// @param hasTurn whether it is the task's turn; if not, it leaves them
  final void returnTo(TaskCore<?> mounted, boolean hasTurn) {
    if (hasTurn) {
      beginTurn(mounted.slot);
      if (mounted.interrupted) {
        interruptAgain(mounted);
      }
      if (observers != null) {
        observers.turn(mounted, roundNanos);
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
    if (observers != null) {
      observers.beforeActions();
    }
  }

  /// It has run.
  final void afterActions() {
    if (observers != null) {
      observers.afterActions();
    }
  }

  // The running task.

  /// It was made.
  final void goesOnAs(TaskCore<?> made) {
    running = made.slot;
    if (observers != null) {
      observers.goesOnAs(made);
    }
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

  private void turnGoesOn(TaskCore<?> task) {
    if (observers != null) {
      observers.turnGoesOn(task);
    }
    produce(null);
  }

  private boolean runsOnHelper(TaskCore<?> task) {
    return usesHelpers && task instanceof StepTaskCore<?>;
  }

  /// The scheduler is closed.
  final void unwatch() {
    if (!backend.sharesThread()) {
      LockWatch.unwatch(thread);
    }
  }

  /// A task begins a turn on a thread other than the loop's.
  final void beginContext(TaskCore<?> task) {
    if (contexts != null) {
      contexts.begin(task);
    }
  }

  /// A turn on a helper thread is over.
  final void endContext(TaskCore<?> task) {
    if (contexts != null) {
      contexts.end(task);
    }
  }

  /// Wakes the loop's thread, if it is parked. Any thread.
  final void unpark() {
    LockSupport.unpark(thread);
  }

  // Places in the queue.

  final void dequeue(TaskCore<?> task) {
    tasks.remove(task);
  }

  /// Takes a task that is ready to the place directly behind another one.
  final void moveBehind(TaskCore<?> anchor, TaskCore<?> task) {
    tasks.remove(task);
    tasks.addAfter(anchor, task);
  }

  /// Has every task of a chain take a place of its own, where the chain is.
  final void resolve(WaitChain chain) {
    tasks.resolve(chain);
  }

  final boolean hasPolicy() {
    return tasks.hasPolicy();
  }

  /// Whether tasks need not be made before their turns: nothing sees each of them, and what the
  /// running task has bound is not inherited.
  final boolean isLazy() {
    return isLazy && runningLocals() == null;
  }

  /// The task with a stack that has this slot.
  final StackfulTask<?> stackfulAt(int slot) {
    return (StackfulTask<?>) tasks.taskAt(slot);
  }

  /// Whether tasks may share a coroutine, see [Succession].
  final boolean letsSucceed() {
    return isLazy && !isOpenForMounted;
  }

  /// Puts a task at the back that need not be made yet, see [#isLazy()].
  ///
  /// @return finds it again, for [#removeLazy]
  final long addLazily(LazyKind kind, Object subject) {
    long parentId = runningId();
    long id = nextTaskId();
    LazyChain chain = tasks.addLast(kind, subject, id, parentId);
    entryJoined();
    return ((long) chain.slot << Integer.SIZE) | (id & 0xFFFF_FFFFL);
  }

  /// Takes back a lazy task.
  ///
  /// @param ticket from [#addLazily]
  /// @return false if it was made, has begun or has ended
  final boolean removeLazy(Object subject, long ticket) {
    LazyChain chain = tasks.lazyAt((int) (ticket >>> Integer.SIZE));
    if (chain == null || !chain.remove(subject, (int) ticket)) {
      return false;
    }
    if (tasks.left(chain)) {
      lastHasEnded();
    }
    return true;
  }

  // Tasks come and go.

  final void register(TaskCore<?> task) {
    unbegun.remove(task);
    tasks.register(task);
  }

  /// One that was never scheduled ends.
  final void begun(TaskCore<?> task) {
    unbegun.remove(task);
  }

  final UnbegunTasks unbegun() {
    return unbegun;
  }

  final void unregister(TaskCore<?> task) {
    tasks.unregister(task);
  }

  final void workNoMore() {
    tasks.workNoMore();
  }

  final long nextTaskId() {
    return ++lastTaskId;
  }

  final @Nullable Object @Nullable [] captureContext() {
    return contexts == null ? null : contexts.capture();
  }

  /// A task was made: tells the observers.
  final <K extends TaskCore<?>> K made(K task) {
    if (observers != null) {
      observers.created(task);
    }
    return task;
  }

  /// The running task gives up its place in the ready queue.
  final void park(TaskCore<?> task, TaskState how) {
    if (observers != null) {
      observers.parked(task, how); // while it is the first: no other task looks as if it ran
    }
    running = TaskTable.NONE;
    tasks.remove(task);
  }

  /// The running task was parked, and goes on all the same.
  final void takeBack(TaskCore<?> task) {
    tasks.takeBack(task);
    running = task.slot;
    turnGoesOn(task);
  }

  /// The running task goes to the back.
  final void rotate(TaskCore<?> task) {
    running = TaskTable.NONE;
    tasks.rotate(task);
  }

  /// It did, and goes on all the same.
  final void undoRotate(TaskCore<?> task) {
    tasks.undoRotate(task);
    running = task.slot;
    produce(null);
  }

  final String backendName() {
    return backend.name();
  }

  final Coroutine newCoroutine(String name, Coroutine.Body body) {
    return backend.newCoroutine(name, body);
  }

  /// Forgets a task that has ended, and has left the queue or is running.
  final void retire(TaskCore<?> task) {
    if (task.slot == running) {
      running = TaskTable.NONE; // the one behind it does not run yet
    }
    if (task.next != TaskTable.NONE) {
      tasks.remove(task);
    }
    if (tasks.unregister(task)) {
      lastHasEnded();
    }
  }
}
