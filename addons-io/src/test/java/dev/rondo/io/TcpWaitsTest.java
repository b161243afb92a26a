package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/// Each kind of wait on a TCP socket, ended from outside.
class TcpWaitsTest {

  private static final int LARGE = 64 * 1024 * 1024;

  private static Map<String, Callable<?>> waitsInward(World world, TcpSocket socket) {
    Scheduler scheduler = world.scheduler();
    var waits = new LinkedHashMap<String, Callable<?>>();
    waits.put("read", () -> socket.read(ByteBuffer.allocate(1)));
    waits.put(
        "readFully",
        () -> {
          socket.readFully(ByteBuffer.allocate(9));
          return null;
        });
    waits.put("readUntil", () -> socket.readUntil((byte) 0, 9));
    waits.put("readLine", () -> socket.readLine(9));
    waits.put("input", () -> socket.input().read());
    waits.put("input array", () -> socket.input().read(new byte[4_096]));
    waits.put("reading", () -> scheduler.await(socket.reading(ByteBuffer.allocate(1))));
    waits.put("readable", () -> scheduler.await(socket.readable()));
    return waits;
  }

  private static Map<String, Callable<?>> waitsOutward(World world, TcpSocket socket) {
    var waits = new LinkedHashMap<String, Callable<?>>();
    waits.put("write", () -> socket.write(ByteBuffer.allocate(LARGE)));
    waits.put(
        "output",
        () -> {
          socket.output().write(new byte[LARGE]);
          return null;
        });
    waits.put(
        "bufferedOutput",
        () -> {
          socket.bufferedOutput(100_000).write(new byte[LARGE]);
          return null;
        });
    waits.put(
        "writable",
        () -> {
          while (true) {
            world.scheduler().await(socket.writable());
            socket.channel.write(ByteBuffer.allocate(100_000));
          }
        });
    return waits;
  }

  private interface Each {
    void run(String name, TcpSocket socket, TcpSocket peer, Task<Throwable> waiting)
        throws Exception;
  }

