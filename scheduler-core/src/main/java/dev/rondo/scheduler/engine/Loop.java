package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.observe.LoopView;
import dev.rondo.scheduler.engine.util.Durations;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The loop of a scheduler: whose turn it is, what happens between turns, when to sleep.
///
/// One *turn* is one call of [TaskCore#turn()]. Every so many turns comes a *pass*: the [Run]
/// decides whether it is over, and the loop empties the inbox, reads the clock, and gives idling
/// add-ons their turn if they are due. How many turns lie between passes adapts to how long turns
/// take, so that a pass costs little and comes soon. While a deadline is near the loop *looks* at
/// the clock after each turn, and makes a pass at once if the deadline has come or turns have
/// become long: a deadline is noticed after the turn under way. When nothing is ready the loop
/// sleeps in the [IdleStrategy], the only place where it does.
///
/// It is what a task knows of its scheduler: a task has one reference to spare, for there may be a
/// million of them.
///
/// Every field is confined to the scheduler's thread (which is a task's own thread while that task
/// has its turn, on backends that have such) except the inbox.
final class Loop extends Turns {

  final Scheduler scheduler;
  final Ticker ticker;
  private final CurrentLoop current = new CurrentLoop(this);
  private final Succession succession = new Succession(this);

  /// What runs step tasks where the loop's thread must not block; null where it may.
  final @Nullable HelperThreads helpers;

  private final IdleTasks idleTasks;
  private final ExternalWork externalWork = new ExternalWork();
  private final CycleWatch cycles = new CycleWatch(failures, tasks);
  private final MountedTask mountedTask;

  /// What observers see of this loop.
  final LoopView view;

  /// Whether add-ons have precedence over other tasks.
  private final boolean addOnsFirst;

  private final PassInterval passInterval = new PassInterval();

  /// How to sleep. Replaced by [#idleStrategy(IdleStrategy)].
  IdleStrategy idleStrategy;

  final Inbox inbox = new Inbox(() -> idleStrategy.wakeup());
  final Deliveries deliveries = new Deliveries(this, inbox, failures);
  private final Interrupts interrupts = new Interrupts(this, inbox);

  /// Null as long as none is installed.
  @Nullable TimerService timerService;

  /// Is shown each task that a call of the JDK blocks; null most of the time.
  private @Nullable Consumer<? super TaskCore<?>> blockedObserver;

  /// Whether others use our thread while we sleep.
  private boolean lends;

  final LoopRest rest;

  /// How many turns to go until the next look at the clock; zero if it comes before the next turn.
  private int turnsLeft;

  /// Whether one of the driving methods is on the stack.
  private boolean driven;

  private boolean closing;

  Loop(Scheduler scheduler, Settings settings) {
    super(settings);
    this.scheduler = scheduler;
    this.helpers = usesHelpers ? new HelperThreads(this) : null;
    this.ticker = settings.ticker();
    this.addOnsFirst = settings.addOnsFirst();
    this.mountedTask = new MountedTask(this, settings.residentTask() && backend.canHost());
    this.idleStrategy = new ParkingIdleStrategy(thread, ticker);
    this.roundNanos = ticker.read();
    this.idleTasks = new IdleTasks(roundNanos);
    this.rest = new LoopRest(inbox, tasks, idleTasks, cycles, ticker);
    this.view = new ObservedLoop(this);
    observers(Instruments.open(settings.instruments(), view, this, failures));
  }

  // The loop.

  /// Gives tasks their turns until a run is over. There is no other loop.
  void run(Run run) {
    while (true) {
      if (--turnsLeft < 0 && (passInterval.turnsToPass == 0 || isTimeForPass()) && !run.pass()) {
        return;
      }
      TaskCore<?> task = tasks.first();
      if (task != null) {
        if (!run.turn(task)) {
          return;
        }
      } else if (!tasks.noneIsReady()) {
        if (!run.turn(tasks, tasks.firstLazy())) {
          return;
        }
      } else if (!awaitWork()) {
        run.ranDry();
        return;
      }
    }
  }

