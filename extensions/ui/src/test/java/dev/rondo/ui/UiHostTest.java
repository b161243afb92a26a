package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.application.ExitCode;
import dev.rondo.application.Rondo;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of applications in an event loop: slices, waiting, waking, ending.
class UiHostTest extends UiRig {

  private static final Duration MILLI = Duration.ofMillis(1);

  /// The application, for listeners.
  private final AtomicReference<Application> running = new AtomicReference<>();

  // Starting and ending.

  @Test
  void start_mainReturns_endsOnTheUiThreadAndLetsGo() {
    var end =
        start(app -> {
          assertTrue(loop.isUiThread());
          assertEquals(1, loop.holds());
          trace.add("main");
        });
    assertFalse(end.isDone(), "main must not run before the event loop does");
    var endedOn = end.thenApply(code -> Thread.currentThread());
    loop.run();
    assertEquals(0, end.join());
    assertSame(Thread.currentThread(), endedOn.join());
    assertTrace("main");
  }

  @Test
  void start_exit_isTheResult() {
    assertEquals(7, runToEnd(start(app -> app.exit(7))));
  }

  @Test
  void start_mainFails_isTheFailureAfterTheOthersHaveCleanedUp() {
    var failure = new IllegalStateException("boom");
    var end =
        start(app -> {
          app.spawn(() -> {
            try {
              app.sleep(Duration.ofDays(1));
            } finally {
              app.scheduler()
                  .shielded(() -> {
                    app.sleep(MILLI);
                    return null;
                  });
              trace.add("cleaned");
            }
          });
          app.yield();
          throw failure;
        });
    loop.run();
    assertFalse(end.isDone(), "the other task has not cleaned up");
    poller().elapse();
    loop.run();
    assertSame(failure, failureOf(end));
    assertTrace("cleaned");
  }

  @Test
  void start_mainFailsWithAChecked_isWrapped() {
    var end =
        start(app -> {
          throw new IOException("disk on fire");
        });
    loop.run();
    assertTrue(failureOf(end) instanceof TaskFailedException);
  }

  @Test
  void run_mainFailsAsAJoinDoes_isThatFailure() {
    runFailsWith(new CancellationException("not needed"));
    runFailsWith(new CompletionException("of a future", new IOException("broken")));
  }

  private static void runFailsWith(RuntimeException failure) {
    try (var thread = Executors.newSingleThreadExecutor()) {
      var ui =
          new EventLoop() {
            @Override
            public void post(Runnable event) {
              thread.execute(event);
            }

            @Override
            public boolean isUiThread() {
              return false;
            }
          };
      UiHost own = UiHost.on(ui).application(Application.builder().bare());
      var told =
          assertThrows(
              failure.getClass(),
              () ->
                  own.run(app -> {
                    throw failure;
                  }));
      assertSame(failure, told);
    }
  }

  @Test
  void start_aTaskFails_isReportedAndTheOthersGoOn() {
    var failure = new IllegalStateException("boom");
    var end =
        start(app -> {
          app.spawn(() -> {
            throw failure;
          });
          app.sleep(MILLI);
          trace.add("main");
        });
    runToEnd(end);
    assertTrace("main");
    assertEquals(List.of(failure), List.copyOf(reported));
    reported.clear();
  }

  @Test
  void start_severalTimesOneAfterTheOther_works() {
    UiHost host = host().application(builder());
    for (int i = 0; i < 3; i++) {
      int code = i;
      var end = host.start(app -> app.exit(code));
      loop.run();
      assertEquals(i, end.join());
    }
  }

  @Test
  void start_anotherRunsOnTheUiThread_fails() {
    var first = start(app -> app.sleep(MILLI));
    loop.run();
    var second =
        new UiHost(loop, (scheduler, run) -> new FakePoller(scheduler, run))
            .start(app -> trace.add("second"));
    loop.run();
    assertTrue(failureOf(second).getMessage().contains("one at a time"), second::toString);
    runToEnd(first);
  }

