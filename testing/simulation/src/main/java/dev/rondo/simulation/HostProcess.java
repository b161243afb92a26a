package dev.rondo.simulation;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.application.LoopStarter;
import dev.rondo.application.internal.ChanceOfWorld;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.internal.rooms.BlockingStrategy;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.simulation.internal.threads.ThreadBackend;
import dev.rondo.simulation.internal.world.HeldMonitors;
import dev.rondo.simulation.internal.world.HostLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A loop of the program of a host from its start to its end: an application that the [WorldDriver]
/// steps. The first one is there as long as the program; it and all others can start more.
///
/// Confined to the world's thread, except [#wakeup()].
final class HostProcess implements BlockingStrategy, LoopStarter, ChanceOfWorld {

  private static final long RUNNING = -1;

  private final WorldHost host;
  private final WorldDriver driver;
  private final Application application;
  private final Scheduler scheduler;
  private final AddOnHost addOns;
  private @Nullable EventSource events;

  /// The backend if its tasks are the threads of a program; null otherwise.
  private final @Nullable ThreadBackend threads;

  /// The loop that it runs; null for the first one of the host.
  private @Nullable HostLoop loop;

  /// Whether it is in the driver's list of ready processes.
  boolean ready;

  /// The number of the wait that the driver wakes it from.
  long rest;

  private boolean paused;
  private boolean dead;

  /// Whether its tasks have been asked to end.
  private @Nullable CompletableFuture<List<TaskInfo>> end;

  /// Until when its clean-up may wait while it is closed; none while it runs.
  private long closingLimit = RUNNING;

  HostProcess(WorldHost host, WorldDriver driver, Application application) {
    this.host = host;
    this.driver = driver;
    this.application = application;
    this.scheduler = application.scheduler();
    this.addOns = scheduler.host();
    addOns.idleStrategy(this);
    var _ = host.simulated().installOn(scheduler);
    this.threads = LoopControl.of(addOns).backend() instanceof ThreadBackend own ? own : null;
    if (threads != null) {
      threads.begin(host.seatOf(application));
    }
  }

  WorldHost host() {
    return host;
  }

