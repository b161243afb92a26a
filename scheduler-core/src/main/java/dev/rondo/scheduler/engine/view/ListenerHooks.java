package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The hooks of a loop that has listeners. Calls all listeners in the order in which they were
/// opened.
///
/// A task that was made for code outside of tasks is not shown, because it may run the code of a
/// listener.
///
/// Confined to the scheduler's thread, except [#turnCount()].
final class ListenerHooks implements Rooms.TurnHooks {

  private final Loop loop;
  private final EngineListener[] all;

  /// Whether turns are counted. Otherwise no listener receives the end of a turn.
  private final boolean counts;

  /// The number of turns that have ended. Opaque access, because only the scheduler's thread writes
  /// it.
  private final AtomicLong turnCount = new AtomicLong();

  /// The number of the task whose `beforeTurn` has been called and whose `afterTurn` has not; 0 if
  /// there is none, or if turns are not counted. A turn can end before [TaskCore#turn] returns, see
  /// [Rooms.TurnHooks#turnEnds]. This is a number, because writing a reference would cost a memory
  /// barrier in each turn.
  private long inTurn;

  /// The action to run when the listeners have been called; null if there is none.
  private @Nullable Runnable afterAll;

  private ListenerHooks(Loop loop, List<EngineListener> all, boolean counts) {
    this.loop = loop;
    this.all = all.toArray(EngineListener[]::new);
    this.counts = counts;
  }

  /// {@return the hooks of the listeners that receive or count turns; null if there are none}
  static Rooms.@Nullable TurnHooks of(Loop loop, List<EngineListener> opened) {
    List<EngineListener> all = opened.stream().filter(EngineListener::seesTurns).toList();
    boolean counts = opened.stream().anyMatch(EngineListener::countsTurns);
    return all.isEmpty() && !counts ? null : new ListenerHooks(loop, all, counts);
  }

  @Override
  public boolean allowsLazyTurns() {
    return List.of(all).stream().allMatch(EngineListener::allowsLazyTurns);
  }

  @Override
  public boolean countsTurns() {
    return counts;
  }

  @Override
  public long turnCount() {
    return turnCount.getOpaque();
  }

  @Override
  public void created(TaskCore<?> task) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.created(task);
      }
    }
  }

  @Override
  public void turnBegins(TaskCore<?> task) {
    if (isShown(task)) {
      if (counts) {
        inTurn = task.id();
      }
      for (EngineListener each : all) {
        each.beforeTurn(task);
      }
    }
  }

  @Override
  public void turnEnds(TaskCore<?> task) {
    if (inTurn != task.id()) {
      return;
    }
    for (EngineListener each : all) {
      each.afterTurn(task);
    }
    inTurn = 0;
    count();
    Runnable last = afterAll;
    if (last != null) {
      afterAll = null;
      last.run();
    }
  }

  /// Runs an action that changes a task: when all listeners have seen the end of the turn, if a
  /// task has the turn, and otherwise at once.
  void afterAll(Runnable action) {
    if (inTurn != 0) {
      afterAll = action;
    } else {
      action.run();
    }
  }

  @Override
  public void turnGoesOn(TaskCore<?> task) {
    if (counts && inTurn != task.id()) {
      turnBegins(task);
    }
  }

  @Override
  public void lazyTurnBegins(Supplier<? extends @Nullable Task<?>> task) {
    for (EngineListener each : all) {
      each.beforeLazyTurn(task);
    }
  }

  @Override
  public void lazyTurnEnds() {
    if (counts) {
      count();
    }
    for (EngineListener each : all) {
      each.afterLazyTurn();
    }
  }

  @Override
  public void parked(TaskCore<?> task, TaskState how) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.parked(task, how);
      }
    }
  }

  @Override
  public void woken(TaskCore<?> task) {
    if (isShown(task)) {
      TaskCore<?> waker = loop.runningTask();
      for (EngineListener each : all) {
        each.woken(task, waker);
      }
    }
  }

  @Override
  public void cancelled(TaskCore<?> task, CancelRequest request) {
    if (isShown(task)) {
      TaskCore<?> canceller = loop.runningTask();
      String description = request.describe();
      for (EngineListener each : all) {
        each.cancelled(task, canceller, description);
      }
    }
  }

  @Override
  public void ended(TaskCore<?> task) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.ended(task);
      }
    }
  }

  @Override
  public void actionsBegin() {
    for (EngineListener each : all) {
      each.beforeActions();
    }
  }

  @Override
  public void actionsEnd() {
    for (EngineListener each : all) {
      each.afterActions();
    }
  }

  private void count() {
    turnCount.setOpaque(turnCount.getPlain() + 1);
  }

  private static boolean isShown(TaskCore<?> task) {
    TaskExtras has = task.extras;
    return has == null || !has.madeForCode;
  }
}
