package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.shutdown`, which ends the work of a scheduler in order. See
/// [Rooms].
public abstract class Shutdowns {

  /// For the room.
  protected Shutdowns() {}

  /// The course of the shutdown of one scheduler. It says in the [Ending] how far it is.
  public interface Course {

    /// See [Scheduler#shutdown(Duration, Duration)]. Any thread.
    CompletableFuture<List<TaskInfo>> ask(Duration drain, Duration cleanUp);

    /// See [Scheduler#shutdownRequested()].
    Waitable<@Nullable Void> requested();

    /// Whether a task other than a daemon waits until the shutdown is asked for.
    boolean isAwaited();

    /// Called at the end of each run: ends the shutdown if no work is left.
    void check();

    /// Called when the scheduler has been closed.
    void closed();
  }

  /// {@return a shutdown that was not requested yet}
  protected abstract Course course(SchedulerCore scheduler, MassCancellation massCancellation);
}
