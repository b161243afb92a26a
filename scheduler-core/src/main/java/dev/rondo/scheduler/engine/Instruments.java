package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.engine.observe.Instrument;
import dev.rondo.scheduler.engine.observe.LoopView;
import dev.rondo.scheduler.engine.observe.Watchdog;
import dev.rondo.scheduler.observe.TaskListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Passes on to each listener of a scheduler what its tasks do. A loop without listeners has no
/// such object, and pays for the check.
final class Instruments {

  private final Turns turns;
  private final Failures failures;
  private final TaskListener[] listeners;

  /// The task whose `beforeTurn` has been called and whose `afterTurn` has not. A turn can end
  /// before [TaskCore#turn()] returns: see [MountedTask].
  private @Nullable TaskCore<?> inTurn;

  private Instruments(Turns turns, Failures failures, TaskListener[] listeners) {
    this.turns = turns;
    this.failures = failures;
    this.listeners = listeners;
  }

  /// Opens all instruments; null if there are none.
  static @Nullable Instruments open(
      List<Instrument> all, LoopView view, Turns turns, Failures failures) {
    if (all.isEmpty()) {
      return null;
    }
    var opened = new ArrayList<TaskListener>();
    var instruments = new Instruments(turns, failures, new TaskListener[all.size()]);
    try {
      for (Instrument each : all) {
        TaskListener listener = each.open(view);
        instruments.listeners[opened.size()] = listener;
        opened.add(listener);
      }
    } catch (Throwable e) {
      instruments.closeAll(opened);
      throw e;
    }
    return instruments;
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

  void done(TaskCore<?> task) {
    call(TaskListener::done, task);
  }

  /// Calls every listener. No task can suspend meanwhile.
  private void call(BiConsumer<TaskListener, TaskCore<?>> method, TaskCore<?> task) {
    if (task instanceof StepTaskCore<?> step && step.isAdopted()) {
      return; // a listener itself, perhaps
    }
    boolean outer = turns.obscure(true);
    try {
      for (TaskListener each : listeners) {
        if (isOwn(each)) {
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

  /// Whether a listener is an instrument of the engine, which does not block.
  private static boolean isOwn(TaskListener listener) {
    return listener.getClass().getPackage() == Watchdog.class.getPackage();
  }

  private static String nameOf(TaskListener listener) {
    return listener.getClass().getName(); // its toString() may throw too
  }

  void close() {
    closeAll(List.of(listeners).reversed());
  }

  private void closeAll(List<TaskListener> closing) {
    for (TaskListener each : closing) {
      try {
        each.closed();
      } catch (Throwable e) {
        failures.report("listener " + nameOf(each) + " of a closed scheduler", e);
      }
    }
  }
}
