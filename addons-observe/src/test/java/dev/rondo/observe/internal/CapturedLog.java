package dev.rondo.observe.internal;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.rondo.scheduler.Scheduler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/// Captures what Rondo logs while it is open, and keeps it out of the console.
final class CapturedLog implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Scheduler.class);
  private final CountDownLatch logged = new CountDownLatch(1);
  private final ListAppender<ILoggingEvent> appender =
      new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
          super.append(event);
          logged.countDown();
        }
      };

  /// Begins to capture.
  CapturedLog() {
    appender.list = new CopyOnWriteArrayList<>(); // other threads log, too
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
  }

  /// {@return each level and message so far}
  List<String> lines() {
    return appender.list.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  /// Blocks the calling thread until there is a line, and returns the first.
  String awaitLine() throws InterruptedException {
    logged.await();
    return lines().getFirst();
  }

  @Override
  public void close() {
    logger.setAdditive(true);
    logger.detachAppender(appender);
  }
}
