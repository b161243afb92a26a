package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sockets that the program has lost without closing them.
class LostSocketTest {

  @FunctionalInterface
  private interface Opening {
    Object open() throws Exception;
  }

  /// Opens something, forgets it, and returns the report of its close.
  private static String lose(World world, Opening opening) throws Exception {
    Task<String> task = world.scheduler().spawn("careless", () -> "" + opening.open());
    String name = task.join();
    while (world.failures().isEmpty()) {
      System.gc();
      world.scheduler().blocking(() -> null);
    }
    world.settle();
    assertEquals(1, world.failures().size(), world.failures()::toString);
    Throwable report = world.failures().removeFirst();
    assertTrue(
        report.getMessage().contains("was not closed, and nothing refers to it any more"),
        report::toString);
    return name + ": " + report.getMessage();
  }

  @OnEveryBackend
  void lost_connection_isReportedAndClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<TcpSocket> accepting = world.scheduler().spawn(listener::accept);
        String report = lose(world, () -> world.io().connect(listener.localAddress()));
        assertTrue(report.matches("(socket \\S+ -> \\S+): \\1 was not closed.*"), report);
        TcpSocket accepted = accepting.join();
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        accepted.close();
      }
    });
  }

  @OnEveryBackend
  void lost_acceptedConnection_isClosedAndCountsNoMore(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<TcpSocket> connecting =
            world.scheduler().spawn(() -> world.io().connect(listener.localAddress()));
        lose(world, () -> world.scheduler().await(listener.accepting()));
        assertEquals(0, listener.connections());
        TcpSocket client = connecting.join();
        assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        client.close();
      }
    });
  }

  @OnEveryBackend
  void lost_listenersPipesAndDatagrams_areReportedAndClosed(IoRig rig, @TempDir Path directory)
      throws Exception {
    rig.run(world -> {
      lose(world, world::listen);
      lose(world, () -> UdpSocket.open(world.io(), new InetSocketAddress(0)));
      Path path = directory.resolve("socket");
      lose(world, () -> UnixListener.open(world.io(), path));
      assertFalse(Files.exists(path));
      PipeSource source = OsPipe.open(world.io()).source();
      lose(world, () -> "the sink");
      assertEquals(-1, source.read(ByteBuffer.allocate(1)));
      source.close();
    });
  }

  /// The waiting task needs the socket, though no code refers to it.
  @OnEveryBackend
  void awaited_referredToByNothingElse_staysOpen(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<TcpSocket> accepting = world.scheduler().spawn(listener::accept);
        var dst = ByteBuffer.allocate(1);
        Task<Integer> reader =
            world.scheduler().spawn(() -> world.io().connect(listener.localAddress()).read(dst));
        TcpSocket accepted = accepting.join();
        for (int i = 0; i < 3; i++) {
          System.gc();
          world.scheduler().blocking(() -> null);
          world.settle();
        }
        assertFalse(reader.isDone());
        accepted.write("x");
        assertEquals(1, reader.join());
        while (world.failures().isEmpty()) {
          System.gc();
          world.scheduler().blocking(() -> null);
        }
        world.failures().clear();
        accepted.close();
      }
    });
  }

  /// Outside of debug mode only one of many sockets remembers the place.
  @Test
  void lost_inDebugMode_isReportedWithThePlaceThatOpenedIt() {
    var failures = new ArrayList<Throwable>();
    try (Scheduler scheduler =
        Scheduler.builder().debug().failureHandler((where, e) -> failures.add(e)).build()) {
      WaitForIO io = WaitForIO.on(scheduler);
      scheduler.spawn(() -> {
        try (var listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
          Task<?> client =
              scheduler.spawn(() -> io.connect(listener.localAddress()).remoteAddress());
          scheduler.spawn(() -> openedByThisMethod(listener)).join();
          client.join();
          while (failures.size() < 2) {
            System.gc();
            scheduler.blocking(() -> null);
          }
        }
      });
      scheduler.start();
    }
    assertEquals(2, failures.size());
    for (Throwable each : failures) {
      assertNotNull(each.getCause(), each::toString);
      assertTrue(
          Arrays.stream(each.getCause().getStackTrace())
              .anyMatch(frame -> frame.getClassName().startsWith(LostSocketTest.class.getName())),
          each::toString);
    }
  }

  private static String openedByThisMethod(TcpListener listener) throws Exception {
    return listener.accept().toString();
  }
}
