package dev.rondo.application;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.TaskAbandonedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;

/// Logs failures that would be lost otherwise, with the trace of the program's own frames; with
/// every frame if the log is at DEBUG. Without a logging library they go to `System.err`, as those
/// of threads do.
final class FailureLogger implements FailureHandler {

  FailureLogger() {}

  @Override
  public void failed(String where, Throwable failure) {
    switch (failure) {
      case CancelIgnoredException _ ->
          log(Level.WARN, where + " ignores its cancellation", failure);
      case TaskAbandonedException _ -> log(Level.ERROR, where + " was abandoned", failure);
      default -> log(Level.ERROR, where + " failed, and nobody was waiting for it", failure);
    }
  }

  /// The application has ended with a failure.
  static void ended(Throwable failure) {
    log(Level.ERROR, "the application failed", failure);
  }

  private static void log(Level level, String what, Throwable failure) {
    Logger logger = logger();
    if (!logger.isDebugEnabled()) {
      StackTraces.makeReadable(failure);
    }
    if (logger instanceof NOPLogger) {
      System.err.println(what);
      failure.printStackTrace();
    } else {
      logger.atLevel(level).setCause(failure).log(what);
    }
  }

  /// Looked up when there is something to log: loading a logging library takes longer than all the
  /// rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Application.class);
  }
}