  /// Gives turns to a task and to those behind it, until the loop has to look at something. A loop
  /// of its own because it is small: that of a run, which has more to decide, keeps fewer values in
  /// registers.
  void turns(TaskCore<?> first) {
    succession.open(letsSucceed());
    turn(first);
    TaskCore<?> task;
    while (turnsLeft > 0 && (task = tasks.first()) != null) {
      turnsLeft--;
      turn(task);
    }
  }

  /// See [Succession#begin].
  boolean beginInSuccession(StackfulTask<?> task) {
    return succession.begin(task);
  }

  /// The task whose turn is next, if that is its first, and nothing comes in between; null if not.
  @Nullable StackfulTask<?> nextToBegin() {
    if (turnsLeft > 0 && tasks.first() instanceof StackfulTask<?> next && next.coroutine == null) {
      turnsLeft--;
      return next;
    }
    return null;
  }

  /// What is done between turns every now and then: takes note of other threads, of the clock, and
  /// of idling add-ons.
  void pass() {
    interrupts.beginPass();
    idleStrategy.pass();
    long delivering = inbox.isEmpty() ? 0 : deliveries.deliverSome();
    interrupts.afterDeliveries();
    long now = ticker.read();
    long inTurns = now - roundNanos - delivering;
    roundNanos = now;
    int served = idleTasks.serve(now, tasks, inbox);
    cycles.look(now);
    turnsLeft = passInterval.begin(inTurns, served, idleTasks.nanosLeft(now));
  }

  /// Looks at the clock, before the interval between two passes is over.
  ///
  /// @return whether a pass has to come before the next turn
  private boolean isTimeForPass() {
    long now = ticker.read();
    turnsLeft = passInterval.lookAgain(now - roundNanos, idleTasks.nanosLeft(now));
    return turnsLeft == PassInterval.NOW;
  }

  /// A deadline has changed: the next look at the clock comes as soon as it may.
  private void lookSoon() {
    turnsLeft = passInterval.sooner(turnsLeft);
    rest.stir();
  }

  @Override
  void passSoon() {
    turnsLeft = 0;
    passInterval.end();
  }

  /// Nothing is ready: sleeps until something may be, if anything ever can.
  ///
  /// @return false if nothing can
  private boolean awaitWork() {
    turnsLeft = 0;
    passInterval.end(); // whatever comes of this, a pass comes next
    if (deliveries.stalled > 0) {
      deliveries.awaitPoster();
      return true;
    }
    if (tasks.working == 0 && !closing) {
      return true; // the last has just been ended from outside: the pass decides
    }
    if (idleTasks.isEmpty() && !externalWork.isPossible()) {
      return !inbox.isEmpty();
    }
    if (!deliveries.isMoreComing() && inbox.mayFallAsleep()) {
      rest.sleep(idleStrategy, lends);
      roundNanos = ticker.read();
      idleTasks.awake(roundNanos);
    }
    return true;
  }

  /// Whether a task, a failure or another thread has asked this run to end.
  boolean mustEnd() {
    return isCutShort() || inbox.isStopRequested();
  }

  /// Whether a task has halted this run, or a failure ends it.
  boolean isCutShort() {
    return halted || failures.fatal != null;
  }

  /// @throws DeadlockException if working tasks are left: nothing is ready, and nothing can be
  void requireNoDeadlock() {
    if (tasks.working > 0) {
      DeadlockException deadlock = Deadlocks.of(tasks.listWithoutAddOns(), roundNanos);
      failures.suppressAddOnsIn(deadlock);
      throw deadlock;
    }
  }

  /// Whether there is anything to go on for.
  boolean hasWork() {
    return tasks.working > 0 || !inbox.isEmpty();
  }

