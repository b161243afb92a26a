package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.StepTaskCore;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Runs commands as step tasks, which are lazy if the scheduler allows that. Any thread.
public final class Commands implements Executor {

  private final Loop loop;
  private final Rooms.Progress ending;

  /// Null before the first lazy task. Confined to the scheduler's thread.
  private @Nullable LazyCommands lazy;

  public Commands(Loop loop, Rooms.Progress ending) {
    this.loop = loop;
    this.ending = ending;
  }

  @Override
  public void execute(Runnable command) {
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

  private boolean isOpenHere() {
    return !ending.isIntakeClosed() || loop.runningId() != 0;
  }

  private void schedule(Runnable command) {
    boolean closing = loop.isClosing();
    if (loop.isLazy() && !closing) {
      if (lazy == null) {
        lazy = new LazyCommands(loop);
      }
      var _ = lazy.add(command);
      return;
    }
    StepBody<@Nullable Void> body =
        self -> {
          command.run();
          return StepResult.DONE;
        };
    var task = loop.made(new StepTaskCore<>(loop, command, body));
    if (closing) {
      task.cancel("the scheduler closes");
    } else {
      task.becomeReady(Place.BACK);
    }
  }
}