  @Test
  void run_onTheUiThread_isRefused() {
    var e = assertThrows(IllegalStateException.class, () -> host().run(app -> {}));
    assertTrue(e.getMessage().contains("start("), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"handoff", "bound"})
  void start_anotherBackend_isRefused(String name) {
    CoroutineBackend backend = CoroutineBackends.named(name);
    var end = host().application(builder().backend(backend)).start(app -> trace.add("main"));
    loop.run();
    String message = failureOf(end).getMessage();
    assertTrue(message.contains("CONTINUATION") && message.contains(backend.name()), message);
  }

  @Test
  void start_withAVirtualClock_isRefused() {
    ApplicationBuilder builder = builder();
    UiHost host = host().application(builder);
    builder.clock(new VirtualClock());
    var e = assertThrows(IllegalStateException.class, () -> host.start(app -> trace.add("main")));
    assertTrue(e.getMessage().contains(".clock(..)"), e::getMessage);
  }

  @Test
  void start_tasksOutliveTheGrace_isTheCodeOfThat() {
    var end =
        start(app -> {
          app.spawn(() ->
              app.scheduler().shielded(() -> app.await(new Promise<>(app.scheduler(), "never"))));
          app.yield();
          app.shutdown(MILLI, MILLI);
        });
    assertEquals(ExitCode.GRACE_EXCEEDED, runToEnd(end));
    reported.clear(); // the tasks that did not end
  }

