package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.StepBody;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Makes the tasks of a scheduler. A closed scheduler refuses new tasks. A scheduler that is
/// stopping accepts new tasks only from its own tasks.
public final class TaskFactory {

  private final Loop loop;
  private final Rooms.Progress ending;

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
      if (ending.isIntakeClosed() && loop.runningId() == 0) {
        throw new IllegalStateException(
            "the scheduler is stopping: it takes new tasks from its own tasks only");
      }
    }
  }
}
