package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;

/// Several tasks that use one TLS socket.
class TlsSharedTest {

  private static final String HOST = "one.test";

  /// More bytes than the system's buffers take.
  private static final int MUCH = 9_000_000;

  /// Two ends of one TLS connection.
  private record Secured(TlsSocket client, TlsSocket server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private static Secured agreed(World world) throws Exception {
    var client = new TlsClient(world.scheduler(), Certificates.context(null, HOST));
    var server = new TlsServer(world.scheduler(), Certificates.context(HOST));
    Pair beneath = world.pair();
    var pair = new Secured(client.over(beneath.client(), HOST), server.over(beneath.server()));
    Task<Void> other = world.spawn("server", pair.server()::handshake);
    pair.client().handshake();
    other.join();
    return pair;
  }

  private static Task<Integer> fullWriter(World world, TlsSocket socket) {
    Task<Integer> writer =
        world.scheduler().spawn("first", () -> socket.write(ByteBuffer.allocate(MUCH)));
    world.settle();
    assertFalse(writer.isDone(), "the system took it all");
    return writer;
  }

  @OnEveryBackend
  void twoWriters_secondIsRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Integer> first = fullWriter(world, pair.client());
        Task<Throwable> second = world.failing(() -> pair.client().write(ByteBuffer.allocate(1)));
        world.settle();
        assertTrue(second.isDone());
        var e = assertInstanceOf(IllegalStateException.class, second.join());
        assertTrue(e.getMessage().contains("'first' is writing"), e::getMessage);
        first.cancel("enough");
        assertThrows(CancellationException.class, first::join);
        pair.server().close(); // or the client would wait for the end of the stream
      }
    });
  }

  /// The peer has not received everything, so it must not receive close_notify. Sending
  /// close_notify would also wait for the writer.
  @OnEveryBackend
  void close_underAWriter_endsBothAtOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Throwable> writer =
            world.failing(() -> pair.client().write(ByteBuffer.allocate(MUCH)));
        world.settle();
        assertFalse(writer.isDone(), "the system took it all");
        Task<Void> closer = world.spawn("closer", pair.client()::close);
        world.settle();
        assertTrue(closer.isDone());
        assertInstanceOf(ChannelClosedException.class, writer.join());
        var buffer = ByteBuffer.allocate(100_000);
        assertThrows(
            IOException.class,
            () -> {
              while (pair.server().read(buffer.clear()) >= 0) {}
            });
      }
    });
  }
}
