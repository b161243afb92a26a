package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.engine.observe.EndListener;
import dev.rondo.scheduler.engine.observe.EngineListener;
import dev.rondo.scheduler.engine.observe.Instrument;
import dev.rondo.scheduler.engine.observe.LoopRecorder;
import dev.rondo.scheduler.engine.observe.LoopView;
import dev.rondo.scheduler.observe.TaskListener;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Passes the events of tasks on to each listener of a scheduler, and counts turns. A loop without
/// listeners has no such object; its cost is then a null check.
final class Instruments {

  private static final VarHandle TURN_COUNT;

  static {
    try {
      TURN_COUNT = MethodHandles.lookup().findVarHandle(Instruments.class, "turnCount", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Loop loop;
  private final Failures failures;

  /// In the order they were opened.
  private final List<TaskListener> all;

  /// The recorder, which keeps the last events; null if there is none. It is called directly, and
  /// not as a listener, because it must cost little, and listeners do not receive most of its
  /// events.
  private final @Nullable LoopRecorder recorder;

  /// Whether turns are counted: there is an observer other than a recorder.
  private final boolean countsTurns;

  /// The listeners that receive only turns, such as the watchdog of each application: two short
  /// calls in each turn.
  private final EngineListener[] turnListeners;

  /// The other listeners that are called for tasks.
  private final TaskListener[] listeners;

  /// The listeners of the engine itself.
  private final EngineListener[] engineListeners;

  /// Written by the loop, read by any thread: opaque.
  private long turnCount;

  /// The number of the task whose `beforeTurn` has been called and whose `afterTurn` has not; 0 if
  /// there is none. A turn can end before [TaskCore#turn()] returns, see [Succession]. This is a
  /// number, because writing a reference would cost a memory barrier in each turn.
  private long inTurn;

  private Instruments(Loop loop, Failures failures, List<TaskListener> all) {
    this.loop = loop;
    this.failures = failures;
    this.all = all;
    this.recorder =
        all.stream()
            .filter(LoopRecorder.class::isInstance)
            .map(LoopRecorder.class::cast)
            .findFirst()
            .orElse(null);
    this.countsTurns = all.stream().anyMatch(each -> !(each instanceof LoopRecorder));
    this.engineListeners =
        all.stream()
            .filter(EngineListener.class::isInstance)
            .map(EngineListener.class::cast)
            .toArray(EngineListener[]::new);
    this.turnListeners =
        Arrays.stream(engineListeners)
            .filter(EngineListener::seesTurnsOnly)
            .toArray(EngineListener[]::new);
    this.listeners =
        all.stream()
            .filter(each -> !(each instanceof EndListener) && !seesTurnsOnly(each))
            .toArray(TaskListener[]::new);
  }

  private static boolean seesTurnsOnly(TaskListener listener) {
    return listener instanceof EngineListener own && own.seesTurnsOnly();
  }

  /// Opens all instruments; null if there are none.
  static @Nullable Instruments open(
      List<Instrument> all, LoopView view, Loop loop, Failures failures) {
    if (all.isEmpty()) {
      return null;
    }
    var opened = new ArrayList<TaskListener>();
    try {
      all.forEach(each -> opened.add(each.open(view)));
    } catch (Throwable e) {
      new Instruments(loop, failures, opened).close();
      throw e;
    }
    return new Instruments(loop, failures, opened);
  }

  /// {@return the recorder, if turns are passed on to nothing else; null otherwise}
  @Nullable LoopRecorder onlyRecorder() {
    return countsTurns ? null : recorder;
  }

  /// {@return whether no listener needs the task of each turn}
  boolean allowsLazyTurns() {
    return recorder == null
        && listeners.length + turnListeners.length == engineListeners.length
        && allAllowLazyTurns();
  }

  private boolean allAllowLazyTurns() {
    return Arrays.stream(engineListeners).allMatch(EngineListener::allowsLazyTurns);
  }

  /// How many turns have ended. Any thread.
  long turnCount() {
    return (long) TURN_COUNT.getOpaque(this);
  }

  void created(TaskCore<?> task) {
    if (recorder != null) {
      recorder.created(task);
    }
    call(TaskListener::created, task);
  }

  /// Called when a turn begins.
  ///
  /// @param passNanos the time of the loop's last pass
  void turn(TaskCore<?> task, long passNanos) {
    if (recorder != null) {
      recorder.turn(task.id(), task.isAddOn(), passNanos);
    }
    if (countsTurns) {
      beforeTurn(task);
    }
  }

  private void beforeTurn(TaskCore<?> task) {
    inTurn = task.id();
    call(TaskListener::beforeTurn, task);
    if (turnListeners.length > 0 && !isAdopted(task)) {
      for (EngineListener each : turnListeners) {
        each.beforeTurn(task);
      }
    }
  }

  /// Called when a turn is over. Does nothing if the listeners know already.
  void afterTurn(TaskCore<?> task) {
    if (inTurn != task.id()) {
      return;
    }
    inTurn = 0;
    TURN_COUNT.setOpaque(this, turnCount + 1);
    if (listeners.length == 0) {
      turnIsOver(task);
      return;
    }
    TaskState state = task.taskState();
    call(TaskListener::afterTurn, task);
    turnIsOver(task);
    if (state.isSchedulable() || state == TaskState.BLOCKED) {
      call(TaskListener::suspended, task);
    }
  }

  private void turnIsOver(TaskCore<?> task) {
    if (turnListeners.length > 0 && !isAdopted(task)) {
      for (EngineListener each : turnListeners) {
        each.afterTurn(task);
      }
    }
  }

  /// Called when the turn of a task that is not made begins.
  void lazyTurn(LazyChain chain) {
    for (EngineListener each : engineListeners) {
      each.beforeLazyTurn(chain);
    }
  }

  /// Called when that task was made, in its turn.
  void goesOnAs(TaskCore<?> task) {
    if (countsTurns) {
      beforeTurn(task);
    }
  }

  /// Called when the turn of a task that was never made is over.
  void afterLazyTurn() {
    if (countsTurns) {
      TURN_COUNT.setOpaque(this, turnCount + 1);
    }
    for (EngineListener each : engineListeners) {
      each.afterLazyTurn();
    }
  }

  /// Called when the stack of a task could not be left: its turn goes on.
  void turnGoesOn(TaskCore<?> task) {
    if (countsTurns && inTurn != task.id()) {
      beforeTurn(task);
    }
  }

  /// Called when the running task was parked.
  void parked(TaskCore<?> task, TaskState how) {
    if (recorder != null) {
      recorder.parked(task, how);
    }
  }

  /// Called when a parked task has become ready.
  void woken(TaskCore<?> task) {
    if (recorder != null) {
      recorder.woken(task, loop.runningTask());
    }
  }

  /// Called when a task was cancelled.
  void cancelled(TaskCore<?> task, CancelRequest request) {
    if (recorder != null) {
      recorder.cancelled(task, loop.runningTask(), request.describe());
    }
  }

  /// Called before posted actions run.
  void beforeActions() {
    for (EngineListener each : engineListeners) {
      each.beforeActions();
    }
  }

  void afterActions() {
    for (EngineListener each : engineListeners) {
      each.afterActions();
    }
  }

  void done(TaskCore<?> task) {
    if (recorder != null) {
      recorder.done(task);
    }
    call(TaskListener::done, task);
  }

  /// Calls every listener. No task can suspend meanwhile.
  private void call(BiConsumer<TaskListener, TaskCore<?>> method, TaskCore<?> task) {
    if (listeners.length == 0 || isAdopted(task)) {
      return;
    }
    boolean wasHidden = loop.hideCurrentTask();
    try {
      for (TaskListener each : listeners) {
        if (!loop.usesHelpers || each instanceof EngineListener) {
          call(each, method, task);
        } else {
          loop.runUserCode(() -> "listener " + nameOf(each), () -> call(each, method, task));
        }
      }
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }

  /// Whether a task was made for code outside of tasks, possibly for the code of a listener.
  private static boolean isAdopted(TaskCore<?> task) {
    return task instanceof StepTaskCore<?> step && step.isAdopted();
  }

  private void call(
      TaskListener listener, BiConsumer<TaskListener, TaskCore<?>> method, TaskCore<?> task) {
    try {
      method.accept(listener, task);
    } catch (Throwable e) {
      failures.report("listener " + nameOf(listener) + " of task '" + task.name() + "'", e);
    }
  }

  private static String nameOf(TaskListener listener) {
    return listener.getClass().getName(); // its toString() may throw too
  }

  void close() {
    for (TaskListener each : all.reversed()) {
      try {
        each.closed();
      } catch (Throwable e) {
        failures.report("listener " + nameOf(each) + " of a closed scheduler", e);
      }
    }
  }
}