  private static void withEachWait(World world, boolean outward, Each each) throws Exception {
    for (int i = 0; ; i++) {
      try (var pair = world.pair()) {
        TcpSocket socket = pair.client();
        var all =
            new ArrayList<>(
                (outward ? waitsOutward(world, socket) : waitsInward(world, socket)).entrySet());
        if (i == all.size()) {
          return;
        }
        Task<Throwable> waiting = world.failing(all.get(i).getValue());
        while (ChannelFigures.of(world.scheduler()).waits() == 0) {
          world.scheduler().yield();
        }
        each.run(all.get(i).getKey(), socket, pair.server(), waiting);
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits(), all.get(i).getKey());
      }
    }
  }

  @OnEveryBackend
  void close_underEveryWait_wakesItAtOnceWithClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      for (boolean outward : new boolean[] {false, true}) {
        withEachWait(
            world,
            outward,
            (name, socket, peer, waiting) -> {
              socket.close();
              assertEquals(0, ChannelFigures.of(world.scheduler()).waits(), name);
              Throwable e = waiting.join();
              assertEquals(ChannelClosedException.class, e.getClass(), name);
              assertTrue(
                  e.getMessage().contains(":" + socket.remoteAddress().getPort()),
                  name + ": " + e.getMessage());
            });
      }
    });
  }

  @OnEveryBackend
  void reset_underEveryWaitThatMovesBytes_isAReset(IoRig rig) throws Exception {
    rig.run(world -> {
      for (boolean outward : new boolean[] {false, true}) {
        withEachWait(
            world,
            outward,
            (name, socket, peer, waiting) -> {
              peer.setOption(StandardSocketOptions.SO_LINGER, 0);
              peer.close();
              Throwable e = waiting.join();
              switch (name) {
                case "readable", "writable" -> {} // they report that an operation would not wait
                default -> assertEquals(ConnectionResetException.class, e.getClass(), name);
              }
            });
      }
    });
  }

  @OnEveryBackend
  void cancel_underEveryWait_leavesNothingAndTheSocketGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      withEachWait(
          world,
          false,
          (name, socket, peer, waiting) -> {
            waiting.cancel("test");
            world.settle();
            assertEquals(0, ChannelFigures.of(world.scheduler()).waits(), name);
            peer.write("on\n");
            assertEquals("on", socket.readLine(9), name);
          });
    });
  }

  /// A connection that is neither accepted nor refused: the listener's backlog is full.
  @OnEveryBackend
  void connect_neverAnswered_endsWithItsLimitAndLeavesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = ServerSocketChannel.open()) {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        var open = new ArrayList<TcpSocket>();
        Task<TcpSocket> stuck = null;
        while (stuck == null) {
          Task<TcpSocket> next =
              world.scheduler().spawn(() -> world.io().connect(listener.getLocalAddress()));
          for (int i = 0; i < 100 && !next.isDone(); i++) {
            world.scheduler().yield();
          }
          if (next.isDone()) {
            open.add(next.join());
          } else {
            stuck = next;
          }
        }
        stuck.cancel("found that it is full");
        world.settle();
        Task<Throwable> limited =
            world.failing(() ->
                world
                    .scheduler()
                    .within(
                        Duration.ofSeconds(3),
                        () -> world.io().connect(listener.getLocalAddress())));
        world.settle();
        assertEquals(1, ChannelFigures.of(world.scheduler()).waits());
        world.timer().fire();
        assertEquals(TimedOutException.class, limited.join().getClass());
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
        for (TcpSocket each : open) {
          each.close();
        }
      }
    });
  }

  @OnEveryBackend
  void options_allOfThem_areSetAndReadBack(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        TcpSocket socket = pair.client();
        assertEquals(true, socket.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(true, pair.server().getOption(StandardSocketOptions.TCP_NODELAY));
        socket
            .setOption(StandardSocketOptions.TCP_NODELAY, false)
            .setOption(StandardSocketOptions.SO_KEEPALIVE, true)
            .setOption(StandardSocketOptions.SO_REUSEADDR, true)
            .setOption(StandardSocketOptions.SO_LINGER, 5)
            .setOption(StandardSocketOptions.SO_SNDBUF, 20_000)
            .setOption(StandardSocketOptions.SO_RCVBUF, 20_000);
        assertEquals(false, socket.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(true, socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        assertEquals(true, socket.getOption(StandardSocketOptions.SO_REUSEADDR));
        assertEquals(5, socket.getOption(StandardSocketOptions.SO_LINGER));
        assertTrue(socket.getOption(StandardSocketOptions.SO_SNDBUF) >= 20_000);
        assertThrows(
            UnsupportedOperationException.class,
            () -> socket.setOption(StandardSocketOptions.SO_BROADCAST, true));
        assertThrows(
            IllegalArgumentException.class,
            () -> socket.setOption(StandardSocketOptions.SO_RCVBUF, -1));
      }
    });
  }

  @OnEveryBackend
  void listen_noPermission_isToldWithThePort(IoRig rig) throws Exception {
    rig.run(world -> {
      // An address that is not this machine's, because root may use every port.
      var foreign = new InetSocketAddress("192.0.2.1", 80);
      var e = assertThrows(SocketException.class, () -> world.io().listen(foreign));
      assertTrue(e.getMessage().contains("192.0.2.1:80"), e.getMessage());
    });
  }

  /// What is awaited is made anew for each wait.
  @OnEveryBackend
  void await_limitIsOver_theMessageSaysWhatWasAwaited(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<Throwable> acceptor =
            world.failing(
                () -> world.scheduler().await(listener.accepting(), Duration.ofSeconds(1)));
        world.settle();
        world.timer().fire();
        assertEquals("gave up after 1 s: accept on " + listener, acceptor.join().getMessage());
      }
    });
  }
}
