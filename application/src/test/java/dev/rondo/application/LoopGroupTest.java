package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpSocket;
import dev.rondo.observe.Observers;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Groups of loops, on real threads and sockets.
@EveryBackend
final class LoopGroupTest {

  @Parameter(0)
  CoroutineBackend backend;

  private LoopGroup group() {
    return Application.builder().backend(backend).bare().loops("test", 2);
  }

  private static void untilShutdown(LoopGroup.Member loop) {
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
  void close_loopsRun_leavesNoThreadBehind() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var known = new CountDownLatch(2);
    try (LoopGroup group = group()) {
      var end =
          group.start(loop -> {
            boolean _ =
                LoopControl.of(loop.app().scheduler().host())
                    .configureThread(() -> {
                      threads.add(Thread.currentThread());
                      known.countDown();
                    });
            untilShutdown(loop);
          });
      known.await();
      assertFalse(end.isDone());
      assertEquals(
          Set.of("test-0", "test-1"),
          threads.stream().map(Thread::getName).collect(Collectors.toSet()));
    }
    threads.forEach(each -> assertFalse(each.isAlive()));
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
  void run_mainJoinsACancelledTask_failsAsTheJoinDoes() {
    var thrown = new CompletableFuture<CancellationException>();
    var told =
        assertThrows(
            CancellationException.class,
            () ->
                group()
                    .run(loop -> {
                      if (loop.index() == 1) {
                        untilShutdown(loop);
                        return;
                      }
                      Task<Void> part = loop.app().spawn("part", () -> untilShutdown(loop));
                      part.cancel("not needed");
                      try {
                        part.join();
                      } catch (CancellationException e) {
                        thrown.complete(e);
                        throw e;
                      }
                    }));
    assertSame(thrown.join(), told);
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
                          .completion(loop.group().spawnOn(1, "next", LoopGroup.Member::index))));
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

  /// On BOUND the call suspends only the task that makes it.
  @Test
  void spawnOn_theOwnLoopAndJoined_isRefusedWhereItWouldBlockTheLoop() throws Exception {
    try (LoopGroup group = group()) {
      group.start(LoopGroupTest::untilShutdown);
      String told = group.spawnOn(0, "asks", LoopGroupTest::joinOfAnOwnTask).get();
      assertTrue(
          told.equals("joined")
              || told.startsWith("join of the future of task 'own' by task 'asks' would block"),
          told);
    }
  }

  private static String joinOfAnOwnTask(LoopGroup.Member loop) {
    var own = loop.group().spawnOn(0, "own", LoopGroup.Member::index);
    try {
      own.join();
      return "joined";
    } catch (IllegalStateException e) {
      loop.app().await(loop.app().scheduler().completion(own));
      return e.getMessage();
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
      var second = group.spawnOnLeastBusy("second", LoopGroup.Member::index);
      assertEquals(1, second.get());
      open.complete(null);
      assertEquals(0, first.get());
    }
  }

  @Test
  void spawnOnLeastBusy_oneLoopHasFailedAndCleansUp_takesTheOther() throws Exception {
    var cleans = new CountDownLatch(1);
    var gate = new CompletableFuture<Void>();
    try (LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .failureHandler((where, failure) -> {})
            .loops("test", 2)
            .restartFailed(1, Duration.ofDays(1))) {
      group.start(loop -> {
        if (loop.index() == 0 && cleans.getCount() > 0) {
          failAndCleanUp(loop.app(), cleans, gate);
        }
        untilShutdown(loop);
      });
      cleans.await();
      try {
        assertEquals(1, group.spawnOnLeastBusy("after", LoopGroup.Member::index).get());
      } finally {
        gate.complete(null);
      }
    }
  }

  /// Fails; its application then cleans up until a gate opens.
  private static void failAndCleanUp(
      Application app, CountDownLatch cleans, CompletableFuture<Void> gate) {
    app.spawn(() -> {
      try {
        app.scheduler().suspend();
      } finally {
        app.shielded(() -> {
          cleans.countDown();
          app.await(app.scheduler().completion(gate));
        });
      }
    });
    app.yield();
    throw new IllegalStateException("broken");
  }

