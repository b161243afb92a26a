package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.Backoff;
import dev.rondo.time.Retry;
import dev.rondo.time.VirtualClock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Lambdas and method references as the compiler sees them where a method takes code: with or
/// without a result, with or without checked exceptions. Like a program, this class is not in one
/// of Rondo's packages.
@EveryBackend
final class VoidCodeTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final List<String> log = new ArrayList<>();

  private void run(Application.Main main) {
    Application.builder().backend(backend).clock(new VirtualClock()).bare().run(main);
  }

  private void work() {
    log.add("work");
  }

  private String answer() {
    log.add("answer");
    return "x";
  }

  @Test
  void within_codeWithoutResult_runsUnderTheLimit() {
    run(app -> {
      app.within(Duration.ofSeconds(1), this::work);
      app.within(Duration.ofSeconds(1), () -> work());
      assertThrows(
          TimedOutException.class,
          () -> app.within(Duration.ofSeconds(1), () -> app.sleep(Duration.ofSeconds(2))));
    });
    assertEquals(List.of("work", "work"), log);
  }

  @Test
  void blocking_codeWithoutResult_runsElsewhere() {
    run(app -> {
      app.blocking(() -> work());
      app.blocking(this::work);
      var open = new CountDownLatch(0);
      app.blocking(() -> open.await());
    });
    assertEquals(List.of("work", "work"), log);
  }

  @Test
  void blocking_referenceToAnOverloadedMethod_keepsItsResult() {
    run(app -> {
      var future = CompletableFuture.completedFuture("done");
      log.add(app.blocking(future::get));
    });
    assertEquals(List.of("done"), log);
  }

  @Test
  void shieldedAndScope_codeWithoutResult_run() {
    run(app -> {
      app.scheduler().shielded(() -> app.sleep(Duration.ofMillis(1)));
      app.scheduler().newScope("s").run(() -> work());
      app.scheduler().newScope("s").run(this::work);
    });
    assertEquals(List.of("work", "work"), log);
  }

  @Test
  void retry_codeWithoutResult_isRepeated() {
    run(app -> {
      Retry retry =
          new Retry(app.scheduler(), Backoff.exponential(5, Duration.ofSeconds(1)), new Random(1));
      retry.run(() -> {
        work();
        if (log.size() < 3) {
          throw new IllegalStateException("not yet");
        }
      });
    });
    assertEquals(List.of("work", "work", "work"), log);
  }

  @Test
  void codeWithResult_isNotTakenForCodeWithout() {
    run(app -> {
      String within = app.within(Duration.ofSeconds(1), this::answer);
      String elsewhere = app.blocking(() -> answer());
      String shielded = app.scheduler().shielded(this::answer);
      Task<String> task = app.spawn(() -> answer());
      assertEquals("xxxx", within + elsewhere + shielded + task.join());
    });
  }

  /// The compiler accepts exactly the exceptions that the code can throw.
  @Test
  void checkedExceptions_areThoseOfTheCode() {
    run(app -> {
      try {
        app.within(
            Duration.ofSeconds(1),
            () -> {
              throw new FileNotFoundException("a");
            });
      } catch (IOException e) {
        log.add(e.getMessage());
      }
      try {
        app.scheduler()
            .shielded(() -> {
              throw new FileNotFoundException("b");
            });
      } catch (IOException e) {
        log.add(e.getMessage());
      }
      try {
        app.blocking(() -> {
          throw new FileNotFoundException("c");
        });
      } catch (IOException e) {
        log.add(e.getMessage());
      }
    });
    assertEquals(List.of("a", "b", "c"), log);
  }

  @Test
  void spawn_loopWithoutEnd_isATaskWithoutResult() {
    run(app -> {
      Task<Void> loop =
          app.spawn(
              "loop",
              () -> {
                while (true) {
                  app.yield();
                }
              });
      app.yield();
      loop.cancel("enough");
    });
  }

  @Test
  void spawn_methodReference_compiles() {
    run(app -> {
      app.spawn(this::work);
      app.spawn("last", app::stop);
    });
    assertEquals(List.of("work"), log);
  }

  @Test
  void run_ofATaskCall_dropsItsResult() {
    TaskCall<String, RuntimeException> call = this::answer;
    call.run();
    assertEquals(List.of("answer"), log);
  }
}
