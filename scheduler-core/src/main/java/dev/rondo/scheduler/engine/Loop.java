package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.TurnRunner;
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
/// A *turn* is the time in which one task runs. The loop gives it by [ReadyQueue.Entry#turn]; a
/// room may give further turns within that call. After a number of turns there is a *pass*. In a
/// pass, the [Run] first decides whether it is over. If it is not, the loop delivers elements of
/// the inbox, reads the clock, and makes the idle tasks ready that are due. The number of turns
/// between two passes adapts to the length of the turns, so that passes are cheap and yet frequent.
/// While a deadline is near, the loop also *looks* at the clock after each turn. It makes a pass at
/// once if the deadline has come or if turns have become long. So a deadline is noticed at the end
/// of the current turn. When no task is ready, the loop sleeps in the [IdleStrategy].
///
/// A task refers to its loop and to no other part of its scheduler. There may be a million tasks,
/// so each reference counts.
///
/// Except where a comment says otherwise, a field that changes is confined to the scheduler's
/// thread. On backends where tasks have threads, that is the thread of the task that has the turn.
public final class Loop extends Turns {

  /// One run of the loop. It decides before each turn, and in each pass, whether the loop
  /// continues.
  public abstract static class Run {

    /// Called when a pass is due. Makes the pass, see [Loop#pass()], unless the run is over.
    ///
    /// @return whether the run goes on
    public abstract boolean pass();

    /// Gives an entry of the ready queue its turn, see [Loop#turn(ReadyQueue.Entry)], unless the
    /// run is over.
    ///
    /// @return whether the run goes on
    public abstract boolean turn(ReadyQueue.Entry entry);

    /// Called when no task is ready and none can become ready.
    ///
    /// @return whether the run continues, because this call has made a task ready. False by default
    boolean findsMoreWork() {
      return false;
    }
  }

  private static final ThreadLocal<@Nullable Loop> CURRENT = new ThreadLocal<>();

  /// The most elements that one pass delivers.
  private static final int MOST_PER_PASS = 1_024;

  /// The time after which a pass leaves the rest to the next pass.
  private static final long LONGEST_NANOS = 50_000;

  /// The most elements that are delivered between two looks at the clock. The number begins with
  /// one, and doubles while deliveries are short.
  private static final int MOST_PER_LOOK = 64;

  /// The number of the last loop that was made.
  private static final AtomicLong NUMBERS = new AtomicLong();

  public final long number = NUMBERS.incrementAndGet();
  public final Scheduler scheduler;
  public final Ticker ticker;

  /// The loop below this one: this loop runs on the stack of a task of that loop. Null if there is
  /// none.
  private @Nullable Loop below;

  /// Whether the running task of that loop was hidden already when this loop began to run.
  private boolean wasHiddenBelow;

  /// Lets tasks share a coroutine; null before the first turn in which a task may, see [#sharing].
  private Rooms.@Nullable FirstTurns firstTurns;

  /// Whether tasks may share a coroutine in the turns that this loop gives now.
  private boolean sharing;

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

  final Inbox inbox;

  /// The posted action that is running. Other threads may see an old value.
  private @Nullable Runnable runningAction;

  /// Null as long as no timer service is installed.
  public @Nullable TimerService timerService;

  /// Receives each task that a call of the JDK blocks; null unless a shutdown is under way.
  public @Nullable Consumer<? super TaskCore<?>> blockedObserver;

  /// Whether other code uses the loop's thread while the loop sleeps, see
  /// [IdleStrategy#lendsThread()].
  private boolean lends;

  /// Whether other code uses the loop's thread now. Changes by that code have to end the rest.
  private boolean lent;

  /// Watches the waits that may close a cycle; null if there was no such wait. The loop wakes from
  /// its sleep to call it, see [Rooms.Watch#deadlineNanos()].
  private Rooms.@Nullable Watch cycles;

  /// The number of turns until the next look at the clock; zero if the look comes before the next
  /// turn.
  private int turnsLeft;

  /// Whether a run is on the stack. Other threads may see an old value.
  private boolean driven;

  private boolean closing;

