package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.BlockingStrategy;
import dev.rondo.scheduler.internal.TurnRunner;
import dev.rondo.scheduler.internal.WaitClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The loop of a scheduler. It gives tasks their turns, does the work that is due between turns,
/// and sleeps when no task is ready.
///
/// One *turn* is one call of [TaskCore#turn()]. After a number of turns there is a *pass*. In a
/// pass, the [Run] first decides whether it is over. If it is not, the loop empties the inbox,
/// reads the clock, and gives idling add-ons their turn if they are due. The number of turns
/// between two passes adapts to the length of the turns, so that passes are cheap and yet frequent.
/// While a deadline is near, the loop also *looks* at the clock after each turn. It makes a pass at
/// once if the deadline has come or if turns have become long. So a deadline is noticed at the end
/// of the current turn. When no task is ready, the loop sleeps in the [IdleStrategy].
///
/// A task refers to its loop and to no other part of its scheduler. There may be a million tasks,
/// so each reference counts.
///
/// Every field but the inbox is confined to the scheduler's thread. On backends where tasks have
/// threads, that is the thread of the task that has the turn.
public final class Loop extends Turns {

  /// The number of the last loop that was made.
  private static final AtomicLong NUMBERS = new AtomicLong();

  public final long number = NUMBERS.incrementAndGet();
  public final Scheduler scheduler;
  public final Ticker ticker;
  private final CurrentLoop current = new CurrentLoop(this);
  private final Succession succession = new Succession(this);

  private final IdleTasks<TaskCore<?>> idleTasks;

  /// Counts the work that other threads may still do.
  public final ExternalWork externalWork = new ExternalWork();

  /// The objects that rooms keep for this loop, by class.
  private final Map<Class<?>, Object> kept = new HashMap<>();

  /// Whether add-ons have precedence over other tasks.
  private final boolean addOnsFirst;

  private final PassInterval passInterval = new PassInterval();

  /// Determines how the loop sleeps. Replaced by [#idleStrategy(IdleStrategy)].
  public IdleStrategy idleStrategy;

  final Inbox inbox = new Inbox(() -> idleStrategy.wakeup());
  final Deliveries deliveries = new Deliveries(this, inbox, failures);

  /// Null as long as no timer service is installed.
  public @Nullable TimerService timerService;

  /// Receives each task that a call of the JDK blocks; null unless a shutdown is under way.
  private @Nullable Consumer<? super TaskCore<?>> blockedObserver;

  /// Whether other code uses the loop's thread while the loop sleeps, see
  /// [IdleStrategy#lendsThread()].
  private boolean lends;

  /// Whether other code uses the loop's thread now. Changes by that code have to end the rest.
  private boolean lent;

  /// Watches the waits that may close a cycle; null if there was no such wait. It may have to be
  /// called while no task is ready.
  private Rooms.@Nullable Watch cycles;

  /// The number of turns until the next look at the clock; zero if the look comes before the next
  /// turn.
  private int turnsLeft;

  /// Whether a method of the [Driver] is on the stack.
  private boolean driven;

  private boolean closing;

  Loop(Scheduler scheduler, Settings settings) {
    super(settings);
    this.scheduler = scheduler;
    this.ticker = settings.ticker();
    this.addOnsFirst = settings.addOnsFirst();
    this.idleStrategy = Rooms.all().idleStrategy(thread, ticker);
    this.passNanos = ticker.read();
    this.idleTasks = new IdleTasks<>(passNanos);
  }

  // The loop.

  /// Gives tasks their turns until a run is over.
  public void run(Run run) {
    while (true) {
      // At a look at the clock a pass may be due. The last look of an interval is the pass itself.
      if (--turnsLeft < 0 && (passInterval.turnsToPass == 0 || isTimeForPass()) && !run.pass()) {
        return;
      }
      ReadyEntry next = tasks.first();
      if (next == null ? !awaitWork() && !run.findsMoreWork() : !run.turn(next)) {
        return;
      }
    }
  }

