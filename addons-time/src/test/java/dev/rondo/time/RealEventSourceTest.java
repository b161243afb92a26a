package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.rondo.scheduler.addon.EventSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// A [VirtualClock] that stands still in a source of real events.
final class RealEventSourceTest {

  private static final int EARLY_RETURNS = 3;

  private final List<String> log = new ArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(VirtualClock.class);
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
  private final VirtualClock clock =
      new VirtualClock(0, Duration.ofDays(1)).autojump(VirtualClock.Autojump.NEVER);

  @BeforeEach
  void listen() {
    warnings.start();
    logger.addAppender(warnings);
    logger.setAdditive(false);
  }

  @AfterEach
  void noWarning() {
    logger.detachAppender(warnings);
    logger.setAdditive(true);
    assertEquals(List.of(), warnings.list);
  }

  /// Some waits return early, with an event.
  private final class Source implements EventSource {

    @Override
    public boolean poll() {
      return false;
    }

    @Override
    public boolean await(long nanos) {
      log.add("await");
      return log.size() > EARLY_RETURNS;
    }

    @Override
    public void wakeup() {
      log.add("wakeup");
    }

    @Override
    public boolean isReal() {
      return true;
    }

    @Override
    public long untilNextNanos() {
      return FOREVER;
    }

    @Override
    public int waitCount() {
      return 1;
    }

    @Override
    public long waitsBegun() {
      return 1;
    }
  }

  @Test
  void standingStill_sourceReturnsEarly_isNoLongTime() {
    clock.joins(new Source());
    clock.idleUntil(1);
    assertEquals(List.of("await", "await", "await", "await"), log);
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void standingStill_wakeupThatAPollHasTaken_returnsAtOnce() {
    clock.joins(new Source());
    clock.wakeup();
    clock.pass();
    clock.idleUntil(1);
    assertEquals(List.of("wakeup"), log);
  }
}
