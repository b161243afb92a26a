package dev.rondo.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.rondo.application.Application;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/// A thousand tasks sleep for ten seconds: how much processor time the process takes meanwhile.
final class IdleCpu {

  private static final int SLEEPERS = 1_000;
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration WATCHED = Duration.ofSeconds(10);

  private IdleCpu() {}

  static void main() {
    Application.run(app -> {
      for (int i = 0; i < SLEEPERS; i++) {
        app.spawn("sleeper", () -> app.sleep(SETTLE.plus(WATCHED).plusSeconds(1)));
      }
      app.sleep(SETTLE); // the compilers have done their work
      long cpuBefore = cpuNanos();
      long wallBefore = System.nanoTime();
      app.sleep(WATCHED);
      long cpu = cpuNanos() - cpuBefore;
      long wall = System.nanoTime() - wallBefore;
      System.out.printf(
          Locale.ROOT,
          "%d sleeping tasks for %.2f s on %s: %.1f ms of processor time, %.3f %%%n",
          SLEEPERS,
          wall / 1e9,
          app.scheduler().backend().name(),
          cpu / 1e6,
          100.0 * cpu / wall);
      app.stop();
    });
  }

  private static long cpuNanos() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }
}
