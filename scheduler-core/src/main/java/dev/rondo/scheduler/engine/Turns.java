package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.util.Alerts;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.TurnRunner;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state of the current turn: its thread, its task, its budget, its product, and the hooks.
///
/// This class is the base of the [Loop], which decides whose turn it is. A separate object would
/// cost each turn an indirection, and nearly every call of a program begins here.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
abstract sealed class Turns permits Loop {

  /// A value that is not a slot, and that differs from each value of [ReadyQueue#running].
  static final int UNKNOWN = Integer.MIN_VALUE;

  /// The number of eager operations (a read, a lock, a channel operation that completes at once)
  /// that a task may do in one turn before it has to give way.
  private static final int EAGER_OPERATIONS_PER_TURN = 128;

  public final Thread thread = Thread.currentThread();

  /// The thread of the task that had the last turn, if the task has its own thread. Written by the
  /// scheduler's thread before it gives the turn to the task. Other threads may read an old value,
  /// but never their own thread.
  private @Nullable Thread turnThread;

  /// The ready queue, which is also the table of all tasks.
  public final ReadyQueue tasks;

  /// The slot of the running task, if it has passed a checkpoint in this turn, and so may pass the
  /// next one while its budget lasts. Most checkpoints need only this test. The value is [#UNKNOWN]
  /// for a task that is [#hidden], debugged or cancelled, or that has no stack.
  int checkedSlot = UNKNOWN;

  /// Whether the running task is hidden: another loop, a listener or similar code runs on its
  /// stack. No task is current then, and the running task cannot give way. Set by
  /// [#hideCurrentTask].
  private boolean hidden;

  public final CoroutineBackend backend;
  final Failures failures;

  /// Whether tasks have threads of their own.
  public final boolean tasksHaveThreads;

  /// Runs the code that is not a stackful task, on backends where the loop's own thread must not
  /// block. Null on other backends, and when no task has another turn.
  public @Nullable TurnRunner runner;

  /// Null unless debugging, and null on a backend that needs no checks.
  final Rooms.@Nullable Checks debug;

  /// Handles interrupts of the loop's thread in this run; null if interrupts do not end the run.
  Rooms.@Nullable Interrupts interrupts;

  /// Keeps the contexts of libraries with the tasks; null if there are none.
  public final Rooms.@Nullable Contexts contexts;

  /// Called when something happens to a task; null if there is no listener.
  public Rooms.@Nullable TurnHooks hooks;

  /// The hooks, if they count turns; null otherwise.
  private Rooms.@Nullable TurnHooks countingHooks;

  /// Whether turns need more than [ReadyQueue.Entry#turn]: there are hooks or contexts, or a task
  /// has interrupted its own thread.
  private boolean attended;

  /// Whether no hook, policy, context or check has to see each task, and tasks have no threads of
  /// their own, see [#isLazy()]. Then tasks may share a coroutine, too, see [Rooms.FirstTurns].
  boolean isLazy;

  /// The clock as of the last pass, or of the end of the last sleep.
  public long passNanos;

  /// The number of eager operations that are left in this turn. At zero, the task has to give way.
  int eagerBudget;

  /// Whether turns have products, because the caller steps with values.
  private boolean carrying;

  /// The product of the current turn for the caller of `step(value)`, see [#produce].
  private @Nullable Object produced;

  /// The code for which the running task has left its stack; null if there is none.
  public Rooms.@Nullable Errand errand;

  /// Whether a task has halted the run. The task has the first turn of the next run.
  boolean halted;

  /// The error that has cut short a change of the scheduler; null if there is none.
  private @Nullable StackOverflowError overflow;

  private @Nullable String changeCutShort;

  private long lastTaskId;

  Turns(Settings settings) {
    SchedulingPolicy policy = settings.policy();
    this.tasks = policy == null ? new ReadyQueue() : Rooms.all().policyQueue(policy);
    this.backend = settings.backend();
    this.failures = new Failures((Loop) this, settings);
    this.tasksHaveThreads = !backend.sharesThread();
    this.debug = settings.debug() && backend.sharesThread() ? Rooms.all().checks() : null;
    this.contexts =
        settings.contexts().isEmpty()
            ? null
            : Rooms.all().contexts(settings.contexts(), failures::report);
    this.isLazy = backend.sharesThread() && debug == null && contexts == null && policy == null;
    this.attended = contexts != null;
    backend.checkLoopThread(thread);
    this.runner = backend instanceof TurnRunner.Maker maker ? maker.newTurnRunner() : null;
  }

  /// Makes the next pass come before the next turn.
  public abstract void passSoon();

