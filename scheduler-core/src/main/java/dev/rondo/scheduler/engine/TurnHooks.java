package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.EngineListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a loop calls when something happens to a task: the listeners of the scheduler, in the order
/// they were opened. A loop without listeners has no such object; its cost is then a null check.
///
/// A task that was made for code outside of tasks is not shown: it may be the code of a listener.
///
/// Confined to the scheduler's thread, except [#turnCount()].
public final class TurnHooks {

  private final Loop loop;
  private final EngineListener[] all;

  /// How many turns have ended. Opaque: written by the scheduler's thread only.
  private final AtomicLong turnCount = new AtomicLong();

  /// The number of the task whose `beforeTurn` has been called and whose `afterTurn` has not; 0 if
  /// there is none. A turn can end before [TaskCore#turn()] returns, see [Succession]. This is a
  /// number, because writing a reference would cost a memory barrier in each turn.
  private long inTurn;

  /// Whether listeners are called because a turn is over.
  private boolean ending;

  /// What happens when they have been called; null if nothing does.
  private @Nullable Runnable afterAll;

  private TurnHooks(Loop loop, List<EngineListener> all) {
    this.loop = loop;
    this.all = all.toArray(EngineListener[]::new);
  }

  /// {@return the hooks of those that listen to turns; null if none does}
  public static @Nullable TurnHooks of(Loop loop, List<EngineListener> opened) {
    List<EngineListener> all = opened.stream().filter(EngineListener::seesTurns).toList();
    return all.isEmpty() ? null : new TurnHooks(loop, all);
  }

  /// {@return whether no listener needs the task of each turn}
  boolean allowsLazyTurns() {
    return List.of(all).stream().allMatch(EngineListener::allowsLazyTurns);
  }

  /// How many turns have ended. Any thread; another one than the loop's may see an old value.
  long turnCount() {
    return turnCount.getOpaque();
  }

  void created(TaskCore<?> task) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.created(task);
      }
    }
  }

  void turnBegins(TaskCore<?> task) {
    inTurn = task.id();
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.beforeTurn(task);
      }
    }
  }

  /// Called when a turn is over. Does nothing if the listeners know already.
  void turnEnds(TaskCore<?> task) {
    if (inTurn != task.id()) {
      return;
    }
    inTurn = 0;
    turnCount.setOpaque(turnCount.getPlain() + 1);
    if (isShown(task)) {
      ending = true;
      for (EngineListener each : all) {
        each.afterTurn(task);
      }
      ending = false;
      Runnable last = afterAll;
      if (last != null) {
        afterAll = null;
        last.run();
      }
    }
  }

  /// Does something that changes the task whose turn is over, when all listeners have seen how the
  /// turn has ended.
  public void afterAll(Runnable action) {
    if (ending) {
      afterAll = action;
    } else {
      action.run();
    }
  }

  /// Called when the stack of a task could not be left: its turn goes on.
  void turnGoesOn(TaskCore<?> task) {
    if (inTurn != task.id()) {
      turnBegins(task);
    }
  }

  /// Called when the turn of a task that is not made begins.
  ///
  /// @param task describes the task that has the turn; any thread
  public void lazyTurnBegins(Supplier<? extends @Nullable Task<?>> task) {
    for (EngineListener each : all) {
      each.beforeLazyTurn(task);
    }
  }

  /// Called when the turn of a task that was never made is over.
  public void lazyTurnEnds() {
    turnCount.setOpaque(turnCount.getPlain() + 1);
    for (EngineListener each : all) {
      each.afterLazyTurn();
    }
  }

  /// Called when the running task gives up its place in the ready queue.
  void parked(TaskCore<?> task, TaskState how) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.parked(task, how);
      }
    }
  }

  /// Called when a parked task has become ready.
  void woken(TaskCore<?> task) {
    if (isShown(task)) {
      TaskCore<?> waker = loop.runningTask();
      for (EngineListener each : all) {
        each.woken(task, waker);
      }
    }
  }

  /// Called when a task, or a scope that it is in, was cancelled.
  void cancelled(TaskCore<?> task, CancelRequest request) {
    if (isShown(task)) {
      TaskCore<?> canceller = loop.runningTask();
      String description = request.describe();
      for (EngineListener each : all) {
        each.cancelled(task, canceller, description);
      }
    }
  }

  void ended(TaskCore<?> task) {
    if (isShown(task)) {
      for (EngineListener each : all) {
        each.ended(task);
      }
    }
  }

  /// Called before posted actions run.
  void actionsBegin() {
    for (EngineListener each : all) {
      each.beforeActions();
    }
  }

  void actionsEnd() {
    for (EngineListener each : all) {
      each.afterActions();
    }
  }

  private static boolean isShown(TaskCore<?> task) {
    TaskExtras has = task.extras;
    return has == null || !has.madeForCode;
  }
}
