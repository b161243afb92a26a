package dev.rondo.scheduler;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final int MOST_TURNS_PER_PASS = 256;

  /// A pass that comes sooner than this makes the next come later, and one later than that sooner.
  private static final long PASS_TOO_SOON_NANOS = 10_000;

  private static final long PASS_TOO_LATE_NANOS = 50_000;

  /// While tasks keep the loop busy, idling add-ons get a turn this often.
  private static final long IDLER_INTERVAL_NANOS = 50_000;

  /// A resident task that has not run for so many passes makes room.
  private static final int MOST_PASSES_OF_RESIDENT = 2;

  /// A closing scheduler gives cancelled tasks this many turns each, on average.
  private static final long TURNS_TO_CLEAN_UP = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  /// The loop that runs on this thread.
  private static final ThreadLocal<@Nullable Loop> CURRENT = new ThreadLocal<>();

  final Scheduler scheduler;
  final CoroutineBackend backend;
  final Ticker ticker;
  final TaskTable tasks = new TaskTable();
  final Idlers idlers = new Idlers();
  final Inbox inbox;
  private final Thread owner;
  private final boolean mayHost;
  private final FailureHandler failureHandler;
  private Idler idler;
  private @Nullable TimeKeeper timeKeeper;

  /// Whether waiting tasks may stay mounted: in `start()`, on a backend that can.
  private boolean hosting;

  /// The task upon whose frames the loop runs.
  private @Nullable StackfulTask<?> resident;

  private int residentPasses;

  /// Whether the head of the ready queue is having its turn.
  private boolean inTurn;

  /// Whether one of the driving methods is on the stack.
  private boolean running;

  /// The thread of the task that had the last turn, if it has one of its own. Foreign threads read
  /// it to find that they are not it: whoever is, wrote it or was handed the turn by who did.
  private @Nullable Thread turnThread;

  /// How many tasks are add-ons.
  int addOns;

  /// Whether turns have products: somebody steps with values.
  boolean carrying;

  /// What is left of this turn's eager operations.
  int eagerBudget;

  private @Nullable Object produced;

  /// The clock as of the last pass.
  long roundNanos;

  private int turnsLeft;
  private int turnsPerPass = 1;
  private long idlersServedNanos;
  private final List<Task<?>> due = new ArrayList<>();

  /// How many things outside may still wake a task: completions, blocking calls, declared callers.
  private int externals;

  private final List<Throwable> addOnFailures = new ArrayList<>();
  private long lastTaskId;
  private boolean halted;
  private boolean closing;
  private boolean interrupted;
  private @Nullable Throwable fatal;

  Loop(
      Scheduler scheduler,
      CoroutineBackend backend,
      Ticker ticker,
      FailureHandler failureHandler,
      boolean mayHost) {
    this.scheduler = scheduler;
    this.mayHost = mayHost && backend.canHost();
    this.backend = backend;
    this.ticker = ticker;
    this.failureHandler = failureHandler;
    this.owner = Thread.currentThread();
    backend.checkLoopThread(owner);
    this.idler = new ParkIdler(owner, ticker);
    this.inbox = new Inbox(this::wakeup);
    this.roundNanos = ticker.read();
    this.idlersServedNanos = roundNanos;
  }

  // Where we are.

  static @Nullable Loop current() {
    return CURRENT.get();
  }

  void checkThread() {
    if (!isLoopThread()) {
      throw new WrongThreadException(
          "called on thread '%s', but this scheduler belongs to thread '%s'; hand the call over with execute(..)"
              .formatted(Thread.currentThread().getName(), owner.getName()));
    }
  }

  boolean isLoopThread() {
    Thread caller = Thread.currentThread();
    return caller == owner || caller == turnThread;
  }

  boolean isRunning(Task<?> task) {
    return inTurn && tasks.isFirst(task);
  }

  @Nullable Task<?> currentTask() {
    return inTurn ? tasks.first() : null;
  }

  StackfulTask<?> currentStackful(String call) {
    checkThread();
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

  /// A task is about to have its turn on this thread; null is the loop's own.
  void turnGoesTo(@Nullable Thread thread) {
    if (thread != null) {
      turnThread = thread;
    }
  }

  /// Called on a coroutine's own thread, if it has one, before its body runs.
  void enterThread() {
    if (Thread.currentThread() != owner) {
      CURRENT.set(this);
    }
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
  }

  private void wakeup() {
    idler.wakeup();
  }

  // Scheduling.

  /// Puts a task that is out of circulation into the ready queue; at the front means behind the
  /// running one.
  void makeReady(Task<?> task, boolean front) {
    Task<?> running = currentTask();
    if (!front) {
      tasks.addLast(task);
    } else if (running != null) {
      tasks.addAfter(running, task);
    } else {
      tasks.addFirst(task);
    }
    if (idlers.hasWatchers() && !task.watching) {
      wakeWatchers();
    }
  }

  private void wakeWatchers() {
    while (idlers.hasWatchers()) {
      idlers.firstWatcher().becomeReady(false);
    }
  }

  /// Schedules a task that is out of circulation; a wait of it ends.
  ///
  /// @return false if it was ready or running, is blocked in the JDK, or has ended
  boolean schedule(Task<?> task, boolean front) {
    if (isRunning(task) || !isOutOfCirculation(task)) {
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
    if (isRunning(task) || !isOutOfCirculation(task)) {
      return false;
    }
    if (task.state == TaskState.WAITING) {
      task.leaveCirculation();
    }
    task.hand(value, null);
    task.becomeReady(front);
    return true;
  }

  boolean scheduleAfter(Task<?> task, Task<?> anchor) {
    if (isRunning(task) || !isOutOfCirculation(task) || !tasks.isReady(anchor)) {
      return false;
    }
    schedule(task, false);
    tasks.remove(task);
    tasks.addAfter(anchor, task);
    return true;
  }

  /// Has a task wait for something on its behalf.
  boolean scheduleOn(Task<?> task, Waitable<?> asked) {
    if (isRunning(task)
        || !(isOutOfCirculation(task) || task.state == TaskState.READY)
        || task.awaited() == asked) {
      return false;
    }
    Waitable<?> source = Composite.prepared(asked);
    if (task.state == TaskState.NEW) {
      tasks.register(task);
    }
    task.leaveCirculation();
    task.state = TaskState.SUSPENDED;
    if (task.waiter().arm(source)) {
      task.becomeReady(false);
    } else {
      task.state = TaskState.WAITING;
      task.sinceNanos = roundNanos;
    }
    return true;
  }

  /// Takes a task out of wherever it is, to be scheduled again by hand.
  boolean unschedule(Task<?> task) {
    if (isRunning(task)) {
      return false;
    }
    return switch (task.state) {
      case READY, WAITING, IDLING -> {
        task.leaveCirculation();
        task.state = TaskState.SUSPENDED;
        task.sinceNanos = roundNanos;
        yield true;
      }
      case NEW, RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  private static boolean isOutOfCirculation(Task<?> task) {
    return switch (task.state) {
      case NEW, WAITING, SUSPENDED, IDLING -> true;
      case READY, RUNNING, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  // Driving.

  /// Steps until no working task is left, or somebody stops or halts us.
  ///
  /// @throws DeadlockException if working tasks are left that nothing can wake
  void start() {
    enter("start()");
    turnsLeft = 0;
    hosting = mayHost;
    try {
      while (true) {
        if (--turnsLeft < 0 && !pass()) {
          return;
        }
        Task<?> task = tasks.first();
        if (task != null) {
          turn(task);
        } else if (!awaitWork()) {
          if (tasks.isWorking() && !inbox.isStopRequested()) {
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
      throwFatal();
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
      throwFatal();
      return product;
    } finally {
      exit();
    }
  }

  private @Nullable Task<?> nextToStep() {
    if (--turnsLeft < 0 || tasks.first() == null) {
      lookAround();
    }
    return tasks.first();
  }

  // The resident task.

  boolean isResident(Task<?> task) {
    return resident == task;
  }

  /// A task that has just gone out of circulation need not be unmounted: if the backend allows it
  /// and nobody else is in this place, the loop goes on upon its frames. When the task is next,
  /// this just returns, and no stack was copied.
  ///
  /// There is one resident at a time. It has to leave when the loop is to end, and when it has not
  /// run for a while, so that a hotter task can take its place.
  ///
  /// @return whether the task has its turn again; if not, it has to leave its coroutine
  boolean goOnUpon(StackfulTask<?> task) {
    if (!hosting || resident != null) {
      return false;
    }
    resident = task;
    residentPasses = 0;
    inTurn = false;
    boolean next;
    try {
      next = runUntilNext(task);
    } catch (Throwable e) {
      fatal = e; // of the loop, not of the task: comes out of start()
      turnsLeft = 0;
      next = false;
    }
    resident = null;
    inTurn = true;
    return next;
  }

  private boolean runUntilNext(StackfulTask<?> task) {
    while (true) {
      if (--turnsLeft < 0 && !passUnderResident()) {
        return false;
      }
      Task<?> next = tasks.first();
      if (next == task) {
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
  private boolean passUnderResident() {
    if (fatal != null
        || halted
        || inbox.isStopRequested()
        || ++residentPasses > MOST_PASSES_OF_RESIDENT
        || !(tasks.isWorking() || !inbox.isEmpty())) {
      turnsLeft = 0;
      return false;
    }
    lookAround();
    return true;
  }

  private void turn(Task<?> task) {
    eagerBudget = EAGER_OPERATIONS_PER_TURN;
    inTurn = true;
    task.turn();
    inTurn = false;
  }

  /// A turn with a value in and a product out. Daemons stay out of it.
  private @Nullable Object turn(Task<?> task, @Nullable Object value) {
    if (task.isDaemon()) {
      turn(task);
      return value;
    }
    if (!task.handed) {
      task.hand(value, null);
    }
    carrying = true;
    turn(task);
    carrying = false;
    Object product = produced;
    produced = null;
    return product;
  }

  private void enter(String call) {
    checkThread();
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
    running = true;
    halted = false;
    obscure(CURRENT.get());
    CURRENT.set(this);
  }

  /// The loop on whose task's stack this one runs: meanwhile nobody is in a turn over there.
  private @Nullable Loop outer;

  private boolean outerInTurn;

  private void obscure(@Nullable Loop below) {
    outer = below;
    if (below != null) {
      outerInTurn = below.inTurn;
      below.inTurn = false;
    }
  }

  private void exit() {
    inTurn = false;
    carrying = false;
    hosting = false;
    running = false;
    Loop below = outer;
    outer = null;
    if (below != null) {
      below.inTurn = outerInTurn;
      CURRENT.set(below);
    } else {
      CURRENT.remove();
    }
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  /// What is done between turns every now and then.
  ///
  /// @return false if the loop should end
  private boolean pass() {
    throwFatal();
    if (halted) {
      return false;
    }
    if (inbox.isStopRequested()) {
      inbox.clearStopRequest();
      return false;
    }
    lookAround();
    return tasks.isWorking() || !inbox.isEmpty();
  }

  private void lookAround() {
    inbox.drain(this);
    long now = ticker.read();
    long elapsed = now - roundNanos;
    roundNanos = now;
    if (elapsed < PASS_TOO_SOON_NANOS) {
      turnsPerPass = Math.min(MOST_TURNS_PER_PASS, turnsPerPass << 1);
    } else if (elapsed > PASS_TOO_LATE_NANOS) {
      turnsPerPass = (int) Math.max(1, turnsPerPass * PASS_TOO_LATE_NANOS / elapsed);
    }
    turnsLeft = turnsPerPass;
    if (!idlers.isEmpty()) {
      serveIdlers(now);
    }
  }

  /// Gives idling add-ons precedence: those that are due, or all if they have not been served for a
  /// while.
  private void serveIdlers(long now) {
    if (tasks.first() != null && now - idlersServedNanos >= IDLER_INTERVAL_NANOS) {
      idlersServedNanos = now;
      idlers.drainAll(due);
    } else {
      idlers.drainDue(now, due);
    }
    for (int i = due.size() - 1; i >= 0; i--) {
      Task<?> task = due.get(i);
      task.state = TaskState.READY;
      makeReady(task, true);
    }
    due.clear();
  }

  /// Nothing is ready: sleeps until something may be, if anything ever can.
  ///
  /// @return false if nothing can
  private boolean awaitWork() {
    lookAround();
    if (tasks.first() != null) {
      return true;
    }
    if (idlers.isEmpty() && externals == 0) {
      return !inbox.isEmpty();
    }
    if (inbox.mayFallAsleep()) {
      try {
        if (idlers.hasDeadline()) {
          idler.idleUntil(idlers.earliestDeadlineNanos());
        } else {
          idler.idle();
        }
      } finally {
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
    if (!isLoopThread()) {
      inbox.requestStop();
    } else if (running) {
      inbox.requestStop();
      turnsLeft = 0;
    }
  }

  void requestHalt(@Nullable Object product) {
    produce(product);
    halted = true;
    turnsLeft = 0;
  }

  /// Forgets a task that has ended.
  void retire(Task<?> task) {
    if (tasks.isReady(task)) {
      tasks.remove(task);
    }
    if (task.addOn) {
      addOns--;
    }
    if (tasks.unregister(task)) {
      turnsLeft = 0; // it may have been the last
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

  /// A task has failed. Some failures are not the task's own: they stop the loop.
  void ended(Task<?> task, Throwable failure, boolean observed) {
    boolean ofTheMachine =
        failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
    boolean ofLinkage =
        failure instanceof LinkageError && !(failure instanceof ExceptionInInitializerError);
    if (task.addOn) {
      addOnFailures.add(failure);
    }
    if (ofTheMachine || ofLinkage) {
      fatal = failure;
      turnsLeft = 0;
    } else if (!observed || task.addOn) {
      report("task '" + task.name() + "'", failure);
    }
  }

  private void throwFatal() {
    Throwable failure = fatal;
    if (failure != null) {
      fatal = null;
      throw Sneaky.rethrow(failure);
    }
  }

  void report(String where, Throwable failure) {
    try {
      failureHandler.failed(where, failure);
    } catch (Throwable e) {
      log.error("the failure handler failed at {}", where, e);
      log.error("{} failed", where, failure);
    }
  }

  private DeadlockException deadlock() {
    List<Task<?>> left = tasks.list();
    left.removeIf(task -> task.addOn);
    var deadlock =
        new DeadlockException(Deadlocks.describe(left, roundNanos), Deadlocks.cycle(left));
    addOnFailures.forEach(deadlock::addSuppressed);
    return deadlock;
  }

  // Closing.

  /// Cancels every task, youngest first, and lets all run to their end; then the add-ons.
  ///
  /// @return those that would not end
  List<Task<?>> close() {
    if (closing) {
      return List.of();
    }
    enter("close()");
    closing = true;
    try {
      inbox.clearStopRequest();
      inbox.drain(this);
      cancelYoungestFirst(false);
      runOut();
      cancelYoungestFirst(true);
      inbox.close(this);
      if (fatal != null) {
        report("a task while the scheduler closed", fatal);
      }
      List<Task<?>> left = tasks.list();
      left.removeIf(task -> task.addOn);
      return left;
    } finally {
      exit();
    }
  }

  private void cancelYoungestFirst(boolean addOns) {
    for (Task<?> task : tasks.list().reversed()) {
      if (task.addOn == addOns) {
        task.cancel("the scheduler closes");
      }
    }
  }

  /// Runs until only add-ons are left, nothing can move any more, or patience is at its end:
  /// cancelled tasks have turns enough to clean up, not to go on for ever.
  private void runOut() {
    long patience = TURNS_TO_CLEAN_UP * (1L + tasks.size());
    while (patience > 0 && tasks.size() > addOns) {
      if (--turnsLeft < 0) {
        lookAround();
      }
      Task<?> task = tasks.first();
      if (task != null) {
        patience -= task.addOn ? 0 : 1;
        turn(task);
      } else if (!awaitWork()) {
        return;
      }
    }
  }

  boolean isClosing() {
    return closing;
  }
}
