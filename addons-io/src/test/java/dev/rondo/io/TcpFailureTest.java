package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

/// How operations end early: closed, reset, refused, cancelled, out of time.
class TcpFailureTest {

  private static final int LARGE = 64 * 1024 * 1024;

  private static PartialWriteException progressOf(Throwable e) {
    return assertInstanceOf(PartialWriteException.class, e.getSuppressed()[0]);
  }

  @OnEveryBackend
  void adopt_channelThatIsNotConnected_isRefusedAndStaysOpen(IoRig rig) throws Exception {
    rig.run(world -> {
      try (SocketChannel channel = world.io().provider().openSocketChannel()) {
        var e = assertThrows(IllegalArgumentException.class, () -> world.io().adopt(channel));
        assertTrue(e.getMessage().startsWith("the connection must be connected: "), e::getMessage);
        assertTrue(channel.isOpen());
      }
    });
  }

  /// If two sockets had one connection, the first would never be woken.
  @OnEveryBackend
  void adopt_connectionThatASocketHas_isRefusedAndTheSocketGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        SocketChannel channel = world.io().provider().openSocketChannel();
        channel.connect(listener.localAddress());
        try (var server = listener.accept();
            var client = world.io().adopt(channel)) {
          var e = assertThrows(IllegalArgumentException.class, () -> world.io().adopt(channel));
          assertTrue(
              e.getMessage().startsWith("the connection is registered with a selector: "),
              e::getMessage);
          Task<String> reader = world.scheduler().spawn(() -> client.readLine(9));
          world.settle();
          server.write("line\n");
          assertEquals("line", reader.join());
        }
        var closed = assertThrows(IOException.class, () -> world.io().adopt(channel));
        assertEquals("adopt " + channel + ": it is closed", closed.getMessage());
      }
    });
  }

  @OnEveryBackend
  void detach_socket_leavesTheConnectionForAnother(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        TcpSocket first = pair.client();
        pair.server().write("one\ntwo\n");
        assertEquals("one", first.readLine(9));
        var ahead = assertThrows(IllegalStateException.class, first::detach);
        assertEquals(
            first + " has read ahead; take these bytes with tryRead(..) first: bytes=4",
            ahead.getMessage());
        assertEquals("two", first.readLine(9), "it goes on");
        pair.server().write("three\n");
        SocketChannel connection = first.detach();
        assertFalse(first.isOpen());
        assertThrows(ChannelClosedException.class, () -> first.read(ByteBuffer.allocate(1)));
        assertThrows(ChannelClosedException.class, () -> first.write("lost"));
        assertThrows(
            ChannelClosedException.class,
            () -> world.scheduler().await(first.reading(ByteBuffer.allocate(1))));
        assertThrows(ChannelClosedException.class, first::shutdownOutput);
        assertThrows(ChannelClosedException.class, first::detach);
        first.close();
        try (TcpSocket second = world.io().adopt(connection)) {
          assertEquals("three", second.readLine(9));
          Task<String> reader = world.scheduler().spawn(() -> second.readLine(9));
          world.settle();
          pair.server().write("four\n");
          assertEquals("four", reader.join());
          second.write("back\n");
          assertEquals("back", pair.server().readLine(9));
        }
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
      }
    });
  }

  /// The system reports a reset once. Another socket would find the end of the stream.
  @OnEveryBackend
  void detach_socketThatIsBrokenOrHalfClosed_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair();
          var other = world.pair()) {
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        assertThrows(
            ConnectionResetException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
        var broken = assertThrows(IOException.class, pair.client()::detach);
        assertInstanceOf(IOException.class, broken.getCause());
        assertTrue(pair.client().isOpen());
        other.client().shutdownOutput();
        assertThrows(IllegalStateException.class, other.client()::detach);
        assertTrue(other.client().isOpen());
      }
    });
  }

  @OnEveryBackend
  void detach_whileATaskReads_isRefusedAndTheReaderGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<String> reader = world.scheduler().spawn("reader", () -> pair.client().readLine(9));
        world.settle();
        var e = assertThrows(IllegalStateException.class, () -> pair.client().detach());
        assertTrue(e.getMessage().contains("task 'reader' is doing this already"), e::getMessage);
        pair.server().write("line\n");
        assertEquals("line", reader.join());
      }
    });
  }

  @OnEveryBackend
  void close_underWaitingReaderAndWriter_wakesBothWithClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        TcpSocket socket = pair.client();
        Task<Throwable> reader = world.failing(() -> socket.read(ByteBuffer.allocate(1)));
        Task<Throwable> writer = world.failing(() -> socket.write(ByteBuffer.allocate(LARGE)));
        world.settle();
        assertEquals(2, ChannelFigures.of(world.scheduler()).waits());
        socket.close();
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits(), "fails at once");
        assertEquals(ChannelClosedException.class, reader.join().getClass());
        Throwable e = writer.join();
        assertEquals(ChannelClosedException.class, e.getClass());
        PartialWriteException progress = progressOf(e);
        assertTrue(progress.bytesWritten() > 0);
        assertEquals(LARGE, progress.bytesWritten() + progress.bytesLeft());
      }
    });
  }

  @OnEveryBackend
  void close_underWaitingAcceptor_wakesItWithClosedAndFreesThePort(IoRig rig) throws Exception {
    rig.run(world -> {
      TcpListener listener = world.listen();
      Task<Throwable> acceptor = world.failing(listener::accept);
      world.settle();
      listener.close();
      listener.close();
      Throwable e = acceptor.join();
      assertEquals(ChannelClosedException.class, e.getClass());
      assertTrue(e.getMessage().contains("" + listener.port()), e.getMessage());
      assertThrows(ChannelClosedException.class, listener::accept);
      world.io().listen(listener.localAddress()).close();
    });
  }

  @OnEveryBackend
  void anything_afterClose_isClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      var pair = world.pair();
      TcpSocket socket = pair.client();
      pair.server().write("unread");
      pair.close();
      pair.close();
      List<Callable<?>> uses =
          List.of(
              () -> socket.read(ByteBuffer.allocate(1)),
              () -> socket.read(ByteBuffer.allocate(0)),
              () -> socket.write(ByteBuffer.allocate(1)),
              () -> socket.readLine(10),
              () -> socket.input().read(),
              () -> socket.getOption(StandardSocketOptions.TCP_NODELAY),
              () -> socket.setOption(StandardSocketOptions.TCP_NODELAY, true),
              () -> world.scheduler().await(socket.readable()),
              () -> world.scheduler().await(socket.writable()),
              () -> world.scheduler().await(socket.reading(ByteBuffer.allocate(1))));
      for (Callable<?> use : uses) {
        var e = assertThrows(ClosedChannelException.class, use::call);
        assertTrue(e.getMessage().contains(":" + socket.remoteAddress().getPort()), e.getMessage());
      }
      assertThrows(ChannelClosedException.class, socket::shutdownInput);
      assertThrows(ChannelClosedException.class, socket::shutdownOutput);
      assertFalse(socket.isOpen());
    });
  }

  @OnEveryBackend
  void read_peerResets_isResetAndNotTheEnd(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<Throwable> reader = world.failing(() -> pair.server().read(ByteBuffer.allocate(1)));
        world.settle();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        Throwable e = reader.join();
        assertEquals(ConnectionResetException.class, e.getClass());
        assertTrue(
            e.getMessage().contains(":" + pair.server().remoteAddress().getPort()), e.getMessage());
        assertThrows(
            ConnectionResetException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
      }
    });
  }

  @OnEveryBackend
  void write_peerResetsInTheMiddle_isResetAndSaysHowMuchWasSent(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var src = ByteBuffer.allocate(LARGE);
        Task<Throwable> writer = world.failing(() -> pair.server().write(src));
        world.settle();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        Throwable e = writer.join();
        assertEquals(ConnectionResetException.class, e.getClass());
        assertEquals(src.position(), progressOf(e).bytesWritten());
      }
    });
  }

  @OnEveryBackend
  void connect_nobodyListens_isRefusedWithTheAddress(IoRig rig) throws Exception {
    rig.run(world -> {
      InetSocketAddress address;
      try (var listener = world.listen()) {
        address = listener.localAddress();
      }
      var e = assertThrows(ConnectException.class, () -> world.io().connect(address));
      assertTrue(e.getMessage().contains("127.0.0.1:" + address.getPort()), e.getMessage());
      var byName =
          assertThrows(
              ConnectException.class, () -> world.io().connect("localhost", address.getPort()));
      assertTrue(byName.getMessage().contains(":" + address.getPort()));
    });
  }

  @OnEveryBackend
  void connect_byNameAndByUnresolvedAddress_connects(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        world.io().connect("127.0.0.1", listener.port()).close();
        world.io().connect("localhost", listener.port()).close();
        world
            .io()
            .connect(InetSocketAddress.createUnresolved("localhost", listener.port()))
            .close();
      }
    });
  }

  @OnEveryBackend
  void connect_unknownHost_isToldByName(IoRig rig) throws Exception {
    rig.run(world -> {
      var e =
          assertThrows(
              UnknownHostException.class, () -> world.io().connect("no such host.invalid", 1));
      assertTrue(e.getMessage().contains("'no such host.invalid'"), e.getMessage());
    });
  }

  @OnEveryBackend
  void connect_badPortOrAddress_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      assertThrows(IllegalArgumentException.class, () -> world.io().connect("127.0.0.1", 65_536));
      assertThrows(
          IllegalArgumentException.class,
          () -> world.io().connect(java.net.UnixDomainSocketAddress.of("/nowhere")));
    });
  }

  @OnEveryBackend
  void listen_portInUseOrBadArgument_isRefusedWithTheAddress(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        var e = assertThrows(BindException.class, () -> world.io().listen(listener.localAddress()));
        assertTrue(e.getMessage().contains(":" + listener.port()), e.getMessage());
        assertThrows(BindException.class, () -> world.io().listen(listener.port()));
      }
      var unix = java.net.UnixDomainSocketAddress.of("/nowhere");
      var e = assertThrows(IllegalArgumentException.class, () -> world.io().listen(unix));
      assertTrue(e.getMessage().contains("UnixListener.open"), e.getMessage());
      var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      assertThrows(
          IllegalArgumentException.class, () -> world.io().listen(any, 0, SocketOptions.NONE));
      assertThrows(IllegalArgumentException.class, () -> world.io().listen(-1));
      assertThrows(
          IllegalArgumentException.class,
          () -> world.io().listen(InetSocketAddress.createUnresolved("localhost", 0)));
    });
  }

  @OnEveryBackend
  void secondReaderOrWriter_isRefusedNamingTheFirstWhichGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        TcpSocket socket = pair.server();
        var dst = ByteBuffer.allocate(1);
        Task<?> reader = world.scheduler().spawn("reader one", () -> socket.read(dst));
        Task<?> writer =
            world.scheduler().spawn("writer one", () -> socket.write(ByteBuffer.allocate(LARGE)));
        world.settle();
        List<Callable<?>> readers =
            List.of(
                () -> socket.read(ByteBuffer.allocate(1)),
                () -> socket.readLine(10),
                () -> world.scheduler().await(socket.readable()),
                () -> world.scheduler().await(socket.reading(ByteBuffer.allocate(1))));
        for (Callable<?> second : readers) {
          var e = assertThrows(IllegalStateException.class, second::call);
          assertTrue(e.getMessage().contains("'reader one'"), e.getMessage());
        }
        List<Callable<?>> writers =
            List.of(
                () -> socket.write(ByteBuffer.allocate(1)),
                () -> world.scheduler().await(socket.writable()));
        for (Callable<?> second : writers) {
          var e = assertThrows(IllegalStateException.class, second::call);
          assertTrue(e.getMessage().contains("'writer one'"), e.getMessage());
        }
        pair.client().write("x");
        assertEquals(1, reader.join());
        assertEquals('x', dst.get(0));
        pair.client().readFully(ByteBuffer.allocate(LARGE));
        assertEquals(LARGE, writer.join());
      }
    });
  }

  @OnEveryBackend
  void secondAcceptor_isRefusedNamingTheFirst(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<TcpSocket> first = world.scheduler().spawn("first", listener::accept);
        world.settle();
        var e = assertThrows(IllegalStateException.class, listener::accept);
        assertTrue(e.getMessage().contains("'first'"), e.getMessage());
        world.io().connect(listener.localAddress()).close();
        first.join().close();
      }
    });
  }

  @OnEveryBackend
  void cancel_inTheMiddleOfARead_leavesTheBytesForTheNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var dst = ByteBuffer.allocate(6);
        Task<?> reader = world.scheduler().spawn("r", () -> pair.server().readFully(dst));
        Task<?> liner = world.scheduler().spawn("l", () -> pair.client().readLine(100));
        pair.client().write("abc");
        pair.server().write("uvw");
        world.settle();
        reader.cancel("test");
        liner.cancel("test");
        assertThrows(CancellationException.class, reader::join);
        assertThrows(CancellationException.class, liner::join);
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
        pair.client().write("def");
        pair.server().write("xyz\n");
        pair.server().readFully(dst);
        assertEquals(ByteBuffer.wrap("abcdef".getBytes(StandardCharsets.US_ASCII)), dst.flip());
        assertEquals("uvwxyz", pair.client().readLine(100));
      }
    });
  }

  @OnEveryBackend
  void cancel_inTheMiddleOfAWrite_saysHowMuchWasSentAndItArrives(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var src = ByteBuffer.allocate(LARGE);
        for (int i = 0; i < LARGE; i += 4) {
          src.putInt(i, i);
        }
        var caught = new AtomicReference<TaskCancelled>();
        Task<?> writer =
            world
                .scheduler()
                .spawn(() -> {
                  try {
                    pair.client().write(src);
                  } catch (TaskCancelled e) {
                    caught.set(e);
                    throw e;
                  }
                });
        world.settle();
        writer.cancel("test");
        assertThrows(CancellationException.class, writer::join);
        int written = (int) progressOf(caught.get()).bytesWritten();
        assertEquals(src.position(), written);
        assertTrue(written > 0 && written < LARGE, "written=" + written);
        Task<?> rest = world.scheduler().spawn(() -> pair.client().write(src));
        var dst = ByteBuffer.allocate(LARGE);
        pair.server().readFully(dst);
        assertEquals(LARGE - written, rest.join());
        assertEquals(src.rewind(), dst.flip());
      }
    });
  }

  @OnEveryBackend
  void timeout_inTheMiddleOfAReadOrWrite_losesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        TcpSocket socket = pair.server();
        Duration limit = Duration.ofMillis(50);
        socket.readTimeout(limit).writeTimeout(limit);
        var dst = ByteBuffer.allocate(6);
        Task<Throwable> reader =
            world.failing(() -> {
              socket.readFully(dst);
              return null;
            });
        Task<Throwable> writer = world.failing(() -> socket.write(ByteBuffer.allocate(LARGE)));
        pair.client().write("abc");
        world.settle();
        world.timer().fire();
        assertEquals(TimedOutException.class, reader.join().getClass());
        Throwable e = writer.join();
        assertEquals(TimedOutException.class, e.getClass());
        assertTrue(progressOf(e).bytesWritten() > 0);
        assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
        socket.readTimeout(null);
        pair.client().write("def");
        socket.readFully(dst);
        assertEquals(ByteBuffer.wrap("abcdef".getBytes(StandardCharsets.US_ASCII)), dst.flip());
        assertThrows(IllegalArgumentException.class, () -> socket.readTimeout(Duration.ZERO));
      }
    });
  }

  @OnEveryBackend
  void scheduledDirectly_waitingOperation_failsAndLosesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var quiet = world.pair();
          var pair = world.pair();
          var listener = world.listen()) {
        ByteBuffer large = ByteBuffer.allocate(LARGE);
        Task<Integer> reader = again(world, () -> quiet.server().read(ByteBuffer.allocate(1)));
        Task<Integer> streaming = again(world, () -> pair.client().input().read());
        Task<Integer> writer = again(world, () -> pair.client().write(large));
        Task<TcpSocket> acceptor = again(world, listener::accept);
        world.settle();
        for (Task<?> each : List.of(reader, streaming, writer, acceptor)) {
          assertTrue(world.scheduler().scheduleTask(each, "a value"), each::toString);
        }
        world.settle();
        quiet.client().write("y");
        pair.server().write("x");
        pair.server().readFully(ByteBuffer.allocate(LARGE));
        world.io().connect(listener.localAddress()).close();
        assertEquals(1, reader.join());
        assertEquals('x', streaming.join());
        writer.join();
        assertFalse(large.hasRemaining());
        acceptor.join().close();
      }
    });
  }

  /// Waits twice: the first time it is scheduled directly.
  private static <T> Task<T> again(IoRig.World world, Callable<T> wait) {
    return world
        .scheduler()
        .spawn(() -> {
          var ended = assertThrows(ScheduledDirectlyException.class, wait::call);
          assertEquals("a value", ended.value());
          return wait.call();
        });
  }

  @OnEveryBackend
  void readOnlyBuffer_isRefusedAndTheSocketGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, () -> pair.server().read(readOnly));
        assertThrows(IllegalArgumentException.class, () -> pair.server().readFully(readOnly));
        assertThrows(IllegalArgumentException.class, () -> pair.server().reading(readOnly));
        pair.client().write("a");
        assertEquals('a', pair.server().input().read());
      }
    });
  }

  @OnEveryBackend
  void anyCall_onAForeignThread_isTheWrongThread(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var seen = new ArrayList<Class<?>>();
        List<Callable<?>> calls =
            List.of(
                () -> pair.client().read(ByteBuffer.allocate(1)),
                () -> pair.client().write(ByteBuffer.allocate(1)),
                () -> world.io().listen(0),
                () -> ChannelFigures.of(world.scheduler()).open());
        world
            .scheduler()
            .blocking(() -> {
              for (Callable<?> call : calls) {
                try {
                  call.call();
                } catch (Exception e) {
                  seen.add(e.getClass());
                }
              }
              return null;
            });
        assertEquals(4, seen.size());
        seen.forEach(type -> assertEquals(WrongThreadException.class, type));
      }
    });
  }

  @OnEveryBackend
  void read_outsideOfATask_isRefusedAndNothingIsBroken(IoRig rig) throws Exception {
    var failures = new ArrayList<Throwable>();
    assumeTrue(rig != IoRig.HANDOFF_ON_VIRTUAL_THREAD, "made on the test's own thread");
    try (var scheduler = rig.newScheduler(failures)) {
      WaitForIO io = WaitForIO.on(scheduler);
      TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertThrows(IllegalStateException.class, listener::accept);
      assertThrows(IllegalStateException.class, () -> io.connect(listener.localAddress()));
      assertEquals(1, io.reactor().registeredCount());
      Task<String> echo =
          scheduler.spawn(() -> {
            try (TcpSocket socket = listener.accept()) {
              return socket.readLine(10);
            }
          });
      scheduler.spawn(() -> {
        try (TcpSocket socket = io.connect(listener.localAddress())) {
          socket.write("hello\n");
        }
      });
      // the connection that was given up is accepted first
      scheduler.start();
      assertEquals(null, echo.join());
      listener.close();
      assertEquals(0, io.reactor().registeredCount());
    }
    assertEquals(List.of(), failures);
  }

  @OnEveryBackend
  void schedulerClose_openSocketsAndWaitingTasks_leavesNothing(IoRig rig) throws Exception {
    assumeTrue(rig != IoRig.HANDOFF_ON_VIRTUAL_THREAD, "made on the test's own thread");
    var failures = new ArrayList<Throwable>();
    var sockets = new ArrayList<TcpSocket>();
    var scheduler = rig.newScheduler(failures);
    WaitForIO io = WaitForIO.on(scheduler);
    TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Task<?> acceptor =
        scheduler.spawn(() -> {
          sockets.add(io.connect(listener.localAddress()));
          sockets.add(listener.accept());
          scheduler.spawn(() -> scheduler.stop());
          sockets.get(0).input().read();
        });
    scheduler.start();
    assertEquals(3, io.reactor().registeredCount());
    scheduler.close();
    assertTrue(acceptor.isCancelled());
    assertFalse(listener.isOpen());
    sockets.forEach(socket -> assertFalse(socket.isOpen()));
    assertEquals(0, io.reactor().registeredCount());
    assertThrows(IOException.class, () -> io.listen(0));
    assertEquals(List.of(), failures);
  }
}
