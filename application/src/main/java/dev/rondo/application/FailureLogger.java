package dev.rondo.application;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.TaskAbandonedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;

/// Logs failures that would otherwise be lost, with the program's own frames, or with every frame
/// if the logger is at DEBUG. Without a logging library it prints them on `System.err`, where an
/// uncaught exception of a thread goes.
final class FailureLogger implements FailureHandler {

  FailureLogger() {}

  @Override
  public void failed(String where, Throwable failure) {
    switch (failure) {
      case CancelIgnoredException _ ->
          log(Level.WARN, where + " ignores its cancellation", failure);
      case TaskAbandonedException _ -> log(Level.ERROR, where + " was abandoned", failure);
      default -> log(Level.ERROR, where + " failed, and no task was waiting for it", failure);
    }
  }

  /// Logs the failure that ended the application.
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

  /// Looked up on first use: loading a logging library takes longer than the rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Application.class);
  }
}
