package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import org.jspecify.annotations.Nullable;

/// The machinery of a scheduler: whose turn it is, what happens between turns, when to sleep. When
/// to end is the [Driver]'s to decide.
///
/// One *turn* is one call of [Task#turn()]. Every so many turns comes a *pass*: the driver looks
/// whether to end, and the loop looks around: it empties the inbox, reads the clock, and gives
/// idling add-ons their turn if they are due. How many turns lie between passes adapts to how long
/// turns take, so that a pass costs little and comes soon. When nothing is ready the loop sleeps in
/// the [IdleStrategy], the only place where it does.
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
  final ReadyQueue tasks;
  final IdleTasks idleTasks;
  final Inbox inbox;
  final LoopThread loopThread = new LoopThread();
  final Circulation circulation;
  final Failures failures;
  final Shutdown shutdown = new Shutdown(this);
  final Driver driver = new Driver(this);
  final ExternalWork externalWork = new ExternalWork();
  final TaskFactory taskFactory = new TaskFactory(this);

  /// Null unless debugging, on a backend where there is something to find.
  final @Nullable DebugChecks debug;

  final MountedTask mountedTask;

  /// Those who look on; null if nobody does.
  final @Nullable Instruments instruments;

  /// What keeps the contexts of libraries with the tasks; null if nothing is to.
  final @Nullable Contexts contexts;

  private final PassInterval passInterval = new PassInterval();
  private IdleStrategy idleStrategy;
  private @Nullable TimerService timerService;

  /// Whether others use our thread while we sleep.
  private boolean lends;

  /// Whether they do now.
  private boolean lent;

  /// Whether the head of the ready queue is having its turn.
  private boolean inTurn;

  /// What is left of this turn's eager operations.
  int eagerBudget;

  /// Whether turns have products: somebody steps with values.
  private boolean carrying;

  private @Nullable Object produced;

  /// The clock as of the last look around.
  long roundNanos;

  /// How many turns to go until the next look around, and the decision whether to go on; zero if
  /// that is to be soon.
  int turnsLeft;

  /// Whether a task has asked the run to return, to go on as the first in the next one.
  boolean halted;

  /// Whether this run has taken an interrupt that its caller is to find again.
  private boolean interrupted;

  private boolean closing;
  private long lastTaskId;

  Loop(Scheduler scheduler, Settings settings) {
    this.scheduler = scheduler;
    this.backend = settings.backend();
    this.ticker = settings.ticker();
    this.tasks = new ReadyQueue(settings.policy());
    this.circulation = new Circulation(this, settings.addOnsFirst());
    this.mountedTask = new MountedTask(this, settings.residentTask() && backend.canHost());
    this.failures = new Failures(settings.failureHandler());
    this.debug = settings.debug() && backend.sharesThread() ? new DebugChecks() : null;
    this.contexts =
        settings.contexts().isEmpty() ? null : new Contexts(settings.contexts(), failures);
    backend.checkLoopThread(loopThread.thread());
    this.idleStrategy = new ParkingIdleStrategy(loopThread.thread(), ticker);
    this.inbox = new Inbox(this::wakeup);
    this.roundNanos = ticker.read();
    this.idleTasks = new IdleTasks(roundNanos);
    this.instruments = Instruments.open(this, settings.instruments());
  }

  // Where we are.

  boolean isRunning(Task<?> task) {
    return inTurn && tasks.isFirst(task);
  }

  /// The task that may give way now; null in the turn of a task that drives another scheduler.
  @Nullable Task<?> currentTask() {
    return loopThread.isObscured() ? null : runningTask();
  }

  /// Whose turn it is. Any thread, as far as that can see.
  @Nullable Task<?> runningTask() {
    return inTurn ? tasks.head() : null;
  }

  StackfulTask<?> currentStackful(String call) {
    loopThread.checkCaller();
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
                + "', which has no stack to leave: answer a StepResult instead, or spawn a stackful"
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

  TimerService requireTimerService() {
    if (timerService == null) {
      throw new IllegalStateException(
          "a timeout needs a timer, and this scheduler has none: install the time add-on with"
              + " WaitForTime.on(scheduler), or use Application, which has it");
    }
    return timerService;
  }

  boolean hasTimerService() {
    return timerService != null;
  }

  void timerService(TimerService keeper) {
    timerService = keeper;
  }

  void idleStrategy(IdleStrategy replacement) {
    idleStrategy = replacement;
    lends = replacement.lendsThread();
    turnsLeft = 0;
  }

  private void wakeup() {
    idleStrategy.wakeup();
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
    endTurn(task);
  }

  /// The turn of a task is over; its frames may stay on the stack, and we go on upon them.
  void endTurn(Task<?> task) {
    inTurn = false;
    if (contexts != null) {
      contexts.afterTurn(task);
    }
    if (instruments != null) {
      instruments.afterTurn(task);
    }
  }

  /// Back in frames that stayed on the stack.
  ///
  /// @param hasTurn whether it is the task's turn; if not, it leaves them
  void returnTo(Task<?> resident, boolean hasTurn) {
    inTurn = true;
    if (hasTurn) {
      eagerBudget = EAGER_OPERATIONS_PER_TURN;
      if (instruments != null) {
        instruments.beforeTurn(resident);
      }
    }
    if (contexts != null) {
      contexts.beforeTurn(resident);
    }
  }

  /// A turn with a value in and a product out. Daemons stay out of it.
  @Nullable Object turn(Task<?> task, @Nullable Object value) {
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

  /// Whatever has become of the turn that was under way: the run is over.
  void abandonTurn() {
    inTurn = false;
    carrying = false;
    produced = null;
  }

  // Between turns.

  /// Takes note of what other threads, the clock and idling add-ons have to say.
  void lookAround() {
    idleStrategy.pass();
    inbox.drain(this);
    long now = ticker.read();
    long elapsed = now - roundNanos;
    roundNanos = now;
    turnsLeft = lends ? 0 : passInterval.turnsAfter(elapsed);
    if (!idleTasks.isEmpty()) {
      idleTasks.serve(now, !tasks.nobodyIsReady(), circulation);
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
    if (idleTasks.isEmpty() && !externalWork.isPossible()) {
      return !inbox.isEmpty();
    }
    if (inbox.mayFallAsleep()) {
      lent = lends;
      try {
        idleTasks.sleep(idleStrategy);
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

  /// An interrupt of the loop's thread is a request to stop.
  void noteInterrupt() {
    if (Thread.interrupted()) {
      interrupted = true;
      if (!closing) {
        inbox.requestStop();
      }
    }
  }

  /// Whoever drives the loop finds the interrupt again.
  void passOnInterrupt() {
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  // Ending.

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

  /// A task has failed.
  void failed(Task<?> task, Throwable failure, boolean observed) {
    if (failures.take(task, failure, observed)) {
      turnsLeft = 0;
    }
  }

  /// Tells the failure handler, on its thread. Any thread.
  void report(String where, Throwable failure) {
    if (loopThread.isCaller()) {
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

  void beginToClose() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }
}