  @Test
  void spawnOn_taskIsCancelled_soIsTheFuture() throws Exception {
    try (LoopGroup group = group()) {
      group.start(LoopGroupTest::untilShutdown);
      var future =
          group.spawnOn(
              0,
              "cancelled",
              loop -> {
                Scheduler.current().currentTask().cancel("test");
                loop.app().yield();
                return null;
              });
      assertThrows(CancellationException.class, future::get);
      assertTrue(future.isCancelled());
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
    String message =
        assertThrows(
                RejectedExecutionException.class,
                () -> group.spawnOnLeastBusy("late", loop -> null))
            .getMessage();
    assertTrue(
        message.startsWith("no loop of " + group.toString().replace("loops", "group")), message);
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
            .loops("loop", 2)) {
      var failure =
          assertThrows(CompletionException.class, () -> group.start(loop -> {}).join()).getCause();
      assertEquals("no add-on", failure.getMessage());
    }
  }

  @Test
  void loops_wrongArguments_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> Application.builder().loops("loop", 0));
    assertThrows(
        IllegalStateException.class,
        () -> Application.builder().clock(new VirtualClock()).loops("loop", 2));
  }

  // Failures.

  @Test
  void run_oneLoopCannotBeBuilt_othersEndWithIt() {
    var made = new AtomicInteger();
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .addOn(scheduler -> {
              if (made.getAndIncrement() == 1) {
                throw new IllegalStateException("no add-on");
              }
              return new Useless();
            })
            .loops("loop", 2);
    var failure =
        assertThrows(IllegalStateException.class, () -> group.run(LoopGroupTest::untilShutdown));
    assertEquals("no add-on", failure.getMessage());
  }

  /// The stop is on the loop's thread, so the loop itself has to notice it.
  @Test
  void stop_whileLoopsAreBuilt_endsAllWithoutMain() {
    var group = new CompletableFuture<LoopGroup>();
    group.complete(
        Application.builder()
            .backend(backend)
            .bare()
            .addOn(scheduler -> {
              group.join().stop();
              return new Useless();
            })
            .loops("loop", 2));
    var begun = new AtomicInteger();
    group
        .join()
        .run(loop -> {
          begun.incrementAndGet();
          untilShutdown(loop);
        });
    assertEquals(0, begun.get());
  }

  @Test
  void restartFailed_oneMainFailsOnce_beginsAgainAndOthersGoOn() throws Exception {
    var failures = new LinkedBlockingQueue<String>();
    var again = new CountDownLatch(1);
    var begun = new AtomicIntegerArray(2);
    var closed = new AtomicIntegerArray(2);
    try (LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .failureHandler((where, failure) -> failures.add(where + ": " + failure.getMessage()))
            .loops("test", 2)
            .restartFailed(1, Duration.ofDays(1))) {
      group.start(loop -> {
        loop.app().scheduler().host().install(new CountedEnd(closed, loop.index()));
        if (begun.incrementAndGet(loop.index()) == 1 && loop.index() == 1) {
          throw new IllegalStateException("broken");
        }
        if (loop.index() == 1) {
          again.countDown();
        }
        untilShutdown(loop);
      });
      again.await();
      assertEquals("loop 'test-1' (restarted): broken", failures.take());
      assertEquals(1, group.spawnOn(1, "after", LoopGroup.Member::index).get());
      assertEquals(0, group.spawnOn(0, "after", LoopGroup.Member::index).get());
      assertEquals(0, closed.get(0));
      assertEquals(1, closed.get(1));
    }
    assertEquals(1, begun.get(0));
    assertEquals(2, begun.get(1));
  }

  @Test
  void restartFailed_oneFailsTooOften_endsAll() {
    var begun = new AtomicInteger();
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .failureHandler((where, failure) -> {})
            .loops("test", 2)
            .restartFailed(2, Duration.ofDays(1));
    group.restartPauses = () -> new RestartPause(System::nanoTime, pause -> {});
    var failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                group.run(loop -> {
                  if (loop.index() == 1) {
                    throw new IllegalStateException("broken " + begun.incrementAndGet());
                  }
                  untilShutdown(loop);
                }));
    assertEquals("broken 3", failure.getMessage());
  }

  /// A group of one loop, whose main runs for a time on a clock of its own and then fails.
  private LoopGroup failing(AtomicLong now, RestartPause.Sleeper sleeper) {
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .failureHandler((where, failure) -> {})
            .loops("failing", 1)
            .restartFailed(1_000, Duration.ofDays(1));
    group.restartPauses = () -> new RestartPause(now::get, sleeper);
    return group;
  }

  @Test
  void restartFailed_failsSoonEachTime_pausesDoubleAndAGoodRunResetsThem() {
    var now = new AtomicLong(Long.MAX_VALUE - 5); // it wraps around
    var begun = new AtomicInteger();
    var pauses = new ArrayList<Long>();
    LoopGroup group = failing(now, pause -> pauses.add(pause.toMillis()));
    var failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                group.run(loop -> {
                  switch (begun.incrementAndGet()) {
                    case 12 -> now.addAndGet(Duration.ofSeconds(30).toNanos());
                    case 14 -> group.stop();
                    default -> now.addAndGet(Duration.ofSeconds(29).toNanos());
                  }
                  throw new IllegalStateException("broken " + begun.get());
                }));
    assertEquals("broken 14", failure.getMessage());
    assertEquals(
        List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L, 100L), pauses);
  }

  @Test
  void restartFailed_groupIsStoppedDuringAPause_thePauseEnds() {
    var begun = new AtomicInteger();
    var group = new CompletableFuture<LoopGroup>();
    group.complete(
        failing(
            new AtomicLong(),
            pause -> {
              group.join().stop();
              group.join().sleepUntilEnding(Duration.ofDays(1));
            }));
    assertThrows(
        IllegalStateException.class,
        () ->
            group
                .join()
                .run(loop -> {
                  begun.incrementAndGet();
                  throw new IllegalStateException("broken");
                }));
    assertEquals(2, begun.get());
  }

  @Test
  void restartFailed_interruptedDuringAPause_doesNotBeginAgain() {
    var begun = new AtomicInteger();
    LoopGroup group =
        failing(
            new AtomicLong(),
            pause -> {
              throw new InterruptedException("of the test");
            });
    assertThrows(
        IllegalStateException.class,
        () ->
            group.run(loop -> {
              begun.incrementAndGet();
              throw new IllegalStateException("broken");
            }));
    assertEquals(2, begun.get());
  }

  @Test
  void restartFailed_groupIsStopped_doesNotBeginAgain() {
    var begun = new AtomicInteger();
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .loops("test", 1)
            .restartFailed(1, Duration.ofDays(1));
    assertThrows(
        IllegalStateException.class,
        () ->
            group.run(loop -> {
              begun.incrementAndGet();
              group.stop();
              throw new IllegalStateException("while it ends");
            }));
    assertEquals(1, begun.get());
  }

  @Test
  void restarts_moreThanThereMayBeInTheTime_areRefusedUntilItIsOver() {
    var now = new AtomicLong(Long.MAX_VALUE - 5); // it wraps around
    var restarts = new Restarts(2, Duration.ofNanos(10), now::get);
    assertTrue(restarts.tryOne());
    now.addAndGet(4);
    assertTrue(restarts.tryOne());
    now.addAndGet(5);
    assertFalse(restarts.tryOne());
    now.addAndGet(1);
    assertTrue(restarts.tryOne());
    assertFalse(restarts.tryOne());
  }

  @Test
  void settings_afterTheStart_areRefused() {
    LoopGroup group = group();
    assertThrows(
        IllegalArgumentException.class, () -> group.restartFailed(0, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> group.restartFailed(1, Duration.ZERO));
    group.run(loop -> {});
    assertThrows(IllegalStateException.class, () -> group.restartFailed(1, Duration.ofSeconds(1)));
    assertThrows(IllegalStateException.class, () -> group.accept(AcceptSharing.DEALT));
  }

  @Test
  void exit_withACode_isThatOfTheGroup() {
    LoopGroup group = group();
    group.run(loop -> {
      if (loop.index() == 1) {
        loop.group().exit(7);
      }
      untilShutdown(loop);
    });
    assertEquals(7, group.exitCode());
    LoopGroup ofOneLoop = group();
    ofOneLoop.run(loop -> loop.app().exit(loop.index() == 1 ? 5 : 0));
    assertEquals(5, ofOneLoop.exitCode());
  }

  @Test
  void run_interrupted_endsAll() {
    LoopGroup group = group();
    Thread caller = Thread.currentThread();
    group.run(loop -> {
      caller.interrupt();
      untilShutdown(loop);
    });
    assertTrue(Thread.interrupted());
    assertEquals(ExitCode.INTERRUPTED, group.exitCode());
  }

  // State that loops must not share.

  @Test
  void run_loopsShareAnAddOn_fails() {
    var shared = new Useless();
    LoopGroup group =
        Application.builder().backend(backend).addOn(scheduler -> shared).loops("loop", 2);
    var failure = assertThrows(IllegalStateException.class, () -> group.run(loop -> {}));
    assertTrue(failure.getMessage().startsWith("two loops share an add-on"), failure::getMessage);
  }

  @Test
  void run_loopsShareARecorder_fails() {
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .scheduler(it -> it.instrument(new Observers().recorder(Recorder.ofCapacity(10))))
            .loops("loop", 2);
    var failure = assertThrows(IllegalStateException.class, () -> group.run(loop -> {}));
    assertTrue(
        failure.getMessage().startsWith("a recorder is for the schedulers of one thread"),
        failure::getMessage);
  }

  @Test
  void run_loopsShareANameForJmx_fails() {
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .scheduler(it ->
                it.instrument(new Observers().management("shared by loops on " + backend.name())))
            .loops("loop", 2);
    var failure = assertThrows(IllegalStateException.class, () -> group.run(loop -> {}));
    assertTrue(failure.getMessage().startsWith("management name"), failure::getMessage);
  }

  @Test
  void recorder_byItsCapacity_isOneForEachLoop() {
    Application.builder()
        .backend(backend)
        .recorder(100)
        .loops("loop", 2)
        .run(loop -> {
          loop.app().yield();
          assertTrue(
              loop.app().recording().toString().contains("main"),
              () -> loop.app().recording().toString());
        });
  }

  // Listening.

  /// The system deals connections out by a hash: of so many, all on one loop would be one in 2^39.
  @ParameterizedTest
  @EnumSource
  void listen_onAllLoops_connectionsAreSpreadAndStay(AcceptSharing sharing) throws Exception {
    int connections = 40;
    var port = new CompletableFuture<Integer>();
    var listening = new CountDownLatch(2);
    int[] seen = new int[2];
    try (LoopGroup group = group().accept(sharing)) {
      group.start(loop -> {
        try (var listener = loop.listen(anyPort())) {
          port.complete(listener.port());
          assertEquals(port.join(), listener.port());
          listening.countDown();
          serve(loop, listener, () -> seen[loop.index()]++);
        }
      });
      listening.await();
      int[] answers = new int[2];
      for (int i = 0; i < connections; i++) {
        answers[ask(port.get())]++;
      }
      assertEquals(connections, IntStream.of(answers).sum());
      assertNotEquals(0, answers[0]);
      assertNotEquals(0, answers[1]);
      assertEquals(answers[0], group.spawnOn(0, "seen", loop -> seen[0]).get());
      assertEquals(answers[1], group.spawnOn(1, "seen", loop -> seen[1]).get());
    }
    assertRefused(port.get());
  }

  @Test
  void detach_connectionOfOneLoop_goesOnAtTheOther() throws Exception {
    var port = new CompletableFuture<Integer>();
    try (LoopGroup group = group()) {
      group.start(loop -> {
        if (loop.index() == 0) {
          try (var listener = loop.app().io().listen(anyPort())) {
            port.complete(listener.port());
            moveToTheOther(loop, listener.accept());
          }
        }
        untilShutdown(loop);
      });
      try (var client = new Socket(InetAddress.getLoopbackAddress(), port.get())) {
        var out = client.getOutputStream();
        var in = client.getInputStream();
        out.write(1);
        assertEquals(0, in.read());
        for (int i = 0; i < 3; i++) {
          out.write(1);
          assertEquals(1, in.read(), "the other loop answers");
        }
        client.shutdownOutput();
        assertEquals(-1, in.read(), "and closes");
      }
    }
  }

  private static void moveToTheOther(LoopGroup.Member loop, TcpSocket socket) throws IOException {
    answer(loop, socket);
    SocketChannel connection = socket.detach();
    loop.group()
        .spawnOn(
            1,
            "connection",
            other -> {
              try (TcpSocket here = other.app().io().adopt(connection)) {
                while (answer(other, here)) {}
              }
              return null;
            })
        .exceptionally(refused -> {
          assertDoesNotThrow(connection::close);
          return null;
        });
  }

  /// Answers a byte with the number of the loop, if one comes.
  private static boolean answer(LoopGroup.Member loop, TcpSocket socket) throws IOException {
    boolean came = socket.input().read() >= 0;
    if (came) {
      socket.output().write(loop.index());
    }
    return came;
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// Answers a byte of each connection with the number of the loop.
  private static void serve(LoopGroup.Member loop, LoopListener listener, Runnable served)
      throws IOException {
    while (true) {
      var socket = loop.app().await(listener.accepting());
      loop.app()
          .spawn(
              "connection",
              () -> {
                try (socket) {
                  socket.input().read();
                  served.run();
                  socket.output().write(loop.index());
                }
              });
    }
  }

  private static int ask(int port) throws IOException {
    try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.getOutputStream().write(1);
      return client.getInputStream().read();
    }
  }

  private static void assertRefused(int port) {
    assertThrows(
        IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
  }

  @ParameterizedTest
  @EnumSource(names = {"REUSE_PORT", "DEALT"})
  void listen_severalTimes_sharesThePortsInTheirOrder(AcceptSharing sharing) {
    Set<List<Integer>> ports = ConcurrentHashMap.newKeySet();
    var listening = new CompletableFuture<Void>(); // of loop 0, which keeps the ports
    var done = new CompletableFuture<Void>();
    group()
        .accept(sharing)
        .run(loop -> {
          if (loop.index() == 1) {
            loop.app().await(loop.app().scheduler().completion(listening));
          }
          LoopListener first = loop.listen(anyPort());
          LoopListener second = loop.listen(anyPort());
          assertNotEquals(first.port(), second.port());
          ports.add(List.of(first.port(), second.port()));
          var twice = assertThrows(BindException.class, () -> loop.listen(first.localAddress()));
          assertTrue(twice.getMessage().contains("listens on"), twice::getMessage);
          if (loop.index() == 0) {
            listening.complete(null);
            loop.app().await(loop.app().scheduler().completion(done));
          } else {
            first.close();
            first.close();
            loop.listen(first.localAddress()).close();
            done.complete(null);
          }
        });
    assertEquals(1, ports.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"REUSE_PORT", "DEALT"})
  void accept_listenerIsClosed_fails(AcceptSharing sharing) {
    Application.builder()
        .backend(backend)
        .bare()
        .loops("loop", 1)
        .accept(sharing)
        .run(loop -> {
          LoopListener listener = loop.listen(anyPort());
          Task<?> accepting = loop.app().spawn("accepting", () -> listener.accept());
          loop.app().yield();
          listener.close();
          assertInstanceOf(
              ChannelClosedException.class,
              assertThrows(TaskFailedException.class, accepting::join).getCause());
          assertThrows(ChannelClosedException.class, listener::accept);
        });
  }

  @Test
  void listen_portIsInUse_fails() throws IOException {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (AcceptSharing sharing : AcceptSharing.values()) {
        group()
            .accept(sharing)
            .run(loop ->
                assertThrows(
                    BindException.class,
                    () ->
                        loop.listen(
                            new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), other.getLocalPort()))));
      }
    }
  }

  /// When a loop that accepts no connections ends, the connections dealt to it go to the other
  /// loop.
  @Test
  void listen_dealt_connectionsOfALoopThatEndsGoToTheOther() throws Exception {
    int connections = 10;
    var port = new CompletableFuture<Integer>();
    var listening = new CountDownLatch(2);
    var end = new CompletableFuture<Void>();
    try (LoopGroup group = group().accept(AcceptSharing.DEALT)) {
      group.start(loop -> {
        var listener = loop.listen(anyPort()); // closed by the loop
        port.complete(listener.port());
        listening.countDown();
        if (loop.index() == 0) {
          loop.app().await(loop.app().scheduler().completion(end));
        } else {
          serve(loop, listener, () -> {});
        }
      });
      listening.await();
      var clients = new ArrayList<Socket>();
      for (int i = 0; i < connections; i++) {
        var client = new Socket(InetAddress.getLoopbackAddress(), port.get());
        clients.add(client);
        client.getOutputStream().write(1);
      }
      end.complete(null);
      for (Socket each : clients) {
        try (each) {
          assertEquals(1, each.getInputStream().read());
        }
      }
    }
    assertRefused(port.get());
  }

  @Test
  void listen_dealtAndRestarted_thePortStays() throws Exception {
    var port = new CompletableFuture<Integer>();
    var begun = new AtomicInteger();
    var otherListens = new CountDownLatch(1);
    var listening = new CountDownLatch(2);
    try (LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .failureHandler((where, failure) -> {})
            .loops("test", 2)
            .accept(AcceptSharing.DEALT)
            .restartFailed(1, Duration.ofDays(1))) {
      group.start(loop -> {
        var listener = loop.listen(anyPort());
        port.complete(listener.port());
        if (loop.index() == 0) {
          otherListens.countDown();
        } else if (begun.incrementAndGet() == 1) {
          otherListens.await(); // a port that no loop listens on is given up
          throw new IOException("fails, and begins again");
        }
        assertEquals(port.get(), listener.port());
        listening.countDown();
        serve(loop, listener, () -> {});
      });
      listening.await();
      Set<Integer> answers = new HashSet<>();
      for (int i = 0; i < 4; i++) {
        answers.add(ask(port.get()));
      }
      assertEquals(Set.of(0, 1), answers);
    }
  }

  private static class Useless implements AddOn {
    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }
  }

  private static final class CountedEnd extends Useless {
    private final AtomicIntegerArray closed;
    private final int index;

    CountedEnd(AtomicIntegerArray closed, int index) {
      this.closed = closed;
      this.index = index;
    }

    @Override
    public void close() {
      closed.incrementAndGet(index);
    }
  }
}