  /// The short way from one turn to the next: gives turns to an entry and to the entries behind it,
  /// until the loop has something else to decide. This method is separate from [#run] because the
  /// JIT compiler keeps more values in registers in a small loop.
  void turns(ReadyEntry first) {
    succession.open = isLazy;
    turn(first);
    ReadyEntry next;
    while (turnsLeft > 0 && (next = tasks.first()) != null) {
      turnsLeft--;
      turn(next);
    }
    succession.open = false;
  }

  /// Whether the next turn may begin on the stack of the turn that ends, see [Succession]. If so,
  /// the turn counts as given.
  public boolean passesTurnOn() {
    return succession.open && !thread.isInterrupted() && takeTurn();
  }

  /// Whether nothing is due before the next turn. If so, the turn counts as given.
  boolean takeTurn() {
    if (turnsLeft > 0) {
      turnsLeft--;
      return true;
    }
    boolean nothingDue = passInterval.turnsToPass > 0 && !isTimeForPass();
    if (!nothingDue) {
      passSoon();
    }
    return nothingDue;
  }

  /// See [Succession#begin].
  boolean beginInSuccession(StackfulTask<?> task) {
    return succession.begin(task);
  }

  /// The task whose turn is next, if it has a stack or will have one, and nothing is due before
  /// that turn; null otherwise. The turn counts as given.
  @Nullable StackfulTask<?> nextStackful() {
    return tasks.first() instanceof StackfulTask<?> next && takeTurn() ? next : null;
  }

  /// One pass: delivers what other threads have posted, reads the clock, and serves idling add-ons.
  ///
  /// @return whether tasks other than daemons are left, or another thread has posted an element
  public boolean pass() {
    if (interrupts != null) {
      interrupts.beginPass(); // first: an interrupt that came meanwhile is from outside
    }
    idleStrategy.pass();
    long delivering = 0;
    boolean posted = !inbox.isEmpty();
    if (posted) {
      delivering = deliveries.deliverSome();
      if (interrupts != null) {
        interrupts.afterDeliveries();
      }
      posted = !inbox.isEmpty();
    }
    long now = ticker.read();
    long inTurns = now - passNanos - delivering;
    passNanos = now;
    List<TaskCore<?>> due = idleTasks.serve(now, posted || !tasks.noneIsReady());
    int served = due.size();
    for (int i = served - 1; i >= 0; i--) { // each goes to the front: the first one last
      TaskCore<?> task = due.get(i);
      task.wakeFromIdling();
    }
    due.clear();
    if (cycles != null) {
      cycles.look(now);
    }
    turnsLeft = passInterval.begin(inTurns, served, idleTasks.nanosLeft(now));
    return tasks.working > 0 || !inbox.isEmpty();
  }

  private void wakeWatchers() {
    for (TaskCore<?> watcher; (watcher = idleTasks.watcher) != null; ) {
      watcher.becomeReady(Place.BACK); // which removes it there
    }
  }

  /// Looks at the clock in the middle of the interval between two passes.
  ///
  /// @return whether a pass has to come before the next turn
  private boolean isTimeForPass() {
    long now = ticker.read();
    turnsLeft = passInterval.lookAgain(now - passNanos, idleTasks.nanosLeft(now));
    return turnsLeft == PassInterval.NOW;
  }

  /// Called when a deadline has changed: the next look at the clock comes as soon as possible.
  private void lookSoon() {
    turnsLeft = passInterval.sooner(turnsLeft);
    if (lent) {
      inbox.wakeIfAsleep();
    }
  }

  @Override
  public void passSoon() {
    turnsLeft = 0;
    passInterval.end();
  }

