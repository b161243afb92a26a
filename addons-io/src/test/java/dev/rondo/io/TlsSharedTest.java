package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
      server.close(); // then the client need not wait for a side that does not read
      client.close();
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

  /// Writes until the system takes no more. The last write is cancelled in the middle of a record.
  ///
  /// @return how many bytes were encrypted
  private static int fill(World world, TlsSocket socket) throws Exception {
    int encrypted = 0;
    var writable = new boolean[] {true};
    while (writable[0]) {
      var src = ByteBuffer.allocate(MUCH);
      Task<Integer> writer = world.scheduler().spawn(() -> socket.write(src));
      world.settle();
      writer.cancel("enough");
      assertThrows(CancellationException.class, writer::join);
      encrypted += src.position();
      writable[0] = false;
      Select.biased()
          .on(socket.writable(), ignored -> writable[0] = true)
          .otherwise(() -> {})
          .run();
    }
    return encrypted;
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

  /// A read sends what a cancelled write has left, in a task of its own.
  @OnEveryBackend
  void writable_whileTheRestOfAWriteIsSent_isNotRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        int encrypted = fill(world, pair.client());
        Task<Integer> reader =
            world.scheduler().spawn(() -> pair.client().read(ByteBuffer.allocate(4)));
        world.settle();
        Task<TlsSocket> writable =
            world.scheduler().spawn(() -> world.scheduler().await(pair.client().writable()));
        world.settle();
        assertFalse(writable.isDone(), "the peer has not read");
        pair.server().readFully(ByteBuffer.allocate(encrypted));
        assertSame(pair.client(), writable.join());
        pair.server().write("here");
        assertEquals(4, reader.join());
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

  /// Each writer waits for the other side's reader, so no reader may wait for its own side's
  /// writer.
  @OnEveryBackend
  void readers_startedUnderBlockedWriters_receiveEverything(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        var sides = new TlsSocket[] {pair.client(), pair.server()};
        var writers = new ArrayList<Task<Integer>>();
        for (TlsSocket socket : sides) {
          writers.add(fullWriter(world, socket));
        }
        var readers = new ArrayList<Task<Void>>();
        for (TlsSocket socket : sides) {
          readers.add(world.spawn("reader", () -> socket.readFully(ByteBuffer.allocate(MUCH))));
        }
        for (Task<Void> reader : readers) {
          reader.join();
        }
        for (Task<Integer> writer : writers) {
          assertEquals(MUCH, writer.join());
        }
      }
    });
  }

  @OnEveryBackend
  void readers_restsOfCancelledWritesAreLeft_receiveEverything(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        int toServer = fill(world, pair.client());
        int toClient = fill(world, pair.server());
        Task<Void> other =
            world.spawn("reader", () -> pair.client().readFully(ByteBuffer.allocate(toClient)));
        pair.server().readFully(ByteBuffer.allocate(toServer));
        other.join();
      }
    });
  }

  /// The reader would drop the bytes if it were cancelled while it sends that rest.
  @OnEveryBackend
  void read_restOfACancelledWriteIsLeft_returnsBeforeThatIsSent(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        var got = ByteBuffer.allocate(4);
        Task<Integer> reader = world.scheduler().spawn(() -> pair.client().read(got));
        world.settle();
        var _ = fill(world, pair.client());
        pair.server().write("here");
        assertEquals(4, reader.join()); // or it waits for the peer to read
        assertArrayEquals("here".getBytes(StandardCharsets.US_ASCII), got.array());
      }
    });
  }
}
