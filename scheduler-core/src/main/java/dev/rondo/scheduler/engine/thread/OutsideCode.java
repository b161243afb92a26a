package dev.rondo.scheduler.engine.thread;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.StepTaskCore;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.internal.TurnRunner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// User code outside of tasks that runs on a [TurnRunner]. If a call of the JDK blocks the code,
/// the code becomes a task, so that the loop can resume it. The task is hidden from the code, and
/// from listeners, which may be that code.
///
/// Confined to the scheduler's thread, except [#unblocked()].
public final class OutsideCode implements Coroutine.Body {

  private final Loop loop;
  private final Runnable code;

  /// The task that the code has become; null if there is none.
  private @Nullable StackfulTask<@Nullable Void> task;

  private OutsideCode(Loop loop, Runnable code) {
    this.loop = loop;
    this.code = code;
  }

  /// Runs code. When this method returns, the code has ended, or has become a task.
  ///
  /// @param what the name of that task
  public static void run(Loop loop, TurnRunner runner, Supplier<String> what, Runnable code) {
    boolean hidden = loop.isCurrentTaskHidden();
    var body = new OutsideCode(loop, code);
    Coroutine turn = runner.newTurn(body, StepTaskCore.PATIENCE_NANOS);
    loop.turnGoesTo(turn.thread());
    if (turn.resume() == Coroutine.Pause.BLOCKED) {
      body.task = blocked(loop, what.get(), turn);
      loop.restoreCurrentTask(hidden); // the caller of the code continues
    }
  }

  /// Makes a task for code that a call of the JDK blocks.
  private static StackfulTask<@Nullable Void> blocked(Loop loop, String name, Coroutine code) {
    var task = new StackfulTask<@Nullable Void>(loop, name, () -> null);
    task.entered = true;
    task.coroutine = code;
    TaskExtras has = task.extras();
    has.madeForCode = true;
    has.hidden = true;
    task.beginParked(TaskState.BLOCKED);
    loop.blocked(task);
    return task;
  }

  @Override
  public void run() {
    loop.enterThread();
    code.run();
    if (Thread.interrupted()) {
      ThreadInterrupts.betweenTurns();
    }
    if (task != null) {
      task.finish(TaskCore.success(null));
      loop.restoreCurrentTask(false);
    }
  }

  /// Any thread.
  @Override
  public void unblocked() {
    boolean _ = loop.post(this::deliver);
  }

  private void deliver() {
    if (task != null) {
      task.deliver();
    }
  }
}