  Loop(Scheduler scheduler, Settings settings) {
    super(settings);
    this.scheduler = scheduler;
    this.ticker = settings.ticker();
    this.inbox = new Inbox(() -> idleStrategy.wakeup(), this::runPosted);
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
      ReadyQueue.Entry next = tasks.first();
      if (next == null ? !awaitWork() && !run.findsMoreWork() : !run.turn(next)) {
        return;
      }
    }
  }

  /// The short way from one turn to the next: gives turns to an entry and to the entries behind it,
  /// until the loop has something else to decide. This method is separate from [#run] because the
  /// JIT compiler keeps more values in registers in a small loop.
  void turns(ReadyQueue.Entry first) {
    sharing = isLazy;
    turn(first);
    ReadyQueue.Entry next;
    while (turnsLeft > 0 && (next = tasks.first()) != null) {
      turnsLeft--;
      turn(next);
    }
    sharing = false;
  }

  /// Whether the next turn may begin on the stack of the turn that ends, see [Rooms.FirstTurns]. If
  /// so, the turn counts as given.
  public boolean passesTurnOn() {
    return sharing && !thread.isInterrupted() && takeTurn();
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

  /// Gives a task its first turn, on a coroutine that the tasks behind it may share.
  ///
  /// @return false if no task may; the caller then gives the turn
  boolean beginInSuccession(StackfulTask<?> task) {
    if (!sharing) {
      return false;
    }
    Rooms.FirstTurns own = firstTurns;
    if (own == null) {
      own = Rooms.all().firstTurns(this);
      firstTurns = own;
    }
    own.begin(task);
    return true;
  }

  /// The task whose turn is next, if it has a stack or will have one, and nothing is due before
  /// that turn; null otherwise. The turn counts as given.
  public @Nullable StackfulTask<?> nextStackful() {
    return tasks.first() instanceof StackfulTask<?> next && takeTurn() ? next : null;
  }

  /// One pass: delivers what was posted, reads the clock, and makes the idle tasks ready that are
  /// due.
  ///
  /// @return whether tasks other than daemons are left, or elements of the inbox
  public boolean pass() {
    if (interrupts != null) {
      interrupts.beginPass(); // first: an interrupt that came meanwhile is from outside
    }
    idleStrategy.pass();
    long delivering = 0;
    boolean posted = !inbox.isEmpty();
    if (posted) {
      delivering = deliverSome();
      if (interrupts != null) {
        interrupts.afterDeliveries();
      }
      if (isBroken()) {
        breakDown("a posted action");
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
    if (!inbox.isMoreComing() && inbox.tryFallAsleep()) {
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

  /// Begins the rest between two runs, see [dev.rondo.scheduler.internal.rooms.LoopControl#rest()].
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

  /// Ends the rest of a scheduler that is closed: nothing is delivered.
  public void abandon() {
    lent = false;
    inbox.discard();
  }

  /// Called on the loop's own thread when something has changed. If other code uses that thread
  /// while the loop sleeps or rests, the loop has to make a pass.
  public void wakeIfLent() {
    if (lent) {
      inbox.wakeIfAsleep();
    }
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
    boolean _ = inbox.takeStopRequest();
  }

  /// Delivers the elements that were posted, and refuses more. A fatal failure is reported, because
  /// there is no run that it could end.
  public void refuseAll() {
    inbox.close();
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

  /// A description of the posted action that is running; null if there is none. Any thread. A
  /// thread other than the loop's may see an old value.
  public @Nullable String runningAction() {
    Runnable action = runningAction;
    return action == null ? null : describe(action);
  }

  /// {@return the object that a room keeps for this loop} The first call makes the object.
  ///
  /// @param type its class
  public <R> R room(Class<R> type, Supplier<? extends R> make) {
    return type.cast(kept.computeIfAbsent(type, any -> make.get()));
  }

  // A run begins and ends.

  /// @param call the method that begins it
  void beginRun(String call) {
    if (debug != null) {
      debug.beforeDriving(call);
    }
    halted = false;
    if (lent) {
      lent = false;
      inbox.awake();
    }
    driven = true;
    below = CURRENT.get();
    if (below != null) {
      wasHiddenBelow = below.hideCurrentTask();
    }
    CURRENT.set(this);
  }

  void endRun() {
    endTurns();
    sharing = false;
    driven = false;
    Loop outer = below;
    below = null;
    if (outer != null) {
      outer.restoreCurrentTask(wasHiddenBelow);
    }
    CURRENT.set(outer); // not remove(): a step of a single turn would pay for a new entry
    if (interrupts != null) {
      Rooms.Interrupts ended = interrupts;
      interrupts = null;
      ended.passOn();
    }
  }

  /// Whether a run is on the stack: a method of the [Driver], or the end of the scheduler. Any
  /// thread. A thread other than the loop's may see an old value.
  public boolean isDriven() {
    return driven;
  }

  /// The loop below this one: this loop runs on the stack of a task of that loop. Null if there is
  /// none.
  public @Nullable Loop below() {
    return below;
  }

  /// {@return the loop that runs on the calling thread; null if there is none}
  public static @Nullable Loop current() {
    return CURRENT.get();
  }

  /// {@return the task that has the turn on the calling thread; null if there is none}
  public static @Nullable TaskCore<?> taskOfThread() {
    Loop running = CURRENT.get();
    return running == null ? null : running.runningTask();
  }

  /// Prevents tasks from beginning from now on.
  public void beginToClose() {
    closing = true;
    ignoreStop();
    if (isBroken()) {
      tasks.relink();
    }
    failures.endHeld();
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

  /// Called when a task begins to run on a thread of its own.
  void enter(TaskCore<?> task) {
    enterThread();
    if (contexts != null) {
      contexts.begin(task);
    }
  }

  /// Called when code of the loop begins to run on a thread other than the loop's own.
  public void enterThread() {
    CURRENT.set(this);
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

  // The ready queue.

  /// Puts a task into the ready queue. An add-on with precedence goes to the front in any case.
  void enqueue(TaskCore<?> task, Place place) {
    if (place == Place.BACK && !(addOnsFirst && task.isAddOn())) {
      tasks.addLast(task);
    } else {
      tasks.addFirst(task);
    }
    if (idleTasks.watcher != null && !task.isWatching()) {
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
  public void lastHasEnded() {
    passSoon();
    wakeIfLent();
  }

  /// Passes a failure to the failure handler, on the handler's thread. Any thread.
  public void report(String where, Throwable failure) {
    if (isCaller()) {
      failures.report(where, failure);
    } else if (!post(() -> failures.report(where, failure))) {
      Failures.log(where, failure);
    }
  }

  /// [#report(String, Throwable)] of a failure that other code may still receive.
  public void report(String where, Throwable failure, BooleanSupplier received) {
    checkCaller();
    failures.hold(where, failure, received);
  }

  // Posts.

  /// Posts an action of the engine, which the loop runs between two turns. Any thread.
  ///
  /// @return false if the scheduler is closed
  public boolean post(Inbox.Entry entry) {
    return inbox.post(entry);
  }

  /// Delivers for some time the elements that were posted before this pass.
  ///
  /// @return the time that this took, in nanoseconds
  private long deliverSome() {
    long begin = ticker.read();
    int left = inbox.count(MOST_PER_PASS);
    int most = 1;
    while (deliver(most) && (left -= most) > 0 && ticker.read() - begin < LONGEST_NANOS) {
      most = Math.min(Math.min(most << 1, MOST_PER_LOOK), left);
    }
    return ticker.read() - begin;
  }

  /// Delivers the elements that were posted so far.
  public void deliverAll() {
    boolean _ = deliver(inbox.count(Integer.MAX_VALUE));
  }

  /// Delivers some elements. For the hooks, these are one turn.
  ///
  /// @return whether there may be more
  private boolean deliver(int most) {
    Rooms.TurnHooks own = hooks;
    if (own == null) {
      return inbox.deliver(most);
    }
    own.actionsBegin();
    try {
      return inbox.deliver(most);
    } finally {
      own.actionsEnd();
    }
  }

  /// Runs a posted action of the program.
  private void runPosted(Runnable action) {
    if (runner == null) {
      runHere(action);
    } else {
      runUserCode(() -> describe(action), () -> runHere(action));
    }
  }

  private void runHere(Runnable action) {
    runningAction = action;
    try {
      action.run();
    } catch (Throwable e) {
      failures.takeOfAction(describe(action), e);
    } finally {
      runningAction = null;
    }
  }

  /// Describes an action for reports. Does not call the code of the action, which may fail.
  private static String describe(Runnable action) {
    return "posted " + action.getClass().getName();
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
  public TimerHandle after(long nanos, Runnable action) {
    TimerService timers = requireTimerService();
    return nanos == Durations.FOREVER_NANOS ? () -> true : timers.at(deadlineAfter(nanos), action);
  }

  /// Whether no task will have another turn.
  boolean isClosed() {
    return inbox.isClosed();
  }
}
