package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The machinery of a scheduler: whose turn it is, what is ready, when to sleep, when to end.
///
/// One *turn* is one call of [Task#turn()]. Every so many turns the loop makes a *pass*: it empties
/// the inbox, reads the clock, gives idling add-ons their turn if they are due, and looks whether
/// to end. How many turns lie between passes adapts to how long turns take, so that a pass costs
/// little and comes soon. When nothing is ready the loop sleeps in the [Idler], the only place
/// where it does.
///
/// Every field is confined to the scheduler's thread (which is a task's own thread while that task
/// has its turn, on backends that have such) except the inbox.
final class Loop {

  /// Eager operations (a read, a lock, a channel operation that completes at once) a task may do in
  /// one turn before it has to give way.
  private static final int EAGER_OPERATIONS_PER_TURN = 128;

  final Scheduler scheduler;
  final CoroutineBackend backend;
  final Ticker ticker;
  final TaskTable tasks;
  final Idlers idlers;
  final Inbox inbox;
  final Owner owner = new Owner();
  final Circulation circulation;
  final Failures failures;
  final Stopping stopping = new Stopping(this);

  /// Null unless debugging, on a backend where there is something to find.
  final @Nullable DebugChecks debug;

  final Residence residence;

  /// Those who look on; null if nobody does.
  final @Nullable Instruments instruments;

  /// What keeps the contexts of libraries with the tasks; null if nothing is to.
  final @Nullable Contexts contexts;

  private final Pace pace = new Pace();
  private Idler idler;
  private @Nullable TimeKeeper timeKeeper;

  /// Whether others use our thread while we sleep.
  private boolean lends;

  /// Whether they do now.
  private boolean lent;

  /// Whether the head of the ready queue is having its turn.
  private boolean inTurn;

  /// Whether one of the driving methods is on the stack.
  private boolean running;

  /// Whether it is one that goes on until it is stopped.
  private boolean stoppable;

  /// Whether turns have products: somebody steps with values.
  boolean carrying;

  /// What is left of this turn's eager operations.
  int eagerBudget;

  private @Nullable Object produced;

  /// The clock as of the last pass.
  long roundNanos;

  private int turnsLeft;

  /// How many waits are for what other threads do: completions, blocking calls.
  int externals;

  /// How many have declared that other threads may call in.
  private int expectedCallers;

  private long lastTaskId;
  private boolean halted;
  private boolean closing;
  private boolean interrupted;

  Loop(Scheduler scheduler, Settings settings) {
    this.scheduler = scheduler;
    this.backend = settings.backend();
    this.ticker = settings.ticker();
    this.tasks = new TaskTable(settings.policy());
    this.circulation = new Circulation(this, settings.addOnsFirst());
    this.residence = new Residence(this, settings.residentTask() && backend.canHost());
    this.failures = new Failures(settings.failureHandler());
    this.debug = settings.debug() && backend.sharesThread() ? new DebugChecks() : null;
    this.contexts =
        settings.contexts().isEmpty() ? null : new Contexts(settings.contexts(), failures);
    backend.checkLoopThread(owner.thread());
    this.idler = new ParkIdler(owner.thread(), ticker);
    this.inbox = new Inbox(this::wakeup);
    this.roundNanos = ticker.read();
    this.idlers = new Idlers(roundNanos);
    this.instruments = Instruments.open(this, settings.instruments());
  }

  // Where we are.

  boolean isRunning(Task<?> task) {
    return inTurn && tasks.isFirst(task);
  }

  /// The task that may give way now; null in the turn of a task that drives another scheduler.
  @Nullable Task<?> currentTask() {
    return owner.isObscured() ? null : runningTask();
  }

  @Nullable Task<?> runningTask() {
    return inTurn ? tasks.first() : null;
  }

  /// [#runningTask()], as far as another thread can see.
  @Nullable Task<?> glimpseRunning() {
    return inTurn ? tasks.glimpseFirst() : null;
  }

  /// Whether one of the driving methods is on the stack.
  boolean isDriven() {
    return running;
  }

  StackfulTask<?> currentStackful(String call) {
    owner.checkCaller();
    Task<?> task = currentTask();
    if (task instanceof StackfulTask<?> stackful) {
      return stackful;
    }
    throw new IllegalStateException(
        task == null
            ? call + " outside of a task: only a task of this scheduler can give way; spawn one"
            : call
                + " in step task '"
                + task.name()
                + "', which has no stack to leave: answer a Turn instead, or spawn a stackful"
                + " task");
  }

  String callerName() {
    Task<?> task = currentTask();
    return task != null ? "task '" + task.name() + "'" : Thread.currentThread().getName();
  }

  long nextTaskId() {
    return ++lastTaskId;
  }

  /// A task is there: tells whoever looks on.
  <K extends Task<?>> K made(K task) {
    if (instruments != null) {
      instruments.created(task);
    }
    return task;
  }

  // Time.

  long deadlineAfter(long nanos) {
    return ticker.read() + nanos;
  }