  /// Called when no task is ready. Sleeps until a task may be ready, if any can become ready.
  ///
  /// @return false if no task can become ready any more
  private boolean awaitWork() {
    turnsLeft = 0;
    passInterval.end(); // in each case a pass comes next
    if (tasks.working == 0 && !closing) {
      return true; // another thread has just ended the last wait: the pass decides
    }
    if (idleTasks.isEmpty() && !externalWork.isPossible()) {
      return !inbox.isEmpty(); // no task idles, no thread may come: only posts count
    }
    if (!deliveries.isMoreComing() && inbox.tryFallAsleep()) {
      sleep();
      passNanos = ticker.read();
      idleTasks.intervalBeganNanos = passNanos;
    }
    return true;
  }

  /// Sleeps until a task may be ready. The caller has called [Inbox#tryFallAsleep()].
  private void sleep() {
    lent = lends;
    try {
      if (cycles != null && !cycles.isEmpty()) {
        long look = cycles.deadlineNanos();
        boolean sooner = idleTasks.timed && idleTasks.earliestNanos - look < 0;
        idleStrategy.idleUntil(sooner ? idleTasks.earliestNanos : look);
      } else if (idleTasks.timed) {
        idleStrategy.idleUntil(idleTasks.earliestNanos);
      } else {
        idleStrategy.idle();
      }
    } finally {
      lent = false;
      inbox.awake();
    }
  }

  /// Begins the rest between two runs, see [dev.rondo.scheduler.internal.LoopControl#rest()].
  ///
  /// @return the time until the loop has to run, in nanoseconds; 0 if a task is ready or an entry
  ///   has come
  public long beginRest() {
    ignoreStop();
    if (!tasks.noneIsReady() || !inbox.tryFallAsleep()) {
      return 0;
    }
    lent = true;
    long now = ticker.read();
    idleTasks.intervalBeganNanos = now;
    long nanos = idleTasks.nanosLeft(now);
    if (cycles != null && !cycles.isEmpty()) {
      nanos = Math.min(nanos, cycles.deadlineNanos() - now);
    }
    return Math.max(0, nanos);
  }

  /// Ends the scheduler while it rests: no further run begins, and nothing is delivered.
  public void abandon() {
    beginToClose();
    lent = false;
    inbox.discard();
  }

  /// Called on the loop's own thread when something has changed. If other code uses that thread
  /// while the loop sleeps or rests, the loop has to make a pass.
  void wakeIfLent() {
    if (lent) {
      inbox.wakeIfAsleep();
    }
  }

  /// Whether a task has halted this run, or a failure ends it.
  boolean isCutShort() {
    return halted || failures.fatal != null;
  }

  /// @throws DeadlockException if tasks other than daemons are left: none is ready, and none can
  ///   become ready
  void requireNoDeadlock() {
    if (tasks.working > 0) {
      RuntimeException deadlock =
          Rooms.all()
              .deadlock(tasks.listWithoutAddOns(), passNanos, externalWork.expectsShutdown());
      failures.suppressAddOnsIn(deadlock);
      throw deadlock;
    }
  }

  int readyCount() {
    return tasks.readyCount();
  }

  /// Takes a failure of the loop itself. The run throws the first such failure.
  void failed(Throwable failure) {
    failures.takeFatal(failure);
    passSoon();
  }

  public void idleStrategy(IdleStrategy replacement) {
    idleStrategy = replacement;
    lends = replacement.lendsThread();
    passInterval.alwaysOne(lends);
    passSoon();
  }

  // For rooms.

  /// Handles interrupts of the thread until the end of the run, including the present interrupt.
  public Rooms.Interrupts handleInterrupts() {
    Rooms.Interrupts own = Rooms.all().interrupts(this);
    interrupts = own;
    own.note();
    return own;
  }

  /// Forgets the requests to end the run.
  public void ignoreStop() {
    inbox.clearStopRequest();
  }

  /// Delivers the elements that were posted so far.
  public void deliverAll() {
    deliveries.deliverAll();
  }

  /// Delivers the elements that were posted, and refuses more. A fatal failure is reported, because
  /// there is no run that it could end.
  public void refuseAll() {
    deliveries.close();
    failures.reportFatal("a task while the scheduler closed");
  }

