package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.internal.channel.Selectors;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Listeners under overload.
class ListenerTest {

  @OnEveryBackend
  void options_beforeBindAndConnect_areSetThen(IoRig rig) throws Exception {
    rig.run(world -> {
      var shared = SocketOptions.of(StandardSocketOptions.SO_REUSEPORT, true);
      var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (var one = world.io().listen(anywhere, 10, shared);
          var two = world.io().listen(one.localAddress(), 10, shared);
          var udp = UdpSocket.open(world.io(), anywhere, shared);
          var other = UdpSocket.open(world.io(), udp.localAddress(), shared)) {
        assertEquals(one.port(), two.port());
        assertEquals(udp.localAddress(), other.localAddress());
        assertThrows(IOException.class, () -> world.io().listen(one.localAddress()));
        int open = ChannelFigures.of(world.scheduler()).open();
        var wrong = SocketOptions.of(StandardSocketOptions.IP_MULTICAST_TTL, 1);
        assertThrows(
            UnsupportedOperationException.class, () -> world.io().listen(anywhere, 10, wrong));
        assertThrows(
            UnsupportedOperationException.class,
            () -> world.io().connect(one.localAddress(), wrong));
        assertEquals(open, ChannelFigures.of(world.scheduler()).open());
      }
      try (var listener = world.listen();
          var client =
              world
                  .io()
                  .connect(
                      listener.localAddress(),
                      SocketOptions.of(StandardSocketOptions.SO_RCVBUF, 20_000)
                          .and(StandardSocketOptions.SO_KEEPALIVE, true));
          var server = listener.accept()) {
        assertEquals(true, client.getOption(StandardSocketOptions.SO_KEEPALIVE));
        assertEquals(0, client.bytesSent());
        client.write("four");
        server.readFully(ByteBuffer.allocate(4));
        assertEquals(4, client.bytesSent());
        assertEquals(4, server.bytesReceived());
        assertEquals(0, server.bytesSent());
      }
    });
  }

