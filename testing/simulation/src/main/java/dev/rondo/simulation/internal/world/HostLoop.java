package dev.rondo.simulation.internal.world;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TaskInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The program of a further loop of a host: its main, and what is left to do when that has ended.
/// It ends as an application on a thread does: with its tasks, or at once if main has failed.
///
/// Confined to the world's thread.
public final class HostLoop {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  /// Cancelled tasks have so much virtual time to clean up.
  private static final Duration CLEAN_UP = Duration.ofMinutes(1);

  private final String name;
  private final Application application;
  private final Task<Void> main;
  private final Consumer<? super @Nullable Throwable> whenEnded;

  /// Null while main runs.
  private @Nullable CompletableFuture<List<TaskInfo>> end;

  private boolean closed;

  public HostLoop(
      String name,
      Application application,
      Application.Main main,
      Consumer<? super @Nullable Throwable> whenEnded) {
    this.name = name;
    this.application = application;
    this.whenEnded = whenEnded;
    this.main = application.scheduler().newTask("main", () -> main.run(application));
    this.main.addListener(() -> {}, Runnable::run); // a failure is received by whenEnded
    boolean _ = application.scheduler().scheduleTask(this.main);
  }

  public String name() {
    return name;
  }

  /// Called after each turn.
  ///
  /// @return whether it has ended, and is to be closed
  public boolean hasEnded() {
    if (main.isDone() && end == null) {
      end =
          failure() == null
              ? application.shutdown(FOR_EVER, FOR_EVER)
              : application.shutdown(Duration.ZERO, CLEAN_UP);
    }
    return end != null && end.isDone();
  }

  /// The application was closed.
  public void closed() {
    if (!closed) {
      closed = true;
      whenEnded.accept(failure());
    }
  }

  private @Nullable Throwable failure() {
    return main.outcome() instanceof Outcome.Failure<?>(Throwable cause) ? cause : null;
  }
}
