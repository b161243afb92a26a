package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.IoRig.Pair;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A connection that the peer has broken has no end of its stream: the system reports the failure
/// once, to the call that comes first.
class TcpBrokenTest {

  private static final int MOST_WRITES = 1_000;

  private static void reset(TcpSocket socket) throws IOException {
    var _ = socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    socket.close();
  }

  private static void writeUntilItFails(TcpSocket socket) throws IOException {
    for (int i = 0; i < MOST_WRITES; i++) {
      var _ = socket.write(ByteBuffer.wrap(new byte[] {1}));
    }
  }

  @OnEveryBackend
  void read_afterAWriteHasFoundTheReset_isNoEnd(IoRig rig) throws Exception {
    rig.run(world -> {
      try (Pair pair = world.pair()) {
        reset(pair.server());
        world.settle();
        assertThrows(ConnectionResetException.class, () -> writeUntilItFails(pair.client()));
        for (int i = 0; i < 2; i++) {
          assertThrows(
              ConnectionResetException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
          assertThrows(
              ConnectionResetException.class, () -> pair.client().tryRead(ByteBuffer.allocate(1)));
        }
      }
    });
  }

  /// Bytes that arrived before the failure can still be read.
  @OnEveryBackend
  void read_afterAWriteHasFoundTheReset_returnsWhatCameBefore(IoRig rig) throws Exception {
    rig.run(world -> {
      try (Pair pair = world.pair()) {
        pair.server().write("part");
        reset(pair.server());
        world.settle();
        assertThrows(ConnectionResetException.class, () -> writeUntilItFails(pair.client()));
        var part = ByteBuffer.allocate(4);
        pair.client().readFully(part);
        assertEquals("part", new String(part.array(), StandardCharsets.UTF_8));
        assertThrows(ConnectionResetException.class, () -> pair.client().readLine(10));
      }
    });
  }

  /// The peer first ends its stream, and then goes away.
  @OnEveryBackend
  void read_afterTheEnd_staysTheEndThoughWritesFail(IoRig rig) throws Exception {
    rig.run(world -> {
      try (Pair pair = world.pair()) {
        pair.server().write("all");
        pair.server().close();
        var all = ByteBuffer.allocate(3);
        pair.client().readFully(all);
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        assertThrows(ConnectionResetException.class, () -> writeUntilItFails(pair.client()));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
      }
    });
  }

  @OnEveryBackend
  void read_thePeerHasEndedItsStreamBeforeWritesFail_returnsAllAndTheEnd(IoRig rig)
      throws Exception {
    rig.run(world -> {
      try (Pair pair = world.pair()) {
        pair.server().write("all");
        pair.server().close();
        world.settle();
        assertThrows(ConnectionResetException.class, () -> writeUntilItFails(pair.client()));
        pair.client().readFully(ByteBuffer.allocate(3));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
      }
    });
  }
}
