package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.slf4j.MDC;

/// Groups of loops, on real threads and sockets.
@EveryBackend
final class LoopGroupTest {

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean mountedTask;

  private LoopGroup group() {
    return Application.builder().backend(backend).withoutWatchdog().loops("test", 2);
  }

  private static void untilShutdown(GroupLoop loop) {
    loop.app().await(loop.app().shutdownRequested());
  }

  @Test
  void run_eachLoop_runsMainOnAThreadOfItsName() {
    Set<String> names = ConcurrentHashMap.newKeySet();
    Set<Application> applications = ConcurrentHashMap.newKeySet();
    group()
        .run(loop -> {
          assertSame(loop.app(), Application.current());
          assertEquals("test-" + loop.index(), loop.name());
          names.add(loop.name());
          applications.add(loop.app());
        });
    assertEquals(Set.of("test-0", "test-1"), names);
    assertEquals(2, applications.size());
  }

  @Test
  void start_loopsRun_leavesNoThreadBehind() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (LoopGroup group = group()) {
      var named = new CountDownLatch(2);
      var end =
          group.start(loop -> {
            loop.app()
                .post(() -> {
                  threads.add(Thread.currentThread());
                  assertEquals(loop.name(), MDC.get(LoopGroup.MDC_KEY));
                  named.countDown();
                });
            untilShutdown(loop);
          });
      if (backend.name().equals("BOUND")) {
        named.countDown(); // actions run on helper threads there
      }
      assertFalse(end.isDone());
      assertTrue(group.dump().contains("test-0"), group.dump());
      assertTrue(group.dump().contains("test-1"), group.dump());
    }
    threads.stream().filter(each -> !each.isVirtual()).forEach(each -> assertFalse(each.isAlive()));
  }

  @Test
  void run_oneMainFails_endsAllAndThrowsThat() {
    var failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                group()
                    .run(loop -> {
                      if (loop.index() == 1) {
                        throw new IllegalStateException("broken");
                      }
                      untilShutdown(loop);
                    }));
    assertEquals("broken", failure.getMessage());
  }

  @Test
  void run_anotherTaskFails_othersGoOn() {
    group()
        .run(loop -> {
          if (loop.index() == 1) {
            untilShutdown(loop);
            return;
          }
          var failing =
              loop.group()
                  .spawnOn(
                      1,
                      "failing",
                      other -> {
                        throw new IOException("only this");
                      });
          var failure =
              assertThrows(
                  IOException.class,
                  () -> loop.app().await(loop.app().scheduler().completion(failing)));
          assertEquals("only this", failure.getMessage());
          assertEquals(
              1,
              loop.app()
                  .await(
                      loop.app()
                          .scheduler()
                          .completion(loop.group().spawnOn(1, "next", GroupLoop::index))));
          loop.group().stop();
        });
  }

  @Test
  void spawnOn_anotherLoop_runsThereAndItsStateStays() throws Exception {
    try (LoopGroup group = group()) {
      int[] counts = new int[2];
      group.start(LoopGroupTest::untilShutdown);
      for (int i = 0; i < 100; i++) {
        int index = i % 2;
        group
            .spawnOn(
                index,
                "count",
                loop -> {
                  assertEquals(index, loop.index());
                  loop.app().yield();
                  return ++counts[index]; // confined to the loop
                })
            .get();
      }
      assertEquals(50, group.spawnOn(0, "read", loop -> counts[0]).get());
      assertEquals(50, group.spawnOn(1, "read", loop -> counts[1]).get());
    }
  }

  @Test
  void spawnOnLeastBusy_oneLoopHasTasks_takesTheOther() throws Exception {
    try (LoopGroup group = group()) {
      group.start(LoopGroupTest::untilShutdown);
      var open = new CompletableFuture<Void>();
      var first =
          group.spawnOnLeastBusy(
              "first",
              loop -> {
                loop.app().await(loop.app().scheduler().completion(open));
                return loop.index();
              });
      var second = group.spawnOnLeastBusy("second", GroupLoop::index);
      assertEquals(1, second.get());
      open.complete(null);
      assertEquals(0, first.get());
    }
  }

  @Test
  void spawnOn_futureIsCancelled_soIsTheTask() throws Exception {
    try (LoopGroup group = group()) {
      group.start(LoopGroupTest::untilShutdown);
      var begun = new CountDownLatch(1);
      var unwound = new CountDownLatch(1);
      var future =
          group.spawnOn(
              0,
              "endless",
              loop -> {
                begun.countDown();
                try {
                  untilShutdown(loop);
                } finally {
                  unwound.countDown();
                }
                return null;
              });
      begun.await();
      assertTrue(future.cancel(false));
      unwound.await();
    }
  }

  @Test
  void spawnOn_groupHasEnded_isRefused() {
    LoopGroup group = group();
    assertThrows(RejectedExecutionException.class, () -> group.spawnOn(0, "early", loop -> null));
    group.run(loop -> {});
    assertThrows(RejectedExecutionException.class, () -> group.spawnOn(0, "late", loop -> null));
    assertThrows(
        RejectedExecutionException.class, () -> group.spawnOnLeastBusy("late", loop -> null));
    assertThrows(IndexOutOfBoundsException.class, () -> group.spawnOn(2, "none", loop -> null));
    assertThrows(IllegalStateException.class, () -> group.run(loop -> {}));
  }

  @Test
  void shutdown_allLoops_drainAndEnd() {
    LoopGroup group = group();
    var end = group.start(LoopGroupTest::untilShutdown);
    assertEquals(0, group.shutdown(Duration.ofMinutes(1), Duration.ZERO).join().size());
    end.join();
  }

  @Test
  void start_oneLoopCannotBeBuilt_theFutureFails() {
    try (LoopGroup group =
        Application.builder()
            .backend(backend)
            .addOn(scheduler -> {
              throw new IllegalStateException("no add-on");
            })
            .loops(2)) {
      var failure =
          assertThrows(CompletionException.class, () -> group.start(loop -> {}).join()).getCause();
      assertEquals("no add-on", failure.getMessage());
    }
  }

  @Test
  void loops_wrongArguments_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> Application.builder().loops(0));
    assertThrows(
        IllegalStateException.class,
        () -> Application.builder().clock(VirtualClock.create()).loops(2));
  }

  /// The system deals connections out by a hash: of so many, all on one loop would be one in 2^39.
  @Test
  void listen_onAllLoops_connectionsAreSpreadAndStay() throws Exception {
    int connections = 40;
    var port = new CompletableFuture<Integer>();
    var listening = new CountDownLatch(2);
    int[] seen = new int[2];
    try (LoopGroup group = group()) {
      group.start(loop -> {
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var listener = loop.listen(any)) {
          port.complete(listener.port());
          listening.countDown();
          while (true) {
            var socket = listener.accept();
            loop.app()
                .spawn(
                    "connection",
                    () -> {
                      try (socket) {
                        socket.input().read();
                        seen[loop.index()]++;
                        socket.output().write(loop.index());
                      }
                    });
          }
        }
      });
      listening.await();
      int[] answers = new int[2];
      for (int i = 0; i < connections; i++) {
        try (var client = new Socket(InetAddress.getLoopbackAddress(), port.get())) {
          client.getOutputStream().write(1);
          answers[client.getInputStream().read()]++;
        }
      }
      assertEquals(connections, IntStream.of(answers).sum());
      assertNotEquals(0, answers[0]);
      assertNotEquals(0, answers[1]);
      assertEquals(answers[0], group.spawnOn(0, "seen", loop -> seen[0]).get());
      assertEquals(answers[1], group.spawnOn(1, "seen", loop -> seen[1]).get());
    }
    assertThrows(
        IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port.get()).close());
  }
}
