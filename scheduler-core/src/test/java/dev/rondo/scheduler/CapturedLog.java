package dev.rondo.scheduler;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// Captures what Rondo logs while it is open, and keeps it out of the console.
public final class CapturedLog implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Scheduler.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  /// Begins to capture.
  public CapturedLog() {
    appender.list = new CopyOnWriteArrayList<>(); // other threads log, too
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
  }

  /// {@return each level and message so far}
  public List<String> lines() {
    return appender.list.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.setAdditive(true);
    logger.detachAppender(appender);
  }
}
