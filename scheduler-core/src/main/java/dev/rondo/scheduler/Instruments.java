package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The listeners of one scheduler, told one after the other. A loop that nobody looks into has none
/// of these, and pays for the look whether it has.
final class Instruments {

  private final Loop loop;
  private final TaskListener[] listeners;

  /// The task whose turn was announced and is not over. A turn can be over before [Task#turn()] is
  /// left: see [MountedTask].
  private @Nullable Task<?> inTurn;

  private Instruments(Loop loop, TaskListener[] listeners) {
    this.loop = loop;
    this.listeners = listeners;
  }

  /// Opens what was asked for; null if that is nothing.
  static @Nullable Instruments open(Loop loop, List<Instrument> asked) {
    if (asked.isEmpty()) {
      return null;
    }
    var opened = new ArrayList<TaskListener>();
    var instruments = new Instruments(loop, new TaskListener[asked.size()]);
    try {
      for (Instrument each : asked) {
        TaskListener listener = each.open(loop);
        instruments.listeners[opened.size()] = listener;
        opened.add(listener);
      }
    } catch (Throwable e) {
      closeAll(loop, opened);
      throw e;
    }
    return instruments;
  }

  void created(Task<?> task) {
    tell(TaskListener::created, task);
  }

  void beforeTurn(Task<?> task) {
    inTurn = task;
    tell(TaskListener::beforeTurn, task);
  }

  /// Tells that a turn is over, unless that was told.
  void afterTurn(Task<?> task) {
    if (inTurn != task) {
      return;
    }
    inTurn = null;
    TaskState state = task.taskState();
    tell(TaskListener::afterTurn, task);
    if (state.isSchedulable() || state == TaskState.BLOCKED) {
      tell(TaskListener::suspended, task);
    }
  }

  /// The stack of a task could not be left after all: its turn goes on.
  void turnGoesOn(Task<?> task) {
    if (inTurn != task) {
      beforeTurn(task);
    }
  }

  void done(Task<?> task) {
    tell(TaskListener::done, task);
  }

  /// Nobody can give way meanwhile.
  private void tell(BiConsumer<TaskListener, Task<?>> call, Task<?> task) {
    boolean outer = loop.loopThread.obscure(true);
    try {
      for (TaskListener each : listeners) {
        try {
          call.accept(each, task);
        } catch (Throwable e) {
          loop.failures.report("listener " + nameOf(each) + " of task '" + task.name() + "'", e);
        }
      }
    } finally {
      loop.loopThread.obscure(outer);
    }
  }

  private static String nameOf(TaskListener listener) {
    return listener.getClass().getName(); // its toString() may throw as well
  }

  void close() {
    closeAll(loop, List.of(listeners).reversed());
  }

  private static void closeAll(Loop loop, List<TaskListener> listeners) {
    for (TaskListener each : listeners) {
      try {
        each.closed();
      } catch (Throwable e) {
        loop.failures.report("listener " + nameOf(each) + " of a closed scheduler", e);
      }
    }
  }
}