  /// Reports the failures that were held for other code.
  public void reportHeld() {
    failures.endHeld();
  }

  /// Asks the run to end. Any thread.
  public void requestStop() {
    inbox.requestStop();
  }

  /// A description of the posted action that is running; null if there is none. Any thread.
  public @Nullable String runningAction() {
    return deliveries.running();
  }

  /// {@return the object that a room keeps for this loop} The first call makes the object.
  ///
  /// @param type its class
  public <R> R room(Class<R> type, Supplier<? extends R> make) {
    return type.cast(kept.computeIfAbsent(type, any -> make.get()));
  }

  /// Whether the idle strategy runs a blocking call, see [BlockingStrategy#runsBlocking].
  public boolean runsBlocking(String name, Runnable call) {
    return idleStrategy instanceof BlockingStrategy strategy && strategy.runsBlocking(name, call);
  }

  // A run begins and ends.

  /// @param call the method that begins it
  void beginRun(String call) {
    beginTurns(call);
    if (lent) {
      lent = false;
      inbox.awake();
    }
    driven = true;
    current.begin();
  }

  void endRun() {
    endTurns();
    succession.end();
    driven = false;
    current.end();
    if (interrupts != null) {
      Rooms.Interrupts ended = interrupts;
      interrupts = null;
      ended.passOn();
    }
  }

  /// Whether a method of the [Driver] is on the stack. Any thread. A thread other than the loop's
  /// may see an old value.
  public boolean isDriven() {
    return driven;
  }

  /// The loop below this one: this loop runs on the stack of a task of that loop. Null if there is
  /// none.
  public @Nullable Loop below() {
    return current.below();
  }

  /// Prevents tasks from beginning from now on.
  public void beginToClose() {
    closing = true;
    ignoreStop();
    if (isBroken()) {
      tasks.relink();
    }
    failures.endHeld();
    endUnbegun();
  }

  public boolean isClosing() {
    return closing;
  }

  // Blocked tasks.

  /// Called when a call of the JDK blocks a task on its own thread.
  public void blocked(TaskCore<?> task) {
    externalWork.waitBegun();
    unhideFor(task); // the code for which the task is hidden is blocked, too
    if (blockedObserver != null) {
      blockedObserver.accept(task);
    }
  }

  /// Called when a call of the JDK that has blocked a task is over.
  void unblocked() {
    externalWork.waitEnded();
  }

  /// Adds an observer, which receives each task that a call of the JDK blocks from now on.
  public void observeBlocked(Consumer<? super TaskCore<?>> observer) {
    blockedObserver = observer;
  }

  /// Called when a task begins to run on a thread of its own.
  void enter(TaskCore<?> task) {
    current.enter();
    beginContext(task);
  }

  /// Called when other code of the loop begins to run on a thread of its own.
  public void enterThread() {
    current.enter();
  }

  /// Runs user code that is not a task, on a [TurnRunner] if there is one. If a call of the JDK
  /// blocks the code there, the code ends later, as a task.
  ///
  /// @param what the name of that task, if one is made
  public void runUserCode(Supplier<String> what, Runnable code) {
    TurnRunner own = runner;
    if (own == null || !isHere() || !driven) {
      code.run();
    } else {
      Rooms.all().runOutside(this, own, what, code);
    }
  }

  /// Prepares for the code of a part of another module, on backends where the loop's own thread
  /// must not load classes later.
  public void expect(Object part) {
    TurnRunner own = runner;
    if (own != null) {
      own.expect(part.getClass());
    }
  }

  /// No task has another turn, so from now on code may block the loop's own thread.
  public void closeRunner() {
    TurnRunner own = runner;
    if (own != null) {
      runner = null;
      own.close();
    }
  }

  // The ready queue.

