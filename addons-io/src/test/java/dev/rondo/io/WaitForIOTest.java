package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.internal.channel.Selectors;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.io.internal.linux.OddChannel;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// The add-on: any channel, choices, idling without spinning, and a selector that fails.
@BackendsDiffer
class WaitForIOTest {

  /// A descriptor that is not open.
  private static final int NO_DESCRIPTOR = 19_000;

  @OnEveryBackend
  void on_calledTwice_isTheSame(IoRig rig) throws Exception {
    rig.run(world -> assertSame(world.io(), WaitForIO.on(world.scheduler())));
  }

  @OnEveryBackend
  void anyChannel_awaited_isReady(IoRig rig) throws Exception {
    rig.run(world -> {
      WaitForIO io = world.io();
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      Task<?> reader =
          world.scheduler().spawn(() -> world.scheduler().await(io.readable(pipe.source())));
      assertSame(pipe.sink(), world.scheduler().await(io.writable(pipe.sink())));
      pipe.sink().write(ByteBuffer.allocate(1));
      assertSame(pipe.source(), reader.join());

      ServerSocketChannel server =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server.configureBlocking(false);
      SocketChannel client = SocketChannel.open();
      client.configureBlocking(false);
      if (!client.connect(server.getLocalAddress())) {
        world.scheduler().await(io.connectable(client));
        assertTrue(client.finishConnect());
      }
      world.scheduler().await(io.acceptable(server));
      SocketChannel accepted = server.accept();
      assertNotNull(accepted);
      accepted.close();

      DatagramChannel udp =
          DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      udp.configureBlocking(false);
      udp.send(ByteBuffer.wrap(new byte[] {1, 2}), udp.getLocalAddress());
      world.scheduler().await(io.readable(udp));
      var got = ByteBuffer.allocate(10);
      udp.receive(got);
      assertEquals(2, got.position());

      for (var each : List.of(pipe.source(), pipe.sink(), server, client, udp)) {
        io.close(each);
        io.close(each);
      }
    });
  }

