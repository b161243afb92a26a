package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StepTaskCore;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// The kind of lazy tasks that run the commands passed to `execute`. Each task is a step task, and
/// is made only if it is needed.
///
/// Confined to the scheduler's thread.
final class LazyCommands extends LazyKind {

  /// The task that has the turn, if it was made; null otherwise.
  private @Nullable StepTaskCore<@Nullable Void> current;

  LazyCommands(Loop loop) {
    super(loop);
  }

  @Override
  TaskCore<?> make(Object subject, long id, long parentId, boolean running) {
    StepTaskCore<@Nullable Void> task = portrait(subject, id, parentId);
    if (running) {
      current = task;
    }
    return task;
  }

  @Override
  StepTaskCore<@Nullable Void> portrait(Object subject, long id, long parentId) {
    return new StepTaskCore<>(
        loop,
        subject,
        id,
        parentId,
        self -> {
          ((Runnable) subject).run();
          return StepResult.DONE;
        });
  }

  @Override
  @Nullable TaskCore<?> turn(LazyChain chain) {
    Throwable failure = null;
    try {
      ((Runnable) chain.firstSubject()).run();
    } catch (Throwable e) {
      failure = e;
    }
    if (current == null && (failure != null || Thread.currentThread().isInterrupted())) {
      var _ = loop.runningTask(); // made, because observers see its failure, or its interrupt
    }
    StepTaskCore<@Nullable Void> task = current;
    if (task != null) {
      current = null;
      task.finishBody(failure);
    }
    return task;
  }
}