  /// Called when the last task that kept the scheduler running has ended.
  public abstract void lastHasEnded();

  // Its thread.

  /// Whether the caller runs on the scheduler's own thread, and not on the thread of a task. Any
  /// thread.
  public final boolean isHere() {
    return Thread.currentThread() == thread;
  }

  public final boolean isCaller() {
    Thread caller = Thread.currentThread();
    return caller == thread || caller == turnThread;
  }

  public final void checkCaller() {
    Thread caller = Thread.currentThread();
    if (caller != thread && caller != turnThread) {
      throw new WrongThreadException(
          "called on thread '%s', but this scheduler belongs to thread '%s'; hand the call over with post(..), or as a task with post(() -> spawn(..))"
              .formatted(caller.getName(), thread.getName()));
    }
  }

  /// Called before a task has its turn on this thread; null stands for the scheduler's own thread.
  public final void turnGoesTo(@Nullable Thread taskThread) {
    if (taskThread != null) {
      turnThread = taskThread;
    }
  }

  /// Called when the task that had the last turn has ended: its thread would keep the task in
  /// memory.
  final void forgetThread() {
    turnThread = null;
  }

  /// Called when the run is over, whether or not the last turn has ended well.
  final void endTurns() {
    tasks.running = ReadyQueue.NONE;
    carrying = false;
    produced = null;
  }

  /// Sets the hooks, when the rest of the scheduler is complete.
  final void hooks(Rooms.@Nullable TurnHooks composed) {
    hooks = composed;
    countingHooks = composed != null && composed.countsTurns() ? composed : null;
    attended |= composed != null;
    isLazy &= composed == null || composed.allowsLazyTurns();
  }

  // One turn.

  /// Gives an entry its turn. When this returns, the turn is over, and the task that had it has
  /// given way or has ended.
  public final void turn(ReadyQueue.Entry entry) {
    beginTurn();
    if (attended && entry instanceof TaskCore<?> task) {
      attendedTurn(task);
      return;
    }
    TaskCore<?> had = entry.turn(tasks);
    tasks.running = ReadyQueue.NONE;
    if (thread.isInterrupted() || overflow != null) {
      wentWrong(had);
    }
  }

  /// Called when a turn is over in which the thread was interrupted, or a change was cut short.
  ///
  /// @param task null if the task was never made
  private void wentWrong(@Nullable TaskCore<?> task) {
    if (interrupts != null && thread.isInterrupted()) { // else the caller of step() finds it
      interrupts.inTurn(task);
    }
    if (overflow != null) {
      breakDown(task == null ? "a task" : "task '" + task.name() + "'");
    }
  }

  /// Called where the stack of a task has ended inside a change of the scheduler, which is then
  /// incomplete. Only leaves a mark, because there is no room for more. The loop finds the mark
  /// when the turn or the posted action is over.
  ///
  /// @param change describes the change, as part of a message
  /// @return the error, for the caller to throw
  public final StackOverflowError cutShort(String change, StackOverflowError error) {
    changeCutShort = change;
    overflow = error;
    return error;
  }

  /// Ends the run, and with it the scheduler.
  ///
  /// @param who names the code whose stack has ended
  final void breakDown(String who) {
    failures.takeFatal(
        new IllegalStateException(
            "the stack of "
                + who
                + " ended in the scheduler, when "
                + changeCutShort
                + ": what the scheduler knows of its tasks may be wrong, so it ends, and cancels"
                + " all of them; make the recursion around the call less deep, or the stack larger"
                + " (-Xss)",
            overflow));
  }

  /// Whether the scheduler has broken down, see [#cutShort].
  final boolean isBroken() {
    return overflow != null;
  }

  /// Begins the turn of the entry at the head.
  public final void beginTurn() {
    eagerBudget = EAGER_OPERATIONS_PER_TURN;
    tasks.running = tasks.head;
    checkedSlot = UNKNOWN;
  }

  /// Keeps an interrupt for the next turn of a task. The task has set it on a thread that other
  /// tasks use, too.
  public final void keepInterrupt(TaskCore<?> task) {
    if (task.isDone()) {
      Alerts.warn(
          "task '"
              + ReportText.escaped(task.name())
              + "' has ended after it interrupted its own thread");
    } else {
      task.extras().interrupted = true;
      attended = true;
    }
  }

  private void attendedTurn(TaskCore<?> task) {
    TaskExtras has = task.extras;
    if (has != null && has.interrupted && !hasRunner(task)) { // else it is interrupted there
      has.interrupted = false;
      Thread.currentThread().interrupt();
    }
    if (hooks != null) {
      hooks.turnBegins(task);
    }
    if (contexts != null && !hasRunner(task)) {
      contexts.beforeTurn(task);
    }
    task.turn(tasks);
    endTurnAndReport(task);
  }

