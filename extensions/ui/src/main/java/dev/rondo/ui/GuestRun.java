package dev.rondo.ui;

import dev.rondo.application.Application;
import dev.rondo.application.internal.HostedRun;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One run of an application inside the event loop of a user interface. The run is divided into
/// slices, each of which is an event of that loop.
///
/// The whole run - building, starting, closing - is the body of one coroutine on the UI thread, and
/// its tasks are coroutines within that one. A slice resumes it. It suspends in [#pass()] when the
/// slice's budget is spent, after posting the event for the next slice. It suspends in [#idle()]
/// when no task is ready, after starting the [BackgroundPoller], which posts that event when its
/// wait ends. So at most one event is queued at any time. Between slices no frame of this class is
/// on the UI thread's stack, so a slice can also run in the nested event loop of a modal dialog.
///
/// Code that runs on the UI thread between slices, such as a listener, wakes the loop when it makes
/// a task ready, because this idle strategy lends its thread. Confined to the UI thread except for
/// `state` and the members documented with *any thread*.
final class GuestRun implements IdleStrategy, HostedRun {

  /// The states of the run.
  ///
  /// | from | to | cause |
  /// |---|---|---|
  /// | RUNNING | POSTED | the budget is spent |
  /// | RUNNING | WAITING | nothing is ready |
  /// | WAITING | RUNNING | a task has become ready before the wait began |
  /// | WAITING | POSTED | the poller has seen an event, or was woken |
  /// | POSTED | RUNNING | the event loop runs the event |
  /// | RUNNING | ENDED | the application has ended |
  /// | any | ENDED | the event loop has ended |
  enum State {
    /// An event is on its way to the UI thread.
    POSTED,
    /// The UI thread is in a slice.
    RUNNING,
    /// The poller waits.
    WAITING,
    ENDED
  }

  @FunctionalInterface
  interface PollerFactory {
    BackgroundPoller newPoller(Scheduler scheduler, GuestRun run);
  }

  private final EventLoop eventLoop;
  private final long budgetNanos;
  private final PollerFactory pollerFactory;
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  /// Written before the first event is posted.
  private final AtomicReference<State> state = new AtomicReference<>(State.POSTED);

  private final Coroutine coroutine;

  /// Written by the first slice.
  private volatile @Nullable Thread uiThread;

  /// Ends the run if the UI thread does.
  private @Nullable Thread deathWatch;

  /// True while the coroutine is on the UI thread's stack.
  private boolean mounted;

  private @Nullable Scheduler scheduler;

  /// Written on the UI thread.
  private volatile @Nullable BackgroundPoller poller;

  /// The start of the current slice.
  private long sliceNanos;

  private @Nullable Throwable failure;

  /// Written on the UI thread, read by the thread that stops the application.
  private volatile @Nullable Application application;

  private volatile boolean stopAsked;

  /// @param run builds, runs and closes the application; must call [#install]
  GuestRun(EventLoop eventLoop, Duration budget, PollerFactory pollerFactory, Run run) {
    this.eventLoop = eventLoop;
    this.budgetNanos = TimeUnit.NANOSECONDS.convert(budget); // saturated
    this.pollerFactory = pollerFactory;
    this.coroutine =
        CoroutineBackends.continuation()
            .newCoroutine(
                "ui",
                new Coroutine.Body() {
                  @Override
                  public void run() {
                    try {
                      run.run(GuestRun.this);
                    } catch (Throwable e) {
                      failure = e;
                    }
                  }

                  @Override
                  public void unblocked() {}
                });
  }

  /// The body of the coroutine.
  @FunctionalInterface
  interface Run {
    void run(GuestRun guest) throws Exception;
  }

  /// {@return a future that completes on the UI thread, with the run's exit code or failure} Any
  /// thread.
  @Override
  public CompletableFuture<Integer> end() {
    return end;
  }

  /// {@return the run of the current task's application}
  static GuestRun current() {
    GuestRun current = Scheduler.current().host().addOn(GuestRun.class);
    if (current == null) {
      throw new IllegalStateException(
          "this application does not run in the event loop of a user interface: run it with"
              + " Swing.host(), JavaFx.host() or UiHost.on(..)");
    }
    return current;
  }

  EventLoop eventLoop() {
    return eventLoop;
  }

  // Starting.

  /// Posts the first event. Any thread.
  void begin() {
    eventLoop.post(this::firstSlice);
  }

  private void firstSlice() {
    try {
      if (isOccupied()) {
        throw new IllegalStateException(
            "another application, or scheduler, runs on the UI thread already: one at a time;"
                + " spawn tasks there instead");
      }
      eventLoop.hold();
    } catch (Throwable e) {
      state.set(State.ENDED);
      end.completeExceptionally(e);
      return;
    }
    Thread own = Thread.currentThread();
    uiThread = own;
    deathWatch = Thread.ofVirtual().name("rondo ui death watch").start(() -> watchUiThread(own));
    slice();
  }