  /// Puts a task into the ready queue. An add-on with precedence goes to the front in any case.
  void enqueue(TaskCore<?> task, Place place) {
    if (place == Place.BACK && !(addOnsFirst && task.isAddOn())) {
      tasks.addLast(task);
    } else {
      tasks.addFirst(task);
    }
    if (idleTasks.watcher != null && !StepTaskCore.isWatching(task)) {
      wakeWatchers();
    }
    if (lent) {
      inbox.wakeIfAsleep();
    }
  }

  /// Called when an entry that is not a task has joined the ready queue.
  public void entryJoined() {
    wakeWatchers();
    wakeIfLent();
  }

  /// Returns the object that watches the waits which may close a cycle.
  public Rooms.Watch cycles() {
    Rooms.Watch own = cycles;
    if (own == null) {
      own = Rooms.all().watch(this);
      cycles = own;
    }
    return own;
  }

  /// The task that has a slot; null if there is none.
  public @Nullable TaskCore<?> taskIn(int slot) {
    return tasks.slots[slot] instanceof TaskCore<?> task ? task : null;
  }

  // Idling.

  /// Makes a task idle until it is woken. The caller parks it.
  void idle(TaskCore<?> task) {
    idleTasks.add(task, false, 0, false);
  }

  /// Makes a task idle until an instant. The caller parks it.
  ///
  /// @param watches whether the task is also woken when another task becomes ready
  void idleUntil(TaskCore<?> task, long deadlineNanos, boolean watches) {
    idleTasks.add(task, true, deadlineNanos, watches);
    lookSoon();
  }

  /// Gives a task that idles another deadline.
  void moveDeadline(TaskCore<?> task, long deadlineNanos) {
    idleTasks.move(task, deadlineNanos);
    lookSoon();
  }

  /// Called when a task no longer idles.
  void stopIdling(TaskCore<?> task) {
    idleTasks.remove(task);
  }

  // Tasks come and go.

  @Override
  void lastHasEnded() {
    passSoon();
    wakeIfLent();
  }

  /// Passes a failure to the failure handler, on the handler's thread. Any thread.
  public void report(String where, Throwable failure) {
    if (isCaller()) {
      failures.report(where, failure);
    } else {
      deliveries.report(where, failure);
    }
  }

  /// [#report(String, Throwable)] of a failure that other code may still receive.
  public void report(String where, Throwable failure, BooleanSupplier received) {
    checkCaller();
    failures.hold(where, failure, received);
  }

  /// Posts an entry, which the loop delivers between two turns. Any thread.
  ///
  /// @return false if the scheduler is closed
  boolean post(Inbox.Entry entry) {
    return inbox.post(entry);
  }

  /// [#post(Inbox.Entry)] for a room. Any thread.
  ///
  /// @return false if the scheduler is closed
  public boolean postChange(Runnable change) {
    return post(change::run);
  }

  /// Posts user code. The engine's own actions use [#post(Inbox.Entry)]. Any thread.
  ///
  /// @return false if the scheduler is closed
  boolean postAction(Runnable action) {
    return inbox.post(action);
  }

  /// See [Deliveries#deliverPromised].
  void deliverPromised(WaitClaim claim) {
    deliveries.deliverPromised(claim);
  }

  // Time.

  public long nowNanos() {
    return ticker.read();
  }

  public long deadlineAfter(long nanos) {
    return ticker.read() + nanos;
  }

  public TimerService requireTimerService() {
    if (timerService == null) {
      throw new IllegalStateException(
          "a timeout needs a timer, and this scheduler has none: install the time add-on with"
              + " WaitForTime.on(scheduler), or use Application, which has it");
    }
    return timerService;
  }

  /// Arms a timer; does nothing if the time means for ever.
  TimerHandle after(long nanos, Runnable action) {
    TimerService timers = requireTimerService();
    return nanos == Durations.FOREVER_NANOS ? () -> true : timers.at(deadlineAfter(nanos), action);
  }

  /// Whether no task will have another turn.
  boolean isClosed() {
    return inbox.isClosed();
  }
}