  TimeKeeper requireTimeKeeper() {
    if (timeKeeper == null) {
      throw new IllegalStateException(
          "a timeout needs a timer, and this scheduler has none: install the time add-on with"
              + " WaitForTime.on(scheduler), or use Application, which has it");
    }
    return timeKeeper;
  }

  void timeKeeper(TimeKeeper keeper) {
    timeKeeper = keeper;
  }

  void idler(Idler replacement) {
    idler = replacement;
    lends = replacement.lendsThread();
    turnsLeft = 0;
  }

  private void wakeup() {
    idler.wakeup();
  }

  boolean lendsThread() {
    return lends;
  }

  /// Something has changed, on our own thread. If the loop sleeps, others use the thread, and it
  /// has to look again.
  void stir() {
    if (lent) {
      inbox.wakeIfAsleep();
    }
  }

  // Driving.

  /// Steps until no working task is left, or somebody stops or halts us.
  ///
  /// @throws DeadlockException if working tasks are left that nothing can wake
  void start() {
    enter("start()");
    turnsLeft = 0;
    stoppable = true;
    residence.open();
    try {
      while (true) {
        if (--turnsLeft < 0 && !pass()) {
          return;
        }
        Task<?> task = tasks.first();
        if (task != null) {
          turn(task);
        } else if (!awaitWork()) {
          if (!takeStopRequest() && tasks.isWorking()) {
            throw deadlock();
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
    turnsLeft = 0;
    stoppable = true;
    try {
      Object carried = value;
      while (true) {
        if (--turnsLeft < 0 && !pass()) {
          return carried;
        }
        Task<?> task = tasks.first();
        if (task != null) {
          carried = turn(task, carried);
        } else if (!awaitWork()) {
          takeStopRequest();
          return carried;
        }
      }
    } finally {
      exit();
    }
  }

  /// Gives one task a turn.
  boolean step() {
    enter("step()");
    try {
      Task<?> task = nextToStep();
      if (task == null) {
        return false;
      }
      turn(task);
      failures.throwFatal();
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
      Object product = turn(task, value);
      failures.throwFatal();
      return product;
    } finally {
      exit();
    }
  }

  private @Nullable Task<?> nextToStep() {
    if (--turnsLeft < 0 || tasks.nobodyIsReady()) {
      lookAround();
    }
    return tasks.first();
  }

  // Upon a resident task, see Residence.

  /// Goes on until it is the turn of the task upon whose frames we are.
  ///
  /// @return whether it is; if not, it has to leave
  boolean runUpon(StackfulTask<?> resident) {
    inTurn = false;
    if (contexts != null) {
      contexts.afterTurn(resident);
    }
    if (instruments != null) {
      instruments.afterTurn(resident);
    }
    boolean next;
    try {
      next = runUntilNext(resident);
    } catch (Throwable e) {
      failures.takeFatal(e); // of the loop, not of the task: comes out of start()
      turnsLeft = 0;
      next = false;
    }
    inTurn = true;
    if (next && instruments != null) {
      instruments.beforeTurn(resident);
    }
    if (contexts != null) {
      contexts.beforeTurn(resident);
    }
    return next;
  }

  private boolean runUntilNext(StackfulTask<?> resident) {
    while (true) {
      if (--turnsLeft < 0 && !passUponResident()) {
        return false;
      }
      Task<?> next = tasks.first();
      if (next == resident) {
        eagerBudget = EAGER_OPERATIONS_PER_TURN;
        return true;
      }
      if (next != null) {
        turn(next);
      } else if (!awaitWork()) {
        return false;
      }
    }
  }

  /// A [#pass()] that leaves every decision to end to the loop below.
  private boolean passUponResident() {
    noteInterrupt();
    if (failures.hasFatal()
        || halted
        || inbox.isStopRequested()
        || !residence.mayStay()
        || !(tasks.isWorking() || !inbox.isEmpty())) {
      turnsLeft = 0;
      return false;
    }
    lookAround();
    return true;
  }

  // Turns.

  void turn(Task<?> task) {
    eagerBudget = EAGER_OPERATIONS_PER_TURN;
    inTurn = true;
    if (instruments == null && contexts == null) {
      task.turn();
      inTurn = false;
    } else {
      watchedTurn(task);
    }
  }

  private void watchedTurn(Task<?> task) {
    if (instruments != null) {
      instruments.beforeTurn(task);
    }
    if (contexts != null) {
      contexts.beforeTurn(task);
    }
    task.turn();
    inTurn = false;
    if (contexts != null) {
      contexts.afterTurn(task);
    }
    if (instruments != null) {
      instruments.afterTurn(task);
    }
  }

  /// A turn with a value in and a product out. Daemons stay out of it.
  private @Nullable Object turn(Task<?> task, @Nullable Object value) {
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

  private void enter(String call) {
    owner.checkCaller();
    if (running) {
      throw new IllegalStateException(
          call
              + " inside of a running scheduler, called by "
              + callerName()
              + ": it is driven already; yield, sleep or await instead");
    }
    if (closing) {
      throw new IllegalStateException(call + " of a closed scheduler");
    }
    if (debug != null) {
      debug.beforeDriving(call);
    }
    running = true;
    halted = false;
    owner.beginDriving(this);
  }

  private void exit() {
    inTurn = false;
    carrying = false;
    produced = null;
    residence.close();
    stoppable = false;
    running = false;
    owner.endDriving();
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
    stopping.check(); // last: whoever is told may drive us again, or close us
  }

  /// What is done between turns every now and then.
  ///
  /// @return false if the loop should end
  private boolean pass() {
    if (halted || failures.hasFatal()) {
      takeStopRequest(); // this run ends anyhow
      failures.throwFatal();
      return false;
    }
    noteInterrupt();
    if (takeStopRequest()) {
      return false;
    }
    lookAround();
    return tasks.isWorking() || !inbox.isEmpty();
  }

  private boolean takeStopRequest() {
    boolean requested = inbox.isStopRequested();
    if (requested) {
      inbox.clearStopRequest();
    }
    return requested;
  }

  private void lookAround() {
    idler.pass();
    inbox.drain(this);
    long now = ticker.read();
    long elapsed = now - roundNanos;
    roundNanos = now;
    turnsLeft = lends ? 0 : pace.turnsAfter(elapsed);
    if (!idlers.isEmpty()) {
      idlers.serve(now, !tasks.nobodyIsReady(), circulation);
    }
  }

  /// Nothing is ready: sleeps until something may be, if anything ever can.
  ///
  /// @return false if nothing can
  boolean awaitWork() {
    lookAround();
    if (!tasks.nobodyIsReady()) {
      return true;
    }
    if (!tasks.isWorking() && !closing) {
      turnsLeft = 0; // the last has just been ended from outside: leave the decision to a pass
      return true;
    }
    if (idlers.isEmpty() && externals == 0 && expectedCallers == 0) {
      return !inbox.isEmpty();
    }
    if (inbox.mayFallAsleep()) {
      lent = lends;
      try {
        idlers.sleep(idler);
      } finally {
        lent = false;
        inbox.awake();
      }
      roundNanos = ticker.read();
      noteInterrupt();
    }
    turnsLeft = 0;
    return true;
  }

  /// An interrupt of the loop's thread is a request to stop; whoever drives the loop finds it
  /// again.
  private void noteInterrupt() {
    if (Thread.interrupted()) {
      interrupted = true;
      if (!closing) {
        inbox.requestStop();
      }
    }
  }

  // Ending.

  /// From the scheduler's own thread it ends the driving method that is on the stack, if one is.
  void stop() {
    if (!owner.isCaller()) {
      inbox.requestStop();
    } else if (stoppable) {
      inbox.requestStop();
      turnsLeft = 0;
    }
  }

  void requestHalt(@Nullable Object product) {
    produced = product;
    halted = true;
    turnsLeft = 0;
  }

  void withdrawHalt() {
    produced = null;
    halted = false;
  }

  /// Forgets a task that has ended.
  void retire(Task<?> task) {
    if (isRunning(task)) {
      inTurn = false; // the one behind it does not run yet
    }
    if (tasks.isReady(task)) {
      tasks.remove(task);
    }
    if (tasks.unregister(task)) {
      turnsLeft = 0; // it may have been the last
      stir();
    }
  }

  /// What the current turn hands to whoever steps, if anybody wants to know.
  void produce(@Nullable Object product) {
    if (carrying) {
      produced = product;
    }
  }

  void externalBegun() {
    externals++;
  }

  void externalEnded() {
    externals--;
  }

  void callersExpected() {
    expectedCallers++;
  }

  void callersNotExpected() {
    expectedCallers--;
    stir();
  }

  /// A task has failed.
  void failed(Task<?> task, Throwable failure, boolean observed) {
    if (failures.take(task, failure, observed)) {
      turnsLeft = 0;
    }
  }

  /// Tells the failure handler, on its thread. Any thread.
  void report(String where, Throwable failure) {
    if (owner.isCaller()) {
      failures.report(where, failure);
      return;
    }
    boolean taken =
        inbox.post(
            new Inbox.Entry() {
              @Override
              void deliver(Loop receiver) {
                receiver.failures.report(where, failure);
              }
            });
    if (!taken) {
      Failures.log(where, failure);
    }
  }

  private DeadlockException deadlock() {
    List<Task<?>> left = tasks.list();
    left.removeIf(task -> task.addOn);
    DeadlockException deadlock = Deadlocks.report(left, roundNanos);
    failures.suppressAddOnsIn(deadlock);
    return deadlock;
  }

  /// Ends everything, see [Closing].
  ///
  /// @return the tasks that would not end
  List<Task<?>> close() {
    if (closing) {
      return List.of();
    }
    enter("close()");
    closing = true;
    try {
      List<Task<?>> left = new Closing(this).close();
      boolean known = stopping.gaveUp();
      stopping.closed(left);
      return known ? List.of() : left;
    } finally {
      exit();
      if (instruments != null) {
        instruments.close();
      }
    }
  }

  /// The next task to run, after a look around if one is due; without any thought of ending.
  @Nullable Task<?> nextWhileClosing() {
    inbox.clearStopRequest();
    if (--turnsLeft < 0) {
      lookAround();
    }
    return tasks.first();
  }

  boolean isClosing() {
    return closing;
  }
}
