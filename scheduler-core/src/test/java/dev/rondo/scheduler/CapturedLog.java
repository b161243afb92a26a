package dev.rondo.scheduler;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/// What Rondo logs meanwhile; it stays out of the console.
final class CapturedLog implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Scheduler.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  CapturedLog() {
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
  }

  List<String> lines() {
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
