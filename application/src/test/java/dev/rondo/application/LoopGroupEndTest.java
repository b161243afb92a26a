package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The end of a group at moments at which it is seldom asked for.
final class LoopGroupEndTest extends BackendTest {

  private LoopGroup group() {
    return Application.builder().backend(backend).withoutWatchdog().loops("ending", 2);
  }

  @Test
  @SuppressWarnings("try") // closes it explicitly
  void close_byATaskOfALoop_isRefusedAndTheGroupGoesOn() {
    try (LoopGroup group = group()) {
      group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
      var closing =
          group.spawnOn(
              1,
              "closer",
              loop -> {
                group.close();
                return "";
              });
      var failure = assertThrows(CompletionException.class, closing::join);
      assertEquals(IllegalStateException.class, failure.getCause().getClass());
      assertEquals("alive", group.spawnOn(0, "other", loop -> "alive").join());
    }
  }

  @Test
  void shutdown_beforeTheStart_noMainRuns() {
    var runs = new AtomicInteger();
    try (LoopGroup group = group()) {
      group.shutdown(Duration.ZERO, Duration.ZERO).join();
      try {
        group.run(loop -> runs.incrementAndGet());
      } catch (IllegalStateException e) {
        // either way no main has run
      }
      assertEquals(0, runs.get());
    }
  }
}
