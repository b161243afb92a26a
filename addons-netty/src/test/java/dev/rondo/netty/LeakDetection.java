package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/// Netty's leak detector, with every test of this module: JUnit finds it as a service. What it has
/// found of earlier tests fails the next one.
public final class LeakDetection implements BeforeAllCallback, AfterEachCallback {

  private static final ListAppender<ILoggingEvent> LEAKS = new ListAppender<>();

  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);

  static {
    LEAKS.start();
    LOGGER.addAppender(LEAKS);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    assertNone();
  }

  /// Has reports printed or not; they are found in any case.
  static void print(boolean wanted) {
    LOGGER.setAdditive(wanted);
  }

  /// Whether a leak was reported that has failed no test yet.
  static boolean hasFound() {
    return !LEAKS.list.isEmpty();
  }

  /// Fails with what was reported since the last call.
  static void assertNone() {
    List<ILoggingEvent> found = List.copyOf(LEAKS.list);
    LEAKS.list.clear();
    assertEquals(List.of(), found, "reports of Netty's leak detector");
  }
}