  /// Ends the turn of a task that was never made.
  public final void endTurn() {
    tasks.running = ReadyQueue.NONE;
  }

  /// Begins the first turn of a task on an existing coroutine, within the turn that the loop has
  /// given to another task: see [Rooms.FirstTurns].
  public final void beginInnerTurn(StackfulTask<?> task) {
    task.entered = true;
    beginTurn();
    if (hooks != null) {
      hooks.turnBegins(task);
    }
  }

  /// Ends the turn of a task, whose frames may stay on the stack, see [Rooms.FirstTurns]. The
  /// caller is within a turn that the loop gives, and the loop looks for what went wrong.
  public final void endTurn(TaskCore<?> task) {
    tasks.running = ReadyQueue.NONE;
    if (contexts != null && !hasRunner(task)) {
      contexts.afterTurn(task);
    }
    if (countingHooks != null) {
      countingHooks.turnEnds(task);
    }
  }

  /// [#endTurn(TaskCore)], and handles an interrupt in the turn or a change that was cut short.
  public final void endTurnAndReport(TaskCore<?> task) {
    endTurn(task);
    if (thread.isInterrupted() || overflow != null) {
      wentWrong(task);
    }
  }

  /// Gives a turn that takes a value and returns a product. Turns of daemons do neither. The value
  /// is never the result of a wait.
  final @Nullable Object turn(TaskCore<?> task, @Nullable Object value) {
    if (task.isDaemon()) {
      turn(task);
      return halted ? takeProduced() : value;
    }
    TaskWaiter waiter = task.waiter;
    boolean waits = waiter != null && waiter.source() != null; // or did, until it was scheduled
    if (task.handed == TaskCore.NOTHING && !waits) {
      if (waiter != null) {
        waiter.leftDirectly = false;
      }
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

  // The running task.

  public final boolean isRunning(TaskCore<?> task) {
    return task.slot == tasks.running && task.slot != ReadyQueue.NONE;
  }

  /// The task that has the turn; null if there is none, or while the task is hidden by
  /// [#hideCurrentTask].
  public final @Nullable TaskCore<?> currentTask() {
    int slot = tasks.running;
    if (slot >= 0 && !hidden && tasks.slots[slot] instanceof TaskCore<?> task) {
      return task; // mostly
    }
    return hidden ? null : runningTask();
  }

  /// Whether a task has the turn, and may give way. Does not make the task.
  public final boolean hasCurrentTask() {
    return tasks.running != ReadyQueue.NONE && !hidden;
  }

  /// The task that has the turn. Any thread. A thread other than the scheduler's may see an old
  /// value.
  public final @Nullable TaskCore<?> runningTask() {
    ReadyQueue.Entry entry = runningEntry();
    return entry == null || entry instanceof TaskCore<?> ? (TaskCore<?>) entry : firstOf(entry);
  }

  /// The entry that has the turn. Any thread, as [#runningTask()].
  public final ReadyQueue.@Nullable Entry runningEntry() {
    int slot = tasks.running;
    ReadyQueue.@Nullable Entry[] all = tasks.slots;
    return slot < 0 || slot >= all.length ? null : all[slot];
  }

  private @Nullable TaskCore<?> firstOf(ReadyQueue.Entry entry) {
    return isHere() ? entry.makeFirst() : entry.portrait();
  }

  /// The number of the running task; 0 if there is none. Does not make the task.
  public final long runningId() {
    ReadyQueue.Entry entry = runningEntry();
    return entry == null ? 0 : entry.id();
  }

  /// The [TaskLocal] bindings of the running task. Does not make the task.
  public final @Nullable Map<Object, @Nullable Object> runningLocals() {
    int slot = tasks.running;
    return slot >= 0 && tasks.slots[slot] instanceof TaskCore<?> task ? task.locals() : null;
  }

  /// Gives a new task the bindings of the running task, and the context of the thread.
  final void bequeath(TaskCore<?> made) {
    Map<Object, @Nullable Object> locals = runningLocals();
    if (locals != null) {
      made.bind(locals);
    }
    if (contexts != null) {
      made.keepContext(contexts.capture());
    }
  }

  public final StackfulTask<?> currentStackful(String call) {
    checkCaller();
    int slot = tasks.running;
    return slot >= 0 && !hidden && tasks.slots[slot] instanceof StackfulTask<?> task
        ? task
        : madeStackful(call);
  }

  private StackfulTask<?> madeStackful(String call) {
    if (currentTask() instanceof StackfulTask<?> made) {
      return made;
    }
    throw cannotSuspend(call);
  }

  private IllegalStateException cannotSuspend(String call) {
    if (tasks.running != ReadyQueue.NONE && hidden) {
      return new IllegalStateException(
          call
              + " in code that must not suspend, as a predicate, a listener, or a task of a"
              + " scheduler that the current task runs: wait before or after");
    }
    TaskCore<?> task = currentTask();
    return new IllegalStateException(
        task == null
            ? call
                + " outside of a task, for instance in a posted action or in a listener of a"
                + " toolkit: only a task of this"
                + " scheduler can give way; spawn one"
            : call
                + " in step task '"
                + task.name()
                + "', which has no stack to leave: spawn a task for code that waits; the body of a"
                + " step task can return self.await(..)");
  }

  /// Describes the caller, for messages: the running task, or the thread.
  public final String callerName() {
    TaskCore<?> task = currentTask();
    return task == null ? thisThread() : "task '" + task.name() + "'";
  }

  /// Describes the calling thread, for messages.
  public static String thisThread() {
    return "thread '" + Thread.currentThread().getName() + "'";
  }

  /// Called when a call of the JDK blocks a task. If the task was hidden, other tasks are not
  /// hidden.
  final void unhideFor(TaskCore<?> blocked) {
    if (hidden) {
      restoreCurrentTask(false);
      blocked.extras().hidden = true;
    }
  }

  /// Gives the turn to a task on its own thread. Hides the task if it was hidden when it was
  /// blocked.
  final void turnGoesTo(@Nullable Thread thread, TaskCore<?> task) {
    turnGoesTo(thread);
    TaskExtras has = task.extras;
    if (has != null && has.hidden) {
      has.hidden = false;
      boolean _ = hideCurrentTask();
    }
  }

  /// Whether the running task is hidden, so that it must not give way.
  public final boolean isCurrentTaskHidden() {
    return hidden;
  }

  /// Hides the running task while other code runs on its stack: no task is current, and the running
  /// task must not give way.
  ///
  /// @return whether the task was hidden before, for [#restoreCurrentTask]
  public final boolean hideCurrentTask() {
    boolean wasHidden = hidden;
    hidden = true;
    checkedSlot = UNKNOWN;
    return wasHidden;
  }

  /// Undoes [#hideCurrentTask].
  ///
  /// @param wasHidden the result of that call
  public final void restoreCurrentTask(boolean wasHidden) {
    hidden = wasHidden;
    checkedSlot = UNKNOWN;
  }

  /// Called when the running task, which was lazy, has been made.
  final void goesOnAs(TaskCore<?> made) {
    tasks.running = made.slot;
    if (hooks != null) {
      hooks.turnBegins(made);
    }
  }

  /// Sets the product of the current turn for the caller of `step(value)`; no effect in other runs.
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

  private boolean hasRunner(TaskCore<?> task) {
    return runner != null && !(task instanceof StackfulTask<?>);
  }

  /// Called when a turn on a [TurnRunner] is over.
  final void endContext(TaskCore<?> task) {
    if (contexts != null) {
      contexts.end(task);
    }
  }

  // Lazy tasks.

  /// Whether tasks need not be made before their turns: no observer or policy has to see each task,
  /// and bindings of the running task are not inherited.
  public final boolean isLazy() {
    return isLazy && runningLocals() == null;
  }

  // Tasks come and go.

  public final long nextTaskId() {
    return ++lastTaskId;
  }

  /// Called when a task was made: the hooks see it.
  public final <K extends TaskCore<?>> K made(K task) {
    if (hooks != null) {
      hooks.created(task);
    }
    return task;
  }

  /// Puts the running task, which was parked, back to the head: its turn goes on.
  final void takeBack(TaskCore<?> task) {
    if (!tasks.isReady(task)) { // else the task had not left the queue
      tasks.takeBack(task);
    }
    tasks.running = task.slot;
    if (hooks != null) {
      hooks.turnGoesOn(task);
    }
    produce(null);
  }

  /// Undoes [ReadyQueue#rotate]: the turn of the task goes on.
  final void undoRotate(TaskCore<?> task) {
    if (isRunning(task)) {
      return; // the task has its next turn already
    }
    tasks.undoRotate(task);
    produce(null);
  }

  /// Forgets a task that has ended, or that could not be scheduled.
  final void retire(TaskCore<?> task) {
    if (tasks.isReady(task)) {
      tasks.remove(task);
    }
    if (tasks.unregister(task)) {
      lastHasEnded();
    }
  }
}