  private static boolean isOccupied() {
    try {
      Scheduler.current();
      return true;
    } catch (IllegalStateException none) {
      return false;
    }
  }

  /// Becomes the idle strategy of a scheduler that has just been built. In the coroutine.
  GuestRun install(Scheduler built) {
    if (!LoopControl.of(built.host()).backend().sharesThread()) {
      built.close();
      throw new IllegalStateException(
          "tasks on the UI thread need the CONTINUATION backend, but this application was built for"
              + " "
              + LoopControl.of(built.host()).backend().name()
              + ", whose tasks have threads of their own: leave out .backend(..) and the system"
              + " property "
              + CoroutineBackends.PROPERTY);
    }
    scheduler = built;
    sliceNanos = built.host().nowNanos();
    poller = pollerFactory.newPoller(built, this);
    var _ = built.keepAlive(); // a user may press a button at any time
    built.host().idleStrategy(this);
    return this;
  }

  /// Called when the application's main task begins.
  void started(Application started) {
    application = started;
    if (stopAsked) {
      started.stop();
    }
  }

  /// Any thread.
  void stop() {
    stopAsked = true;
    Application running = application;
    if (running != null) {
      running.stop();
    }
  }

  // Slices.

  private void slice() {
    if (state.get() == State.ENDED) {
      return; // abandoned meanwhile
    }
    if (mounted || !state.compareAndSet(State.POSTED, State.RUNNING)) {
      throw new IllegalStateException(
          "EventLoop.post must run each event once, after it has returned, but ran one in state "
              + state.get());
    }
    if (Thread.currentThread() != uiThread) {
      abandon(
          new IllegalStateException(
              "the UI thread was %s, and is %s now: EventLoop.hold must keep it"
                  .formatted(uiThread, Thread.currentThread())));
      return;
    }
    sliceNanos = scheduler == null ? 0 : scheduler.host().nowNanos();
    mounted = true;
    Coroutine.Pause pause;
    try {
      pause = coroutine.resume();
    } finally {
      mounted = false;
    }
    if (pause == Coroutine.Pause.ENDED) {
      ended();
    }
  }

  private void post() {
    try {
      eventLoop.post(this::slice);
    } catch (Throwable e) {
      abandon(new IllegalStateException("the event loop takes no more events", e));
    }
  }

  // The idle strategy.

  @Override
  public boolean lendsThread() {
    return true;
  }

  @Override
  public void pass() {
    Scheduler own = scheduler;
    if (own != null && own.host().nowNanos() - sliceNanos >= budgetNanos) {
      state.set(State.POSTED);
      post();
      coroutine.suspend();
    }
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    lend(deadlineNanos);
  }

  @Override
  public void idle() {
    lend(null);
  }

  private void lend(@Nullable Long deadlineNanos) {
    BackgroundPoller own = poller;
    if (own == null) {
      throw new AssertionError("idle without a poller");
    }
    state.set(State.WAITING);
    if (!own.start(deadlineNanos)) {
      state.set(State.RUNNING);
      return;
    }
    coroutine.suspend();
    own.finish();
  }

  /// The poller has seen an event, or was woken. Any thread.
  void onPolled() {
    if (state.compareAndSet(State.WAITING, State.POSTED)) {
      post();
    }
  }

  @Override
  public void wakeup() {
    BackgroundPoller own = poller;
    if (own != null) {
      own.wakeup();
    }
  }

  // As an add-on: it only has to be found.

  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  // Ending.

  private void ended() {
    state.set(State.ENDED);
    BackgroundPoller own = poller;
    if (own != null) {
      own.close();
    }
    Thread watch = deathWatch;
    if (watch != null) {
      watch.interrupt();
    }
    try {
      eventLoop.release();
    } catch (Throwable e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
    if (failure != null) {
      end.completeExceptionally(failure);
    } else {
      Application ran = application;
      end.complete(ran == null ? 0 : ran.exitCode());
    }
  }

  private void watchUiThread(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      return; // the application has ended first
    }
    abandon(
        new IllegalStateException(
            "the UI thread ended while an application was running on it: its tasks are abandoned,"
                + " and none of their finally blocks has run; stop the application first"));
  }

  /// Ends the run because no slice can run any more. Any thread.
  void abandon(Throwable why) {
    state.set(State.ENDED);
    BackgroundPoller own = poller;
    if (own != null) {
      own.abandon();
    }
    end.completeExceptionally(why);
  }
}
