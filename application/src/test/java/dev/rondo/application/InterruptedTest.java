package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The effect of an interrupt on an application: docs/inside/semantics.md, rule 38.
@EveryBackend
@BackendsDiffer
final class InterruptedTest {

  @Parameter(0)
  CoroutineBackend backend;

  private Application newApplication() {
    return Application.builder().backend(backend).clock(new VirtualClock()).bare().build();
  }

  @Test
  void byATaskThatRestoresTheFlag_theApplicationGoesOn() {
    try (var app = newApplication()) {
      app.start(main -> {
        app.spawn(
            "handler",
            () -> {
              try {
                throw new InterruptedException("from a library");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the usual idiom
              }
            });
        app.sleep(Duration.ofSeconds(2));
        app.exit(5);
      });
      assertEquals(5, app.exitCode());
    }
  }

  @Test
  void fromOutside_endsTheApplicationWithAnExitCode() {
    Thread loop = Thread.currentThread();
    try (var app = newApplication()) {
      app.start(main -> {
        Thread other = Thread.ofPlatform().start(loop::interrupt);
        while (other.isAlive()) {
          Thread.onSpinWait();
        }
        app.sleep(Duration.ofSeconds(2));
        app.exit(5);
      });
      assertTrue(Thread.interrupted(), "the caller does not find it");
      assertEquals(ExitCode.INTERRUPTED, app.exitCode());
    }
  }
}