  @OnEveryBackend
  void anyChannel_blockingOrOfAnotherKindOrClosed_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      var e = assertThrows(IllegalStateException.class, () -> world.io().readable(pipe.source()));
      assertTrue(e.getMessage().contains("configureBlocking(false)"), e.getMessage());
      pipe.source().configureBlocking(false);
      assertThrows(IllegalArgumentException.class, () -> world.io().writable(pipe.source()));
      Waitable<?> readable = world.io().readable(pipe.source());
      world.io().close(pipe.source());
      assertThrows(ChannelClosedException.class, () -> world.scheduler().await(readable));
      pipe.sink().close();
    });
  }

  @OnEveryBackend
  void anyChannel_closedUnderAWaiter_wakesItWithClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      Task<?> reader =
          world
              .scheduler()
              .spawn(() -> world.scheduler().await(world.io().readable(pipe.source())));
      world.settle();
      world.io().close(pipe.source());
      assertEquals(
          ChannelClosedException.class,
          assertThrows(ExecutionOf.class, () -> ExecutionOf.join(reader)).getCause().getClass());
      pipe.sink().close();
    });
  }

  /// Only the close itself can end that sleep.
  @OnEveryBackend
  void anyChannel_closedByAnotherThreadWhileTheLoopSleeps_wakesItsWaiterWithClosed(IoRig rig)
      throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      var loop = new CompletableFuture<Thread>();
      LoopControl.of(world.scheduler().host())
          .configureThread(() -> loop.complete(Thread.currentThread()));
      Waitable<?> readable = world.io().readable(pipe.source());
      Task<Throwable> reader = world.failing(() -> world.scheduler().await(readable));
      Thread.ofPlatform()
          .start(() -> {
            awaitAsleep(loop.join());
            closeQuietly(pipe.source());
          });
      assertEquals(ChannelClosedException.class, reader.join().getClass());
      world.io().close(pipe.source());
      pipe.sink().close();
    });
  }

  /// The JDK's own selector does not report that.
  @OnEveryBackend
  void anyChannel_systemRefusesToWatchIt_failsOnlyItsOwnWaits(IoRig rig) throws Exception {
    rig.run(world -> {
      assumeTrue(world.io().transport() == Transport.EPOLL);
      try (var pair = world.pair();
          var odd = new OddChannel(NO_DESCRIPTOR, () -> {})) {
        Task<?> reader =
            world.spawn("reader", () -> pair.server().readFully(ByteBuffer.allocate(1)));
        Waitable<?> readable = world.io().readable(odd);
        for (int i = 0; i < 2; i++) {
          var e = assertThrows(IOException.class, () -> world.scheduler().await(readable));
          assertTrue(e.getMessage().contains("epoll_ctl: Bad file descriptor"), e.getMessage());
        }
        pair.client().write("a");
        reader.join();
        world.io().close(odd);
      }
    });
  }

  private static void awaitAsleep(Thread loop) {
    while (Arrays.stream(loop.getStackTrace())
        .noneMatch(each ->
            each.getClassName().endsWith("SelectorIdleStrategy")
                && each.getMethodName().equals("block"))) {
      Thread.onSpinWait();
    }
  }

  private static void closeQuietly(Closeable one) {
    try {
      one.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The close may come at any moment: while a task begins to wait, while the selector reports.
  @OnEveryBackend
  void anyChannel_closedByAnotherThreadAtAnyMoment_endsOnlyItsOwnWait(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair();
          var closer = Executors.newSingleThreadExecutor()) {
        for (int round = 0; round < 100; round++) {
          var channels = new ArrayList<DatagramChannel>();
          for (int i = 0; i < 24; i++) {
            DatagramChannel channel = DatagramChannel.open();
            channel.configureBlocking(false);
            channels.add(channel);
          }
          var outcomes = new ArrayList<Task<String>>();
          for (DatagramChannel channel : channels) {
            outcomes.add(world.scheduler().spawn(() -> outcome(world, channel)));
          }
          int spins = 61 * round;
          Future<?> closed =
              closer.submit(() -> {
                for (int i = 0; i < spins; i++) {
                  Thread.onSpinWait();
                }
                channels.reversed().forEach(WaitForIOTest::closeQuietly);
              });
          for (Task<String> each : outcomes) {
            String outcome = each.join();
            assertTrue(Set.of("ready", "ChannelClosedException").contains(outcome), outcome);
          }
          pair.client().write("a");
          pair.server().readFully(ByteBuffer.allocate(1));
          closed.get();
          for (DatagramChannel channel : channels) {
            world.io().close(channel);
          }
        }
      }
    });
  }

  private static String outcome(IoRig.World world, DatagramChannel channel) {
    try {
      world.scheduler().await(world.io().writable(channel));
      return "ready";
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  @OnEveryBackend
  void select_socketAgainstAnotherTask_disarmsTheLoserAndLosesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      Scheduler scheduler = world.scheduler();
      try (var pair = world.pair();
          var listener = world.listen()) {
        Task<String> other = scheduler.spawn("other", () -> "other");
        var dst = ByteBuffer.allocate(10);
        var lost = scheduler.select(pair.server().reading(dst), listener.accepting(), other);
        assertEquals(2, lost.index());
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
        pair.client().write("abc");
        Task<String> never =
            scheduler.spawn(
                "never",
                () -> {
                  scheduler.suspend();
                  return "never";
                });
        var won = scheduler.select(never, listener.accepting(), pair.server().reading(dst));
        assertEquals(2, won.index());
        assertEquals(3, won.value());
        assertEquals(3, dst.position());
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
        TcpSocket client = world.io().connect(listener.localAddress());
        var accepted =
            scheduler.<Object>select(never, pair.server().readable(), listener.accepting());
        assertEquals(2, accepted.index());
        ((TcpSocket) accepted.value()).close();
        client.close();
        assertSame(pair.server(), scheduler.await(pair.server().writable()));
        never.cancel("enough");
      }
    });
  }

  @OnEveryBackend
  void scheduleOn_readSocket_stepTaskReceivesIt(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var dst = ByteBuffer.allocate(10);
        var received = new ArrayList<Object>();
        var steps =
            world
                .scheduler()
                .host()
                .<Object>spawnSteps(
                    "steps",
                    self -> {
                      Object got = self.received();
                      if (got != null) {
                        received.add(got);
                      }
                      return received.size() == 2
                          ? self.done("end")
                          : self.await(pair.server().reading(dst));
                    });
        pair.client().write("ab");
        world.settle();
        pair.client().write("c");
        assertEquals("end", steps.join());
        assertEquals(List.of(2, 1), received);
      }
    });
  }

  /// An idle socket with data costs nothing while the loop idles for other reasons.
  @OnEveryBackend
  void readySocket_nobodyReads_doesNotSpin(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<?> reader = world.scheduler().spawn(() -> pair.server().read(ByteBuffer.allocate(1)));
        world.settle();
        pair.client().write("abc");
        reader.join(); // interest in reading stays registered, and there is more to read
        long before = Selectors.selects(world.reactor());
        for (int i = 0; i < 5; i++) {
          world.scheduler().blocking(() -> null);
        }
        long selects = Selectors.selects(world.reactor()) - before;
        assertTrue(selects <= 5 * 3, "selects for 5 wakeups: " + selects);
      }
    });
  }

  /// A wait costs one select, the one in which the loop blocks. A turn that takes long, such as the
  /// first one of code that is not compiled yet, is followed by another: so the least of some
  /// waits.
  @OnEveryBackend
  void wait_fromItsBeginningToItsEvent_isOneSelect(IoRig rig) throws Exception {
    assumeTrue(rig != IoRig.HANDOFF_ON_VIRTUAL_THREAD, "made on the test's own thread");
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 50 && least > 1; i++) {
      least = Math.min(least, selectsOfFirstAccept(rig));
    }
    assertEquals(1, least);
  }

  private static long selectsOfFirstAccept(IoRig rig) throws Exception {
    try (Scheduler scheduler = rig.newScheduler(new ArrayList<>())) {
      WaitForIO io = WaitForIO.on(scheduler);
      TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Task<TcpSocket> acceptor = scheduler.spawn(listener::accept);
      while (scheduler.step()) {}
      assertEquals(1, io.reactor().waitCount());
      try (SocketChannel peer = SocketChannel.open(listener.localAddress())) {
        io.reactor().idleStrategy().idle();
        while (scheduler.step()) {}
        long selects = Selectors.selects(io.reactor());
        assertEquals(listener.localAddress(), peer.getRemoteAddress());
        acceptor.join().close();
        return selects;
      }
    }
  }

  @OnEveryBackend
  void start_onlyABlockedReaderCancelled_deadlockIsFound(IoRig rig) throws Exception {
    assumeTrue(rig != IoRig.HANDOFF_ON_VIRTUAL_THREAD, "made on the test's own thread");
    try (Scheduler scheduler = rig.newScheduler(new ArrayList<>())) {
      WaitForIO io = WaitForIO.on(scheduler);
      scheduler.spawn(() -> {
        try (var listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
          Task<?> acceptor = scheduler.spawn(listener::accept);
          scheduler.yield();
          scheduler.yield();
          acceptor.cancel("no client");
        }
        scheduler.suspend();
      });
      assertThrows(DeadlockException.class, scheduler::start);
    }
  }

  @OnEveryBackend
  void wakeup_fromAnotherThreadWhileBlocked_isSeen(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<?> acceptor = world.scheduler().spawn(listener::accept);
        for (int i = 0; i < 200; i++) {
          int expected = i;
          assertEquals(expected, world.scheduler().blocking(() -> expected));
        }
        acceptor.cancel("enough");
      }
    });
  }

  @OnEveryBackend
  void idleUntil_manyShortDeadlines_neverEarly(IoRig rig) throws Exception {
    rig.run(world -> {
      Scheduler scheduler = world.scheduler();
      try (var listener = world.listen()) {
        Task<?> acceptor = scheduler.spawn(listener::accept);
        for (long micros : new long[] {0, 1, 70, 900, 1_000, 1_500, 2_999}) {
          long deadline = scheduler.host().deadlineAfter(Duration.ofNanos(micros * 1_000));
          var early = new int[1];
          long before = Selectors.selects(world.reactor());
          Task<Void> idler =
              scheduler
                  .host()
                  .<Void>spawnSteps(
                      "idler",
                      self -> {
                        if (scheduler.host().nowNanos() - deadline >= 0) {
                          return StepResult.DONE;
                        }
                        early[0]++;
                        return self.idleUntil(deadline);
                      });
          idler.join();
          assertEquals(true, early[0] <= 1, "turns before the deadline: " + early[0]);
          long selects = Selectors.selects(world.reactor()) - before;
          assertTrue(selects <= 30, "selects: " + selects);
        }
        acceptor.cancel("enough");
      }
    });
  }

  @Test
  void messageQuanta_set_pollsNoLonger() throws Exception {
    try (Scheduler scheduler = IoRig.HANDOFF.newScheduler(new ArrayList<>())) {
      WaitForIO io = WaitForIO.on(scheduler);
      io.messageQuanta(Duration.ofMillis(2));
      // Only the end of a quantum wakes the loop.
      io.reactor().idleStrategy().idle();
      io.reactor().idleStrategy().idle();
      assertEquals(2, Selectors.selects(io.reactor()));
      io.messageQuanta(Duration.ofDays(1_000_000));
      io.messageQuanta(Duration.ofSeconds(Long.MAX_VALUE));
      for (Duration bad : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
        assertThrows(IllegalArgumentException.class, () -> io.messageQuanta(bad));
      }
    }
  }

  @Test
  void selector_throws_waitersAreToldItIsReportedAndTheSchedulerGoesOn() throws Exception {
    var failures = new ArrayList<Throwable>();
    Selector broken =
        Selectors.whoseSelects(call -> {
          throw new IOException("out of order");
        });
    try (Scheduler scheduler = IoRig.HANDOFF.newScheduler(failures)) {
      var io = new WaitForIO(scheduler, broken, Selector::open);
      TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Task<String> acceptor =
          scheduler.spawn(() ->
              assertThrows(IOException.class, listener::accept).getMessage()
                  + "; later "
                  + assertThrows(IOException.class, listener::accept).getMessage());
      scheduler.start();
      assertTrue(
          acceptor.join().matches("accept on .*out of order; later accept on .*out of order"),
          acceptor.join());
      Task<Integer> other = scheduler.spawn(() -> scheduler.blocking(() -> 1));
      scheduler.start();
      assertEquals(1, other.join());
      assertThrows(IOException.class, () -> io.listen(0));
    }
    assertEquals(1, failures.size(), failures.toString());
    assertTrue(failures.get(0).getMessage().contains("out of order"), failures.toString());
  }
}