  @Test
  void builder_ranWithoutTheHost_isRefused() {
    var builder = builder();
    var _ = host().application(builder);
    assertThrows(IllegalStateException.class, () -> builder.run(app -> trace.add("main")));
    assertThrows(
        IllegalStateException.class, () -> host().application(builder()).application(builder()));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void slice_notAboveZero_isRefused(long nanos) {
    assertThrows(IllegalArgumentException.class, () -> host().slice(Duration.ofNanos(nanos)));
  }

  @Test
  void slice_forEver_isSaturated() {
    var end =
        host()
            .application(builder())
            .slice(Duration.ofSeconds(Long.MAX_VALUE))
            .start(app -> trace.add("main"));
    assertEquals(ExitCode.SUCCESS, runToEnd(end));
    assertTrace("main");
  }

  // Slices.

  @Test
  void slice_tasksAreBusy_endsWithTheBudgetAndPostsOneEvent() {
    var turns = new ArrayList<Integer>();
    int[] count = {0};
    var end =
        start(app -> {
          for (int task = 0; task < 100; task++) {
            app.spawn(() -> {
              for (int i = 0; i < 10; i++) {
                clock.advance(MILLI.dividedBy(10));
                count[0]++;
                app.yield();
              }
            });
          }
        });
    while (loop.runOne()) {
      assertTrue(loop.posted() <= 1, "events at a time");
      turns.add(count[0]);
      count[0] = 0;
    }
    assertEquals(0, end.join());
    assertEquals(1_000, turns.stream().mapToInt(i -> i).sum());
    assertTrue(turns.stream().allMatch(n -> n <= 41), () -> "turns of 0.1 ms per slice: " + turns);
    assertTrue(
        turns.stream().skip(1).limit(20).allMatch(n -> n >= 39),
        () -> "turns of 0.1 ms per slice: " + turns);
    assertEquals(1, loop.most());
  }

  @Test
  void slice_aLongTurn_endsRightAfterIt() {
    var end =
        host()
            .application(builder())
            .slice(MILLI)
            .start(app -> {
              app.spawn(() -> trace.add("next"));
              clock.advance(Duration.ofSeconds(1));
              trace.add("long");
              app.yield();
            });
    loop.runOne();
    assertTrace("long");
    loop.run();
    assertTrue(end.isDone());
    assertTrace("next");
  }

  @Test
  void slice_betweenTwo_noTaskIsRunning() {
    var end =
        start(app -> {
          running.set(app);
          clock.advance(Duration.ofSeconds(1));
          app.yield();
        });
    loop.runOne();
    assertFalse(end.isDone());
    assertTrue(running.get().scheduler().inMainTask());
    assertThrows(IllegalStateException.class, () -> running.get().yield());
    loop.run();
  }

  // Waiting and waking.

  @Test
  void sleep_nothingElseToDo_postsNothingUntilTheDeadline() {
    long before = clock.read();
    var end =
        start(app -> {
          app.sleep(Duration.ofSeconds(3));
          trace.add("awake");
        });
    loop.run();
    assertTrue(poller().isWatching());
    assertEquals(1, poller().watches());
    assertEquals(before + 3_000_000_000L, poller().deadlineNanos);
    poller().elapse();
    assertEquals(1, loop.posted());
    loop.run();
    assertTrue(end.isDone());
    assertTrace("awake");
  }

  @Test
  void execute_onOtherThreadsWhileNothingIsToDo_postsOneEvent() throws Exception {
    var end =
        start(app -> {
          running.set(app);
          app.sleep(Duration.ofDays(1));
        });
    loop.run();
    var thread =
        new Thread(() -> {
          for (int i = 0; i < 100; i++) {
            running.get().execute(() -> trace.add("x"));
          }
          running.get().stop();
        });
    thread.start();
    thread.join();
    assertEquals(1, loop.posted());
    loop.run();
    assertTrue(end.isDone());
    trace.clear(); // after stop it need not run them all
  }

  @Test
  void listener_betweenSlices_wakesTheApplicationWithOneEvent() {
    var end =
        start(app -> {
          running.set(app);
          var promise = new Promise<String>(app.scheduler(), "pressed");
          app.spawn(() -> {
            trace.add(promise.claim());
          });
          loop.post(() -> {
            boolean _ = promise.fulfill("pressed");
            Rondo.spawn(() -> trace.add("spawned")); // static methods work there
            assertSame(running.get(), Application.current());
          });
        });
    loop.run();
    assertTrue(end.isDone());
    assertTrace("pressed spawned");
    assertEquals(1, loop.most());
    assertThrows(IllegalStateException.class, Application::current);
  }

  @Test
  void listener_endsTheLastTask_endsTheApplication() {
    var end =
        start(app -> {
          var delay = app.delay(Duration.ofDays(1), () -> {});
          loop.post(delay::cancel);
        });
    loop.run();
    assertTrue(end.isDone());
  }

  @Test
  void listener_armsAnEarlierTimer_movesTheDeadline() {
    var end =
        start(app -> {
          running.set(app);
          app.sleep(Duration.ofSeconds(10));
          trace.add("late");
        });
    loop.run();
    var _ = running.get().delay(Duration.ofSeconds(1), () -> trace.add("early"));
    loop.run();
    poller().elapse();
    loop.run();
    assertTrace("early");
    runToEnd(end);
    assertTrace("late");
  }

  @Test
  void stopWithGrace_inAListener_letsTasksCleanUp() {
    var end =
        start(app -> {
          running.set(app);
          try {
            app.await(app.shutdownRequested());
            app.sleep(MILLI);
            trace.add("drained");
            app.sleep(Duration.ofDays(1));
          } finally {
            trace.add("cleaned");
          }
        });
    loop.run();
    var _ = running.get().shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertEquals(0, runToEnd(end));
    assertTrace("drained cleaned");
  }

  @Test
  void noTaskCanBeWoken_inAUi_isNoDeadlock() {
    var end =
        start(app -> {
          running.set(app);
          app.await(new Promise<>(app.scheduler(), "never"));
        });
    loop.run();
    assertFalse(end.isDone());
    assertTrue(poller().isWatching());
    running.get().stop();
    loop.run();
    assertTrue(end.isDone());
  }
}