  int readyCount() {
    return tasks.readyCount();
  }

  /// The first failure that is the loop's and not a task's comes out of the run.
  void failed(Throwable failure) {
    failures.takeFatal(failure);
    passSoon();
  }

  /// See [Interrupts#note].
  void noteInterrupt() {
    interrupts.note();
  }

  @Override
  void interruptedInTurn(@Nullable TaskCore<?> task) {
    interrupts.inTurn(task);
  }

  /// Something has changed, on our own thread. If the loop sleeps, others use the thread, and it
  /// has to make a pass.
  void stir() {
    rest.stir();
  }

  void idleStrategy(IdleStrategy replacement) {
    idleStrategy = replacement;
    lends = replacement.lendsThread();
    passInterval.alwaysOne(lends);
    passSoon();
  }

  // A run begins and ends.

  /// @param call the method that begins it
  void beginRun(String call) {
    beginTurns(call);
    rest.end();
    driven = true;
    current.begin();
  }

  void endRun() {
    endTurns();
    succession.end();
    mountedTask.close();
    driven = false;
    current.end();
    interrupts.passOn();
  }

  /// Whether one of the driving methods is on the stack. Any thread, as far as that can see.
  boolean isDriven() {
    return driven;
  }

  /// The loop on whose task's stack this one runs; null if there is none.
  @Nullable Loop below() {
    return current.below();
  }

  /// Has an interrupt from outside end this run.
  void endAtInterrupt() {
    interrupts.endRun();
  }

  /// Lets a task of this run stay mounted.
  void openMountedTask() {
    if (!lends) {
      mountedTask.open();
    }
  }

  /// Cancels every task of a kind, the youngest first.
  ///
  /// @param addOns whether the tasks of add-ons, or the others
  void cancelYoungestFirst(String reason, boolean addOns) {
    CancelRequest all = CancelRequest.here("the scheduler", reason, callerName());
    for (TaskCore<?> task : tasks.list().reversed()) {
      if (task.addOn == addOns) {
        if (!task.cancelHere(all.of(task))) {
          task.applyCancel(); // it was cancelled before, and may have been taken out since
        }
        if (tasks.isReady(task) && !isRunning(task)) {
          tasks.remove(task); // one that receives it at a yield has its turn in this order too
          tasks.addLast(task);
        }
      }
    }
  }

  /// From now on no task begins.
  void beginToClose() {
    closing = true;
    unbegun().endAll();
  }

  boolean isClosing() {
    return closing;
  }

  // Mounted and blocked tasks.

  /// Runs above the frames of a task that was just parked, if that is allowed.
  ///
  /// @return whether the task has its turn again; if not, it has to leave its coroutine
  boolean goOnUpon(StackfulTask<?> task) {
    return mountedTask.goOnUpon(task);
  }

  boolean isMounted(TaskCore<?> task) {
    return mountedTask.isMounted(task);
  }

  /// A call of the JDK blocks a task on its own thread.
  void blocked(TaskCore<?> task) {
    externalWork.waitBegun();
    obscure(false); // what obscures the loop and is blocked with it obscures no others
    if (blockedObserver != null) {
      blockedObserver.accept(task);
    }
  }

  /// That call is over.
  void unblocked() {
    externalWork.waitEnded();
  }

  /// @param observer is shown each task that a call of the JDK blocks from now on
  void observeBlocked(Consumer<? super TaskCore<?>> observer) {
    blockedObserver = observer;
  }

  /// A task begins to run on a thread of its own.
  void enter(TaskCore<?> task) {
    current.enter();
    beginContext(task);
  }

  /// A helper thread begins to run.
  void enterHelper() {
    current.enter();
  }

  @Override
  void apart(Supplier<String> what, Runnable code) {
    HelperThreads all = helpers;
    if (all == null || all.isClosed() || !isHere() || !driven) {
      code.run();
      return;
    }
    HelperThread own = all.take();
    if (own.run(code, StepTaskCore.PATIENCE_NANOS)) {
      all.giveBack(own);
    } else {
      StepTaskCore.adopt(this, what.get(), own);
    }
  }

