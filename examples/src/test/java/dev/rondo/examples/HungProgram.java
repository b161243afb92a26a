package dev.rondo.examples;

import dev.rondo.application.Application;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;

/// A program that hangs, as an application with the default settings: its tasks wait for what never
/// comes, or one of them keeps the loop. Prints a line when it can be asked from outside. Ends with
/// its input, and so with the process that has started it.
final class HungProgram {

  /// Argument: one task keeps the loop.
  static final String SPINS = "spins";

  static final String OPEN = "open";

  private HungProgram() {}

  static void main(String[] args) throws Exception {
    Thread.ofPlatform().daemon().start(HungProgram::haltWithInput);
    ManagementFactory.getPlatformMBeanServer()
        .addNotificationListener(
            MBeanServerDelegate.DELEGATE_NAME,
            (notification, handback) -> IO.println(OPEN),
            notification ->
                notification instanceof MBeanServerNotification registered
                    && registered.getMBeanName().getDomain().equals("dev.rondo"),
            null);
    Application.builder()
        .observers(o -> o.watchdog(Duration.ofDays(1))) // it may hang
        .run(app -> {
          app.spawn("guest", () -> app.waitForSignal("table free"));
          app.spawn("cook\u001b[2J", () -> app.sleep(Duration.ofHours(1)));
          if (args.length > 0) {
            app.yield();
            app.spawn("spinner", HungProgram::spin);
          }
        });
  }

  private static void haltWithInput() {
    try {
      var _ = System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // that is an end, too
    }
    Runtime.getRuntime().halt(0);
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
