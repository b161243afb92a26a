package dev.rondo.application;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.io.EndOfStreamException;
import dev.rondo.io.tls.TlsTruncatedException;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;

/// Logs failures that would otherwise be lost, with the program's own frames. A failure because a
/// peer has closed its connection takes one line. At TRACE the logger writes every frame; not at
/// DEBUG, which is the level of an unconfigured Logback. Without a logging library it prints the
/// failures on `System.err`, as the JVM does with uncaught exceptions.
final class FailureLogger {

  private FailureLogger() {}

  static FailureHandler handler() {
    return new FailureLog(FailureLogger::log);
  }

  /// Logs the failure that ended the application.
  static void ended(Throwable failure) {
    log(Level.ERROR, "the application failed", failure);
  }

  /// Logs the failure that ended the application, unless the JVM is ending: then the shutdown hook
  /// has logged it.
  static void endedUnlessJvmEnds(Throwable failure) {
    if (!ShutdownHook.isJvmEnding()) {
      ended(failure);
    }
  }

  /// Logs a warning that is not a task's failure.
  static void warn(String message) {
    if (logger() instanceof NOPLogger) {
      System.err.println(message);
    } else {
      logger().warn(message);
    }
  }

  private static void log(Level level, String what, Throwable failure) {
    Logger logger = logger();
    if (isHangUp(failure) && !logger.isTraceEnabled()) {
      logLine(
          logger, level, what + ": " + ReportText.escaped(String.valueOf(failure.getMessage())));
      return;
    }
    if (!logger.isTraceEnabled()) {
      StackTraces.makeReadable(failure);
    }
    if (logger instanceof NOPLogger) {
      System.err.println(what);
      failure.printStackTrace();
    } else {
      logger.atLevel(level).setCause(failure).log(what);
    }
  }

  /// Whether a peer has closed its connection. A stack trace would show only where this side was
  /// reading or writing.
  private static boolean isHangUp(Throwable failure) {
    return failure instanceof ConnectionResetException
        || failure instanceof EndOfStreamException
        || failure instanceof TlsTruncatedException;
  }

  private static void logLine(Logger logger, Level level, String line) {
    if (logger instanceof NOPLogger) {
      System.err.println(line);
    } else {
      logger.atLevel(level).log(line);
    }
  }

  /// Looked up on first use: loading a logging library takes longer than the rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(Application.class);
  }
}
