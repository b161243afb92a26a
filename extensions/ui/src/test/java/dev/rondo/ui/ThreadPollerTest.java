package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the poller with an event loop on a thread: no wake is lost.
class ThreadPollerTest {

  /// A minimal event loop.
  private static final class ThreadLoop implements EventLoop {
    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "ui");
    private volatile boolean ended;
    private final AtomicInteger most = new AtomicInteger();

    ThreadLoop() {
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      try {
        while (!ended) {
          events.take().run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void post(Runnable event) {
      events.add(event);
      most.accumulateAndGet(events.size(), Math::max);
    }

    @Override
    public boolean isUiThread() {
      return Thread.currentThread() == thread;
    }

    void end() {
      post(() -> ended = true);
    }
  }

  private final ThreadLoop loop = new ThreadLoop();

  @AfterEach
  void endLoop() {
    loop.end();
  }

  private static ApplicationBuilder builder() {
    return Application.builder().backend(CoroutineBackends.continuation()).bare();
  }

  private UiHost host() {
    return UiHost.on(loop).application(builder());
  }

  @Test
  void run_wokenByManyThreads_losesNoWake() {
    int threads = 4;
    int calls = 5_000;
    host()
        .run(app -> {
          var all = new Promise<>(app.scheduler(), "all");
          int[] left = {threads * calls};
          for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
              for (int call = 0; call < calls; call++) {
                app.execute(() -> {
                  assertTrue(loop.isUiThread());
                  if (--left[0] == 0) {
                    boolean _ = all.fulfill(null);
                  }
                });
                Thread.onSpinWait();
              }
            });
          }
          app.await(all);
        });
    assertEquals(1, loop.most.get());
  }

  @Test
  void run_pingPongWithAnotherThread_losesNoWake() {
    host()
        .run(app -> {
          for (int i = 0; i < 2_000; i++) {
            int ball = i;
            assertEquals(ball, app.blocking(() -> ball));
          }
        });
    assertEquals(1, loop.most.get());
  }

  @Test
  void run_echoOverSockets_deliversEverything() {
    host()
        .run(app -> {
          try (var listener =
              app.io().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            app.spawn(
                "echo",
                () -> {
                  try (var peer = listener.accept()) {
                    peer.input().transferTo(peer.output());
                  }
                });
            try (var socket = app.io().connect(listener.localAddress())) {
              for (int i = 0; i < 200; i++) {
                socket.output().write(i);
                assertEquals(i, socket.input().read());
                app.sleep(Duration.ofNanos(i * 10_000L));
              }
            }
          }
        });
  }

  @Test
  void run_sleeps_neverEarly() {
    host()
        .run(app -> {
          for (int micros = 0; micros < 3_000; micros += 250) {
            long deadline = System.nanoTime() + micros * 1_000L;
            app.sleep(Duration.ofNanos(micros * 1_000L));
            assertTrue(micros == 0 || System.nanoTime() - deadline >= 0, micros + " us");
          }
        });
  }

  @Test
  void run_mainFails_throwsItOnTheCallersThread() {
    var e =
        assertThrows(
            IllegalStateException.class,
            () ->
                host()
                    .run(app -> {
                      throw new IllegalStateException("boom");
                    }));
    assertEquals("boom", e.getMessage());
  }

  @Test
  void run_interrupted_stopsTheApplication() throws Exception {
    var began = new CountDownLatch(1);
    var seen = new ArrayList<String>();
    var caller =
        new Thread(() -> {
          host()
              .run(app -> {
                began.countDown();
                try {
                  app.sleep(Duration.ofDays(1));
                } finally {
                  seen.add("cleaned");
                }
              });
          seen.add(Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
        });
    caller.start();
    began.await();
    caller.interrupt();
    caller.join();
    assertEquals("[cleaned, interrupted]", seen.toString());
  }

  @Test
  void start_uiThreadEnds_endsWithAFailure() throws Exception {
    var end =
        host()
            .start(app -> {
              loop.end();
              app.sleep(Duration.ofDays(1));
            });
    var e = assertThrows(ExecutionException.class, end::get);
    assertTrue(e.getCause().getMessage().contains("UI thread ended"), e::getMessage);
    loop.thread.join();
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("rondo ui poller"))
            .anyMatch(ThreadPollerTest::lives));
  }

  /// An abandoned poller ends by itself, some time later.
  private static boolean lives(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return thread.isAlive();
  }
}
