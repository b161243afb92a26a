package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// A main task that outlives its run: nothing throws its failure, so the failure is reported.
@EveryBackend
final class MainLeftOverTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final List<String> reported = new ArrayList<>();

  private ApplicationBuilder builder() {
    return Application.builder()
        .backend(backend)
        .clock(new VirtualClock())
        .bare()
        .failureHandler((where, failure) -> reported.add(where + ": " + failure.getMessage()));
  }

  @Test
  void run_mainFailsWhileItCleansUp_isReported() {
    builder()
        .run(app -> {
          app.stop();
          try {
            app.yield();
          } finally {
            fail("clean-up");
          }
        });
    assertEquals(List.of("task 'main': clean-up"), reported);
  }

  private static void fail(String message) {
    throw new IllegalStateException(message);
  }

  @Test
  void start_earlierMainFails_isReported() {
    try (Application app = builder().build()) {
      var earlier = new AtomicReference<Task<?>>();
      app.start(self -> {
        earlier.set(self.scheduler().currentTask());
        self.stop();
        self.scheduler().suspend();
        fail("earlier");
      });
      app.start(self -> self.scheduler().scheduleTask(earlier.get()));
    }
    assertEquals(List.of("task 'main': earlier"), reported);
  }
}
