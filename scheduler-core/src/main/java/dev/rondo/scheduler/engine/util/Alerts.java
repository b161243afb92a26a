package dev.rondo.scheduler.engine.util;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;

/// Logs warnings and errors that users must see. Without a logging library it prints them on
/// `System.err`, as the JVM does with uncaught exceptions.
public final class Alerts {

  /// The name of the scheduler's public class, which users know.
  private static final String LOGGER = "dev.rondo.scheduler.Scheduler";

  private Alerts() {}

  /// Logs a message at WARN.
  public static void warn(String message) {
    log(Level.WARN, message, null);
  }

  /// Logs a message at ERROR.
  public static void error(String message) {
    log(Level.ERROR, message, null);
  }

  /// Logs a failure at ERROR.
  public static void error(String message, Throwable failure) {
    log(Level.ERROR, message, failure);
  }

  /// Logs a failure at ERROR, or drops it if logging fails as well, for instance because the heap
  /// is exhausted. For threads that have to go on.
  public static void errorIfPossible(String message, Throwable failure) {
    try {
      error(message, failure);
    } catch (Throwable _) {
      // There is no other place to report it.
    }
  }

  /// Logs a message, and a failure if there is one.
  public static void log(Level level, String message, @Nullable Throwable failure) {
    log(LoggerFactory.getLogger(LOGGER), level, message, failure);
  }

  static void log(Logger logger, Level level, String message, @Nullable Throwable failure) {
    if (!(logger instanceof NOPLogger)) {
      logger.atLevel(level).setCause(failure).log(message);
      return;
    }
    synchronized (System.err) { // one alert, not mixed with another thread's
      System.err.println("Rondo: " + message);
      if (failure != null) {
        failure.printStackTrace();
      }
    }
  }
}
