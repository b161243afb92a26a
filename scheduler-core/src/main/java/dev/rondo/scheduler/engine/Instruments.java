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
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Passes on to each listener of a scheduler what its tasks do, and counts their turns. A loop
/// without listeners has no such object, and pays for the check.
final class Instruments {

  private static final VarHandle TURN_COUNT;

  static {
    try {
      TURN_COUNT = MethodHandles.lookup().findVarHandle(Instruments.class, "turnCount", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Turns turns;
  private final Failures failures;

  /// In the order they were opened.
  private final List<TaskListener> all;

  /// Those that are called for tasks.
  private final TaskListener[] listeners;

  /// Those that are the engine's own.
  private final EngineListener[] engineListeners;

  /// Written by the loop, read by any thread: opaque.
  private long turnCount;

  /// The task whose `beforeTurn` has been called and whose `afterTurn` has not. A turn can end
  /// before [TaskCore#turn()] returns: see [MountedTask].
  private @Nullable TaskCore<?> inTurn;

  private Instruments(Turns turns, Failures failures, List<TaskListener> all) {
    this.turns = turns;
    this.failures = failures;
    this.all = all;
    this.listeners =
        all.stream().filter(each -> !(each instanceof EndListener)).toArray(TaskListener[]::new);
    this.engineListeners =
        all.stream()
            .filter(EngineListener.class::isInstance)
            .map(EngineListener.class::cast)
            .toArray(EngineListener[]::new);
  }

  /// Opens all instruments; null if there are none.
  static @Nullable Instruments open(
      List<Instrument> all, LoopView view, Turns turns, Failures failures) {
    if (all.isEmpty()) {
      return null;
    }
    var opened = new ArrayList<TaskListener>();
    try {
      all.forEach(each -> opened.add(each.open(view)));
    } catch (Throwable e) {
      new Instruments(turns, failures, opened).close();
      throw e;
    }
    return new Instruments(turns, failures, opened);
  }

  /// The recorder, which the loop calls itself; null if there is none.
  @Nullable LoopRecorder recorder() {
    for (TaskListener each : all) {
      if (each instanceof LoopRecorder recorder) {
        return recorder;
      }
    }
    return null;
  }

  /// Whether there is anything else than a recorder.
  boolean seeTurns() {
    return all.stream().anyMatch(each -> !(each instanceof LoopRecorder));
  }

  /// How many turns have ended. Any thread.
  long turnCount() {
    return (long) TURN_COUNT.getOpaque(this);
  }

  void created(TaskCore<?> task) {
    call(TaskListener::created, task);
  }

  void beforeTurn(TaskCore<?> task) {
    inTurn = task;
    call(TaskListener::beforeTurn, task);
  }

  /// A turn is over. Does nothing if the listeners know.
  void afterTurn(TaskCore<?> task) {
    if (inTurn != task) {
      return;
    }
    inTurn = null;
    TURN_COUNT.setOpaque(this, turnCount + 1);
    if (listeners.length == 0) {
      return;
    }
    TaskState state = task.taskState();
    call(TaskListener::afterTurn, task);
    if (state.isSchedulable() || state == TaskState.BLOCKED) {
      call(TaskListener::suspended, task);
    }
  }

  /// The stack of a task could not be left: its turn goes on.
  void turnGoesOn(TaskCore<?> task) {
    if (inTurn != task) {
      beforeTurn(task);
    }
  }

  /// What was posted is about to run.
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
    call(TaskListener::done, task);
  }

  /// Calls every listener. No task can suspend meanwhile.
  private void call(BiConsumer<TaskListener, TaskCore<?>> method, TaskCore<?> task) {
    if (task instanceof StepTaskCore<?> step && step.isAdopted()) {
      return; // a listener itself, perhaps
    }
    if (listeners.length == 0) {
      return;
    }
    boolean here = turns.helpers() == null;
    boolean outer = turns.obscure(true);
    try {
      for (TaskListener each : listeners) {
        if (here || each instanceof EngineListener) {
          call(each, method, task);
        } else {
          turns.apart("listener " + nameOf(each), () -> call(each, method, task));
        }
      }
    } finally {
      turns.obscure(outer);
    }
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
