package dev.rondo.benchmarks;

import dev.rondo.application.Application;
import java.io.IOException;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// A single task that only yields, alone and beside idle add-ons: a thousand sleepers in the time
/// add-on, and a listening socket in the IO add-on. The difference is the cost of add-ons for a
/// busy loop: each add-on has a turn every 50 microseconds, which for IO contains a `selectNow`, on
/// any backend. [SwitchBenchmark] measures the yield itself.
public class HotLoopBenchmark extends NanosPerOperation {
  private static final int YIELDS = 1_000_000;
  private static final int SLEEPERS = 1_000;

  /// The add-on beside the task.
  @Param({"nothing", "sleepers", "sleepersAndListener"})
  public String beside = "nothing";

  private final Application app = Application.builder().build();

  @Setup(Level.Trial)
  public void fill() {
    app.start(self -> {
      if (!beside.equals("nothing")) {
        for (int i = 0; i < SLEEPERS; i++) {
          var sleeper = app.scheduler().newTask("sleeper", () -> app.sleep(Duration.ofDays(1)));
          app.scheduler().scheduleTask(sleeper.daemon());
        }
      }
      if (beside.equals("sleepersAndListener")) {
        var acceptor = app.scheduler().newTask("acceptor", this::accept);
        app.scheduler().scheduleTask(acceptor.daemon());
      }
      app.sleep(Duration.ofMillis(10)); // until they wait
    });
  }

  private void accept() throws IOException {
    try (var listener = app.listen(0)) {
      listener.accept();
    }
  }

  @TearDown
  public void close() {
    app.close();
  }

  @Benchmark
  @OperationsPerInvocation(YIELDS)
  public void rondo() {
    app.start(self -> {
      for (int i = 0; i < YIELDS; i++) {
        self.yield();
      }
    });
  }
}
