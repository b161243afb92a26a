package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.internal.ReportText;
import org.slf4j.event.Level;

/// Logs failures that no other code receives, each with a message that says what has happened. Any
/// thread, if the log is for any thread.
public final class FailureLog implements FailureHandler {

  /// Where the failures go.
  @FunctionalInterface
  public interface Log {

    /// Logs a failure.
    ///
    /// @param level WARN or ERROR
    /// @param message says what has happened
    /// @param failure to be logged with its trace
    void log(Level level, String message, Throwable failure);
  }

  private final Log log;

  /// @param log receives the failures
  public FailureLog(Log log) {
    this.log = requireNonNull(log, "log is null");
  }

  @Override
  public void failed(String place, Throwable failure) {
    String where = ReportText.escaped(requireNonNull(place, "place is null"));
    requireNonNull(failure, "failure is null");
    switch (failure) {
      case CancelIgnoredException _ ->
          log.log(Level.WARN, where + " ignores its cancellation", failure);
      case TaskAbandonedException _ -> log.log(Level.ERROR, where + " was abandoned", failure);
      default -> log.log(Level.ERROR, where + what(where, failure), failure);
    }
  }

  /// Describes a failure. For a task, the text says that no other task waited for it.
  private static String what(String where, Throwable failure) {
    if (where.startsWith("task '")) {
      return " failed, and no task was waiting for it";
    }
    return failure instanceof DeadlockException ? " will wait for ever" : " failed";
  }
}
