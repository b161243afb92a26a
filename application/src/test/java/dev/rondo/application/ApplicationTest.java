package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Tests of applications on every backend, under a virtual clock.
@EveryBackend
@BackendsDiffer
final class ApplicationTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();
  private final List<Object> log = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  private ApplicationBuilder builder() {
    ApplicationBuilder builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .bare()
            .failureHandler((where, failure) -> failures.add(failure));
    return builder;
  }

  @AfterEach
  void noFailureWasUnobserved() {
    assertEquals(List.of(), failures);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private void log(String word) {
    log.add(word + "@" + clock.elapsed().toMillis());
  }

  @Test
  void run_noWorkLeft_ends() {
    builder().run(app -> log("main"));
    assertEquals(List.of("main@0"), log);
  }

  @Test
  void run_tasksAreLeftWhenMainEnds_waitsForThem() {
    builder()
        .run(app -> {
          app.spawn(() -> {
            app.sleep(ms(100));
            log("child");
          });
          log("main");
        });
    assertEquals(List.of("main@0", "child@100"), log);
  }

  @Test
  void run_delayAndPeriodic_keepItRunningUntilStopped() {
    builder()
        .run(app -> {
          app.periodic(ms(10), () -> log("tick"));
          app.delay(ms(35), app::stop);
        });
    assertEquals(List.of("tick@10", "tick@20", "tick@30"), log);
  }

  @Test
  void run_onlyWheneverAndOnSignalAreLeft_ends() {
    builder()
        .run(app -> {
          app.whenever(() -> false, () -> log("whenever"));
          app.onSignal("never", () -> log("signal"));
          log("main");
        });
    assertEquals(List.of("main@0"), log);
  }

  @Test
  void run_mainFailsUnchecked_throwsJustThat() {
    var failure = new IllegalArgumentException("no");
    var thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                builder()
                    .run(app -> {
                      throw failure;
                    }));
    assertSame(failure, thrown);
  }

  @Test
  void run_mainFailsChecked_throwsItWrapped() {
    var failure = new IOException("no");
    var thrown =
        assertThrows(
            TaskFailedException.class,
            () ->
                builder()
                    .run(app -> {
                      throw failure;
                    }));
    assertSame(failure, thrown.getCause());
    assertTrue(thrown.getMessage().contains("'main'"), thrown.getMessage());
  }

  @Test
  void run_mainFailsWhileOthersRun_stopsThemAndTheirFinallyRuns() {
    assertThrows(
        IllegalStateException.class,
        () ->
            builder()
                .run(app -> {
                  app.spawn(() -> {
                    try {
                      app.sleep(Duration.ofDays(1));
                    } finally {
                      log("finally");
                    }
                  });
                  app.yield();
                  throw new IllegalStateException("main");
                }));
    assertEquals(List.of("finally@0"), log);
  }

  @Test
  void run_stopped_cancelsWhatIsLeftAndRunsEveryFinally() {
    builder()
        .run(app -> {
          app.spawn(() -> {
            try {
              app.waitFor(() -> false);
            } catch (TaskCancelled e) {
              log("cancelled");
              throw e;
            }
          });
          app.delay(ms(5), app::stop);
          try {
            app.sleep(Duration.ofDays(1));
          } finally {
            log("main");
          }
        });
    assertEquals(List.of("cancelled@5", "main@5"), log);
  }

  @Test
  void run_nothingCanWakeMain_throwsDeadlockThatNamesIt() {
    var thrown =
        assertThrows(
            DeadlockException.class, () -> builder().run(app -> app.waitForSignal("never sent")));
    assertTrue(thrown.getMessage().contains("'main'"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("never sent"), thrown.getMessage());
  }

  @Test
  void run_onHandoffFromPlatformThread_drivesTheLoopOnAVirtualThread() {
    var loop = new AtomicReference<Thread>();
    builder().run(app -> app.execute(() -> loop.set(Thread.currentThread())));
    assertEquals(!backend.sharesThread(), loop.get().isVirtual()); // on BOUND it is a helper thread
  }

  /// One of very many causes. It has no stack trace.
  private static final class Link extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Link(Throwable cause) {
      super("link", cause, true, false);
    }
  }

  /// A long chain of tasks that join each other makes such a failure.
  @Test
  void run_failureWithVeryManyCauses_throwsIt() {
    RuntimeException failure = new IllegalStateException("first");
    for (int i = 0; i < 20_000; i++) {
      failure = new Link(failure);
    }
    RuntimeException last = failure;
    Application.Main main =
        app -> {
          throw last;
        };
    assertSame(last, assertThrows(Link.class, () -> builder().run(main)));
  }

  @Test
  void exit_withACode_isTheCodeOfTheRun() {
    try (Application app = builder().build()) {
      app.start(self -> self.exit(3));
      assertEquals(3, app.exitCode());
      app.start(self -> {});
      assertEquals(0, app.exitCode());
      app.start(self -> self.exit(4));
      assertEquals(4, app.exitCode());
    }
  }

  @Test
  void exit_byAnotherThreadBeforeTheRun_endsItWithTheCode() throws InterruptedException {
    try (Application app = builder().build()) {
      inAThread(() -> app.exit(7));
      app.start(self -> log("main"));
      assertEquals(7, app.exitCode());
      assertEquals(List.of(), log);
      app.start(self -> log("second main"));
      assertEquals(0, app.exitCode());
      assertEquals(List.of("main@0", "second main@0"), log); // the first was left over
    }
  }

  @Test
  void exit_severalTimes_theLastCodeCounts() throws InterruptedException {
    try (Application app = builder().build()) {
      app.start(self -> {
        self.exit(5);
        self.exit(3);
      });
      assertEquals(3, app.exitCode());
      inAThread(() -> app.exit(7));
      inAThread(() -> app.exit(0));
      app.start(self -> log("main"));
      assertEquals(0, app.exitCode());
    }
  }

  @Test
  void exit_onItsOwnThreadWithoutARun_endsNone() {
    try (Application app = builder().build()) {
      app.exit(7);
      app.start(self -> log("main"));
      assertEquals(0, app.exitCode());
      assertEquals(List.of("main@0"), log);
    }
  }

  @Test
  void exit_byAnotherThreadAfterTheRun_isTheCodeOfTheApplication() throws InterruptedException {
    try (Application app = builder().build()) {
      app.start(self -> {});
      inAThread(() -> app.exit(7));
      assertEquals(7, app.exitCode());
    }
  }

  private static void inAThread(Runnable code) throws InterruptedException {
    var thread = new Thread(code);
    thread.start();
    thread.join();
  }

  @Test
  void start_again_handlersOfTheFirstRunAreStillThere() {
    try (Application app = builder().build()) {
      app.start(self -> self.onSignal("go", () -> log("handler")));
      assertEquals(List.of(), log);
      app.start(self -> {
        self.signalAll("go");
        self.sleep(ms(1));
      });
      assertEquals(List.of("handler@0"), log);
    }
  }

  @Test
  void start_inATask_isRefused() {
    builder()
        .run(app -> {
          var thrown =
              assertThrows(IllegalStateException.class, () -> app.start(self -> log("inner")));
          assertTrue(thrown.getMessage().contains("spawn"), thrown.getMessage());
        });
    assertEquals(List.of(), log);
  }

  @Test
  void start_closed_isRefused() {
    Application app = builder().build();
    app.close();
    app.close();
    assertThrows(IllegalStateException.class, () -> app.start(self -> {}));
    assertThrows(RejectedExecutionException.class, () -> app.execute(() -> {}));
  }

  @Test
  void current_inATask_isTheApplicationAndOutsideIsRefused() {
    var found = new AtomicReference<Application>();
    try (Application app = builder().build()) {
      app.start(self -> found.set(Application.current()));
      assertSame(app, found.get());
    }
    var thrown = assertThrows(IllegalStateException.class, Application::current);
    assertTrue(thrown.getMessage().contains("inside of a task"), thrown.getMessage());
  }

  @Test
  void current_inASchedulerWithoutApplication_saysSo() {
    try (Scheduler bare = Scheduler.builder().backend(backend).build()) {
      bare.spawn(() -> assertThrows(IllegalStateException.class, Application::current));
      bare.start();
    }
  }

  /// An add-on that knows whether it is closed.
  private static final class Own implements AddOn {
    private boolean closed;

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void addOn_ofOnesOwn_isFoundByItsClassAndClosed() {
    var own = new Own();
    builder()
        .addOn(scheduler -> own)
        .run(app -> {
          assertSame(own, app.addOn(Own.class));
          var missing = assertThrows(NoSuchElementException.class, () -> app.addOn(Runnable.class));
          assertTrue(missing.getMessage().contains("addOn(Runnable::new)"), missing::getMessage);
          assertThrows(
              IllegalStateException.class, () -> app.scheduler().host().install(new Own()));
          assertFalse(own.closed);
        });
    assertTrue(own.closed);
  }

  @Test
  void staticMethods_inATask_areThoseOfItsApplication() {
    builder()
        .run(app -> {
          Rondo.delay(ms(30), () -> log("delay"));
          var ticker = Rondo.periodic(ms(20), () -> log("tick"));
          Rondo.when(
              () -> log.contains("delay@30"),
              () -> {
                log("when");
                Rondo.signalAll("seen");
              });
          Rondo.spawn(() -> {
            Rondo.waitForSignal("seen");
            log("signal");
          });
          Rondo.sleep(ms(50));
          ticker.cancel();
          assertEquals(7, Rondo.spawn(() -> 7).join());
          assertThrows(
              TimedOutException.class,
              () ->
                  app.within(
                      ms(5),
                      () -> {
                        Rondo.sleep(ms(500));
                        return null;
                      }));
          log("end");
        });
    assertEquals(List.of("tick@20", "delay@30", "when@30", "signal@30", "tick@40", "end@55"), log);
  }

  @Test
  void runningTime_underAVirtualClock_isVirtual() {
    builder()
        .run(app -> {
          app.sleep(Duration.ofHours(3));
          assertEquals(Duration.ofHours(3), app.runningTime());
        });
  }

  @Test
  void shutdownLimits_negative_isRefused() {
    var thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> Application.builder().shutdownLimits(Duration.ZERO, Duration.ofSeconds(-1)));
    assertEquals("cleanUp must not be negative, but is -1 s", thrown.getMessage());
  }
}
