package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/// Executor services as other threads see them: the calls are made on a thread that may block and
/// does not belong to the application. The clock is virtual and jumps although that thread blocks.
@EveryBackend
abstract class ExecutorRig {

  @Parameter(0)
  CoroutineBackend backend;

  final VirtualClock clock = new VirtualClock().autojump(VirtualClock.Autojump.ALWAYS);

  /// Written by the application's thread; read after the end of that thread or of a future.
  final List<Object> log = new ArrayList<>();

  final List<Throwable> failures = new ArrayList<>();

  @AfterEach
  final void noFailureWasUnobserved() {
    assertEquals(List.of(), failures);
  }

  interface Body {
    void run(ListeningScheduledExecutorService service) throws Exception;
  }

  /// Makes calls from outside, then shuts down.
  final void outside(Body body) {
    ApplicationBuilder builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .bare()
            .failureHandler((where, failure) -> failures.add(failure));
    builder.run(app -> {
      ListeningScheduledExecutorService service = app.newExecutorService();
      app.blocking(() -> {
        body.run(service);
        return null;
      });
      service.shutdown();
    });
  }

  final void log(String word) {
    log.add(word + "@" + clock.elapsed().toMillis());
  }

  final Callable<String> sleeping(String word, long millis) {
    return () -> {
      Rondo.sleep(Duration.ofMillis(millis));
      log(word);
      return word;
    };
  }

  static void never() {
    Rondo.sleep(Duration.ofDays(1));
  }
}
