package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/// Netty's leak detector, with every test of a module: JUnit finds this class as a service, if the
/// module's `junit-platform.properties` allow it. What it has found of earlier tests fails the next
/// one. Needs Logback, which receives what Netty reports; the name of a logger and a property are
/// all that it knows of Netty.
public final class LeakDetection implements AfterEachCallback {

  private static final ListAppender<ILoggingEvent> LEAKS = new ListAppender<>();

  private static final Logger LOGGER =
      (Logger) LoggerFactory.getLogger("io.netty.util.ResourceLeakDetector");

  static {
    System.setProperty("io.netty.leakDetection.level", "paranoid"); // read by Netty's first buffer
    LEAKS.list = new CopyOnWriteArrayList<>(); // any thread reports
    LEAKS.start();
    LOGGER.addAppender(LEAKS);
  }

  /// Called by JUnit.
  public LeakDetection() {}

  @Override
  public void afterEach(ExtensionContext context) {
    assertNone();
  }

  /// Has reports printed or not; they are found in any case.
  ///
  /// @param wanted whether the logger prints them
  public static void print(boolean wanted) {
    LOGGER.setAdditive(wanted);
  }

  /// {@return whether a leak was reported that has failed no test yet}
  public static boolean hasFound() {
    return !LEAKS.list.isEmpty();
  }

  /// Fails with what was reported since the last call.
  public static void assertNone() {
    List<ILoggingEvent> found = List.copyOf(LEAKS.list);
    LEAKS.list.clear();
    assertEquals(List.of(), found, "reports of Netty's leak detector");
  }
}