  /// No task has a turn any more, and there is none that code on the loop's own thread could block.
  void closeHelpers() {
    if (helpers != null) {
      helpers.close();
    }
  }

  ExternalWork externalWork() {
    return externalWork;
  }

  // The ready queue.

  /// Puts a task into the ready queue; at the front means behind the running one.
  void enqueue(TaskCore<?> task, boolean front) {
    if (!front && !(addOnsFirst && task.addOn)) {
      tasks.addLast(task);
    } else {
      tasks.addFirst(task, runningTask());
    }
    if (idleTasks.hasWatchers && !task.watching) {
      idleTasks.wakeWatchers();
    }
    if (rest.lent) {
      rest.stir();
    }
  }

  @Override
  void entryJoined() {
    if (idleTasks.hasWatchers) {
      idleTasks.wakeWatchers();
    }
    stir();
  }

  /// The same for all tasks of a chain at once.
  void enqueue(WaitChain chain, boolean front) {
    if (observers != null) {
      observers.woken(chain);
    }
    if (front) {
      tasks.addFirst(chain, runningTask());
    } else {
      tasks.addLast(chain);
    }
    entryJoined();
  }

  /// A task begins a wait that may close a circle.
  void suspect(TaskCore<?> task, Deadlocks.Closes closes) {
    cycles.suspect(task, closes, roundNanos);
  }

  /// See [CycleWatch#report].
  void reportCircle(TaskCore<?> task, Waitable<?> awaited, DeadlockException found) {
    cycles.report(task, awaited, found);
  }

  // Idling.

  void idle(TaskCore<?> task) {
    idleTasks.add(task);
  }

  void idleUntil(TaskCore<?> task, long deadlineNanos) {
    idleTasks.add(task, deadlineNanos);
    lookSoon();
  }

  /// A task that idles gets another deadline.
  void moveDeadline(TaskCore<?> task, long deadlineNanos) {
    idleTasks.move(task, deadlineNanos);
    lookSoon();
  }

  void watchUntil(TaskCore<?> task, long deadlineNanos) {
    idleTasks.addWatcher(task, deadlineNanos);
    lookSoon();
  }

  void stopIdling(TaskCore<?> task) {
    idleTasks.remove(task);
  }

  // Tasks come and go.

  @Override
  void lastHasEnded() {
    passSoon();
    stir();
  }

  /// A task has failed.
  void failed(TaskCore<?> task, Throwable failure, boolean observed) {
    if (failures.take(task, failure, observed)) {
      passSoon();
    }
  }

  /// Tells the failure handler, on its thread. Any thread.
  void report(String where, Throwable failure) {
    if (isCaller()) {
      failures.report(where, failure);
      return;
    }
    boolean taken =
        inbox.post(
            new Inbox.Entry() {
              @Override
              void deliver() {
                failures.report(where, failure);
              }
            });
    if (!taken) {
      Failures.log(where, failure);
    }
  }

  /// Has the loop do something between turns. Any thread.
  ///
  /// @return false if the scheduler is closed
  boolean post(Inbox.Entry entry) {
    return inbox.post(entry);
  }

  /// The same for code of users.
  boolean postAction(Runnable action) {
    return inbox.postAction(action);
  }

  // Time.

  long nowNanos() {
    return ticker.read();
  }

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

  /// Arms a timer that far from now; none if that is for ever.
  TimerHandle after(long nanos, Runnable action) {
    TimerService keeper = requireTimerService();
    return nanos == Durations.FOREVER_NANOS ? () -> true : keeper.at(deadlineAfter(nanos), action);
  }

  /// Whether no turn comes any more.
  boolean isClosed() {
    return inbox.isClosed();
  }
}
