package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.StepResult;
import org.jspecify.annotations.Nullable;

/// The kind of lazy tasks that run the commands passed to `execute`. Each is a step task, which is
/// made only if it is needed.
///
/// Confined to the scheduler's thread.
final class LazyCommands extends LazyKind {

  /// The task that has the turn, if it is made; null otherwise.
  private @Nullable StepTaskCore<@Nullable Void> current;

  LazyCommands(Loop loop) {
    super(loop);
  }

  /// Schedules a command.
  void schedule(Runnable command) {
    if (loop.isLazy() && !loop.isClosing()) {
      var _ = loop.addLazily(this, command);
      return;
    }
    var task =
        new StepTaskCore<@Nullable Void>(
            loop,
            command,
            self -> {
              command.run();
              return StepResult.DONE;
            });
    loop.made(task);
    if (loop.isClosing()) {
      task.cancel("the scheduler closes");
    } else {
      task.becomeReady(Place.BACK);
    }
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
      ((Runnable) chain.beginFirst()).run();
    } catch (Throwable e) {
      failure = e;
    }
    if (current == null && (failure != null || Thread.currentThread().isInterrupted())) {
      loop.makeRunning(); // observers see its failure, or its interrupt
    }
    StepTaskCore<@Nullable Void> task = current;
    if (task != null) {
      current = null;
      task.finishBody(failure);
    }
    return task;
  }
}
