package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes the tasks of a scheduler. A closed scheduler refuses new tasks. A scheduler that is
/// stopping accepts new tasks only from its own tasks.
public final class TaskFactory {

  private final Loop loop;
  private final Rooms.Progress ending;

  /// Schedules commands if tasks need not be made before their turns; null before the first
  /// command.
  private @Nullable Consumer<Runnable> lazyCommands;

  TaskFactory(Loop loop, Rooms.Progress ending) {
    this.loop = loop;
    this.ending = ending;
  }

  public <T extends @Nullable Object> TaskCore<T> stackful(
      @Nullable String name, Callable<? extends T> code) {
    requireOpen();
    return loop.made(new StackfulTask<>(loop, name, Objects.requireNonNull(code, "code is null")));
  }

  /// Makes a task on behalf of another task of this scheduler, which does not have the turn and has
  /// not ended. The caller is on the scheduler's thread.
  public <T extends @Nullable Object> TaskCore<T> stackfulFor(
      TaskCore<?> maker, String name, Callable<? extends T> code) {
    requireNotClosed();
    if (maker.hasEnded()) {
      requireOpen();
    }
    var task = new StackfulTask<T>(loop, name, loop.nextTaskId(), maker.id(), code);
    task.bind(maker.locals());
    task.keepContext(maker.context());
    return loop.made(task);
  }

  public <T extends @Nullable Object> StepTaskCore<T> steps(String name, StepBody<T> body) {
    requireOpen();
    Objects.requireNonNull(name, "name is null");
    return StepTaskCore.made(loop, name, Objects.requireNonNull(body, "body is null"));
  }

  private void requireNotClosed() {
    boolean closing = loop.isClosing();
    if ((closing || ending.isCleaningUp()) && loop.currentTask() instanceof StackfulTask<?> maker) {
      Cancellation.deliverIfNew(maker); // it does not know of the end
    }
    if (closing) {
      throw new IllegalStateException("the scheduler is closed: it takes no new tasks");
    }
  }

  /// Checks that the scheduler takes new tasks from the caller.
  ///
  /// @throws IllegalStateException if the scheduler takes no new tasks
  public void requireOpen() {
    loop.checkCaller();
    if (loop.isClosing() || ending.isIntakeClosed()) {
      requireNotClosed();
      if (!isOpenHere()) {
        throw new IllegalStateException(
            "the scheduler is stopping: it takes new tasks from its own tasks only");
      }
    }
  }

  private boolean isOpenHere() {
    return !ending.isIntakeClosed() || loop.runningId() != 0;
  }

  /// Runs a runnable as a step task. Any thread.
  void execute(Runnable command) {
    Objects.requireNonNull(command, "command is null");
    boolean here = loop.isCaller();
    if (here && !loop.isClosing() && isOpenHere()) {
      schedule(command);
      return;
    }
    boolean taken = !here && !ending.isIntakeClosed() && loop.post(() -> schedule(command));
    if (!taken) {
      throw new RejectedExecutionException(
          "the scheduler is closed or stopping, and refuses " + command);
    }
  }

  private void schedule(Runnable command) {
    boolean closing = loop.isClosing();
    if (loop.isLazy() && !closing) {
      if (lazyCommands == null) {
        lazyCommands = Rooms.all().lazyCommands(loop);
      }
      lazyCommands.accept(command);
      return;
    }
    StepBody<@Nullable Void> body =
        self -> {
          command.run();
          return StepResult.DONE;
        };
    var task = StepTaskCore.made(loop, command, body);
    if (closing) {
      task.cancel("the scheduler closes");
    } else {
      task.becomeReady(Place.BACK);
    }
  }
}