  Application application() {
    return application;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /// Whether it may have turns.
  boolean mayRun() {
    return !paused && !dead;
  }

  boolean isPaused() {
    return paused;
  }

  void paused(boolean on) {
    paused = on;
  }

  int externalWaits() {
    return LoopControl.of(addOns).externalWaits() - (threads == null ? 0 : threads.blockedCount());
  }

  /// Whether its tasks are the threads of a program, which end with the process only.
  boolean hasThreads() {
    return threads != null;
  }

  // The end.

  /// @throws UnsupportedOperationException if it cannot die
  void requireMortal() {
    CoroutineBackend backend = LoopControl.of(addOns).backend();
    if (!backend.canAbandon()) {
      throw new UnsupportedOperationException(
          "the backend %s cannot give up a task, which has a thread of its own; hosts that crash need CONTINUATION"
              .formatted(backend.name()));
    }
  }

  /// It is no more.
  void die() {
    dead = true;
    driver.forget(this);
    LoopControl.of(addOns).abandon();
    if (threads != null) {
      threads.end();
    }
  }

  /// Parks the calling task, which is its own and about to die. If that cannot be parked, it has
  /// the rest of its turn. So it has with a monitor, which it would keep for ever.
  void neverReturn() {
    if (scheduler.currentTask() == null
        || scheduler.currentTask() instanceof StepTask
        || (threads == null && HeldMonitors.any())) {
      return;
    }
    scheduler.shielded(() -> addOns.awaitEvent(Waitable.never()));
  }

  /// Asks its tasks to end, and cancels the rest.
  ///
  /// @param drain how long they may go on
  /// @param cleanUp how long cancelled ones may take to end
  void shutDown(Duration drain, Duration cleanUp) {
    paused = false;
    end = application.shutdown(drain, cleanUp);
    driver.makeReady(this);
  }

  /// The same with no time to go on.
  void shutDown(Duration cleanUp) {
    shutDown(Duration.ZERO, cleanUp);
  }

  /// Whether its program has a handler for a failure of its main method, which was called.
  boolean handles(Throwable failure) {
    return threads != null && threads.handles(failure);
  }

  /// Its main method has ended.
  void mainEnded() {
    if (threads != null && !dead) {
      threads.mainEnded();
    }
  }

  /// Asks its program, which has threads, to end.
  ///
  /// @param limit after which it is killed
  void terminate(Duration limit) {
    paused = false;
    if (threads != null) {
      threads.terminate(limit);
    }
    driver.makeReady(this);
  }

  /// Whether all tasks that [#shutDown(Duration, Duration)] has asked to end have ended.
  boolean isShutDown() {
    return end != null && end.isDone();
  }

  /// Closes the application.
  ///
  /// @param limit until when tasks may wait, an instant of the world
  void close(long limit) {
    driver.remove(this);
    closingLimit = limit;
    try {
      application.close();
    } finally {
      HostLoop own = loop;
      if (own != null) {
        ended();
        host.forget(this);
        own.closed();
      }
    }
  }

  /// It was closed, and is no more.
  void ended() {
    dead = true;
    driver.forget(this);
  }

  // Further loops.

  @Override
  public Runnable start(
      String name,
      ApplicationBuilder settings,
      Application.Main main,
      Consumer<? super @Nullable Throwable> whenEnded) {
    var started = new AtomicReference<@Nullable HostProcess>();
    driver.betweenTurns(() -> { // on the world's thread: a task may have one of its own
      if (!dead) {
        HostProcess made = host.start(settings);
        made.loop = new HostLoop(name, made.application, main, whenEnded);
        started.set(made);
        driver.makeReady(made);
      }
    });
    return () -> {
      HostProcess made = started.get();
      if (made != null && !made.dead) {
        made.close(closingLimit);
      }
    };
  }

  /// Whether it is the first loop of the host.
  boolean isFirst() {
    return loop == null;
  }

  /// What its tasks are doing, below a line with its name unless it is the first loop.
  String dump() {
    return belowName(application.dump());
  }

  /// The same for a failure: without the add-ons that nothing waits for.
  String tasksInUse() {
    var text = new StringBuilder();
    LoopView.of(scheduler).addOns().forEach(each -> text.append(each).append('\n'));
    var places = new HashMap<List<StackTraceElement>, TaskInfo>();
    for (TaskInfo each : scheduler.tasks()) {
      if (!isUnusedAddOn(each)) {
        TaskInfo first = places.putIfAbsent(each.usefulStack(), each);
        text.append(first == null ? each : inTheSamePlace(each, first)).append('\n');
      }
    }
    return belowName(text.toString());
  }

  /// A pool has many threads that wait for work.
  private static String inTheSamePlace(TaskInfo task, TaskInfo first) {
    String text = task.toString();
    return task.usefulStack().size() < 2
        ? text
        : text.lines().findFirst().orElse("") + ", in the same place as #" + first.id();
  }

  /// Whether it has no stack, because its last turn has returned, and waits for no instant.
  private static boolean isUnusedAddOn(TaskInfo task) {
    return task.state() == TaskState.SUSPENDED && task.isDaemon() && task.stack().isEmpty();
  }

  private String belowName(String tasks) {
    return loop == null ? tasks.indent(2) : "  loop '" + loop.name() + "'\n" + tasks.indent(4);
  }

  /// Called after each turn.
  void closeIfEnded() {
    HostLoop own = loop;
    if (own != null && !dead && (own.hasEnded() || isShutDown())) {
      driver.betweenTurns(() -> {
        close(driver.time().nanos());
        host.closeIfTerminated();
      });
    } else {
      host.closeIfTerminated();
    }
  }

  // Turns.

  int readyCount() {
    return scheduler.tasksPending();
  }

  /// Gives one of its tasks a turn.
  ///
  /// @return zero if it needs another one, or how long it rests, in nanoseconds of the host
  long turn() {
    if (scheduler.step()) {
      return 0;
    }
    EventSource source = events;
    if (source != null && source.poll()) {
      return 0;
    }
    return LoopControl.of(addOns).rest();
  }

  // As an idle strategy.

  @Override
  public boolean joins(EventSource source) {
    EventSource earlier = events;
    events = earlier == null ? source : LendableEventSource.both(earlier, source);
    return true;
  }

  @Override
  public boolean timeStandsStill() {
    return true;
  }

  @Override
  public boolean rarely(String what) {
    boolean once = threads != null && threads.isInitialising(); // in the first run only
    return !once && host.world().isUnlucky(host, what);
  }

  @Override
  public boolean runsBlocking(String name, Runnable call) {
    driver.calls().add(host, name, call);
    return true;
  }

  @Override
  public void pass() {
    EventSource source = events;
    if (source != null) {
      boolean _ = source.pollIfAwaited();
    }
  }

  @Override
  public void wakeup() {
    driver.wakeUp(this);
  }

  @Override
  public void idle() {
    awaitWakeup(EventSource.FOREVER);
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    awaitWakeup(deadlineNanos - addOns.nowNanos());
  }

  /// The application idles although the world does not step it: while it is closed, tasks may have
  /// to wait for something.
  private void awaitWakeup(long nanos) {
    if (closingLimit == RUNNING) {
      throw new IllegalStateException(
          "the world runs the tasks of " + host + ": call World.runFor(..) or runUntil(..)");
    }
    EventSource source = events;
    if (source != null && source.poll()) {
      return;
    }
    driver.calls().run();
    driver.restFor(this, nanos);
    if (!driver.runUntilWoken(this, closingLimit)) {
      throw new SimulationStalledException(
          "a task of " + host + " does not end its clean-up: it waits for what does not come");
    }
  }
}