  @OnEveryBackend
  void maxConnections_reached_acceptorWaitsUntilOneIsClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        listener.maxConnections(2);
        var clients = new ArrayList<TcpSocket>();
        for (int i = 0; i < 3; i++) {
          clients.add(world.io().connect(listener.localAddress()));
        }
        TcpSocket first = listener.accept();
        TcpSocket second = listener.accept();
        assertEquals(2, listener.connections());
        Task<TcpSocket> third = world.scheduler().spawn("third", listener::accept);
        long before = Selectors.selects(world.reactor());
        for (int i = 0; i < 5; i++) {
          world.scheduler().blocking(() -> null);
        }
        assertTrue(Selectors.selects(world.reactor()) - before <= 5 * 3, "it spins");
        assertFalse(third.isDone());
        first.close();
        first.close();
        TcpSocket socket = third.join();
        assertEquals(2, listener.connections());
        listener.maxConnections(Integer.MAX_VALUE);
        second.close();
        socket.close();
        assertEquals(0, listener.connections());
        for (TcpSocket each : clients) {
          each.close();
        }
        assertThrows(IllegalArgumentException.class, () -> listener.maxConnections(0));
      }
    });
  }

  @OnEveryBackend
  void maxConnections_raisedUnderAnAcceptor_itGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        listener.maxConnections(1);
        TcpSocket a = world.io().connect(listener.localAddress());
        TcpSocket first = listener.accept();
        Task<TcpSocket> second = world.scheduler().spawn("second", listener::accept);
        world.settle();
        listener.maxConnections(2);
        TcpSocket b = world.io().connect(listener.localAddress());
        second.join().close();
        first.close();
        a.close();
        b.close();
      }
    });
  }

  /// The acceptor first waits for a connection, and from then on for the limit.
  @OnEveryBackend
  void maxConnections_loweredUnderAnAcceptor_doesNotSpin(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        TcpSocket a = world.io().connect(listener.localAddress());
        TcpSocket first = listener.accept();
        Task<TcpSocket> second = world.scheduler().spawn("second", listener::accept);
        world.settle();
        listener.maxConnections(1);
        TcpSocket b = world.io().connect(listener.localAddress());
        world.scheduler().blocking(() -> null); // the loop sees that it wants to be accepted
        long before = Selectors.selects(world.reactor());
        for (int i = 0; i < 5; i++) {
          world.scheduler().blocking(() -> null);
        }
        assertTrue(Selectors.selects(world.reactor()) - before <= 5 * 3, "it spins");
        assertFalse(second.isDone());
        first.close();
        second.join().close();
        a.close();
        b.close();
      }
    });
  }

  @OnEveryBackend
  void close_acceptorAtTheLimit_isTold(IoRig rig) throws Exception {
    rig.run(world -> {
      TcpListener listener = world.listen();
      listener.maxConnections(1);
      TcpSocket client = world.io().connect(listener.localAddress());
      TcpSocket server = listener.accept();
      Task<Throwable> acceptor = world.failing(listener::accept);
      world.settle();
      listener.close();
      assertEquals(ChannelClosedException.class, acceptor.join().getClass());
      server.close();
      client.close();
    });
  }

  @OnEveryBackend
  void server_restartedOnItsPort_clientsAreRefusedBetween(IoRig rig) throws Exception {
    rig.run(world -> {
      TcpListener first = world.listen();
      TcpSocket client = world.io().connect(first.localAddress());
      TcpSocket server = first.accept();
      server.close(); // this side first, so its port stays in TIME_WAIT
      first.close();
      assertEquals(-1, client.read(ByteBuffer.allocate(1)));
      client.close();
      var refused =
          assertThrows(ConnectException.class, () -> world.io().connect(first.localAddress()));
      assertTrue(refused.getMessage().contains("" + first.port()), refused.getMessage());
      try (var second = world.io().listen(first.localAddress());
          var again = world.io().connect(first.localAddress());
          var accepted = second.accept()) {
        again.write("back\n");
        assertEquals("back", accepted.readLine(9));
      }
    });
  }

  // Lack of descriptors.

  /// More than the class path has jars.
  private static final int DESCRIPTORS = 256;

  private static final int CLIENTS = 400;
  private static final int SPARE = 5;

  /// A server in a JVM with a low limit of open files. It keeps the connections that it accepts
  /// until the system refuses one, and then closes them. It prints its port, and at the end its
  /// observations.
  static final class HungryServer {

    private HungryServer() {}

    public static void main(String[] args) throws Exception {
      var reports = new ArrayList<String>();
      var open = new ArrayList<TcpSocket>();
      var spare = new ArrayList<SocketChannel>(); // so that classes can still be loaded
      for (int i = 0; i < SPARE; i++) {
        spare.add(SocketChannel.open());
      }
      FailureHandler handler =
          (where, e) -> {
            reports.add(where);
            for (SocketChannel each : spare) {
              try {
                each.close();
              } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
              }
            }
          };
      try (Scheduler scheduler = Scheduler.builder().failureHandler(handler).build()) {
        WaitForIO io = WaitForIO.on(scheduler);
        scheduler.spawn(() -> {
          var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
          try (TcpListener listener = io.listen(anywhere, CLIENTS, SocketOptions.NONE)) {
            System.out.println(listener.port());
            scheduler.spawn("reliever", () -> relieve(scheduler, reports, open));
            for (int i = 0; i < CLIENTS; i++) {
              TcpSocket socket = listener.accept();
              if (reports.isEmpty()) {
                open.add(socket);
              } else {
                socket.close();
              }
            }
          }
        });
        scheduler.start();
        System.out.println("accepted all, reports=" + reports.size());
        reports.forEach(System.out::println);
      }
    }

    private static void relieve(Scheduler scheduler, List<String> reports, List<TcpSocket> open)
        throws Exception {
      while (reports.isEmpty()) {
        scheduler.yield();
      }
      for (TcpSocket each : open) {
        each.close();
      }
    }
  }

  @Test
  void accept_noDescriptorsLeft_waitsReportsOnceAndRecovers() throws Exception {
    Process server =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -n " + DESCRIPTORS + "; exec \"$@\"",
                "server",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HungryServer.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var clients = new ArrayList<SocketChannel>();
    try (BufferedReader output = server.inputReader(StandardCharsets.US_ASCII)) {
      int port = Integer.parseInt(output.readLine());
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
      }
      assertEquals("accepted all, reports=1", output.readLine());
      String report = output.readLine();
      assertTrue(report.startsWith("accept on listener 127.0.0.1:" + port), report);
      assertNull(output.readLine());
      assertEquals(0, server.waitFor());
    } finally {
      for (SocketChannel each : clients) {
        each.close();
      }
      server.destroy();
    }
  }
}
