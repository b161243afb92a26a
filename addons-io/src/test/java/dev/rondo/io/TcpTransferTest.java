package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.scheduler.Task;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/// Bytes written at one end are read at the other.
class TcpTransferTest {

  private static final int MEBI = 1024 * 1024;

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static long sum(byte[] bytes) {
    var sum = new CRC32C();
    sum.update(bytes);
    return sum.getValue();
  }

  @OnEveryBackend
  void echo_severalClients_everyByteComesBack(IoRig rig) throws Exception {
    rig.run(world -> {
      var listener = world.listen();
      world.spawn(
          "acceptor",
          () -> {
            for (int i = 0; i < 5; i++) {
              TcpSocket socket = listener.accept();
              world.spawn(
                  "echo " + socket.remoteAddress(),
                  () -> {
                    try (socket) {
                      socket.input().transferTo(socket.output());
                    }
                  });
            }
            listener.close();
          });
      var clients = new ArrayList<Task<Void>>();
      for (int i = 0; i < 5; i++) {
        int seed = 100 + i;
        clients.add(
            world.spawn(
                "client " + i,
                () -> {
                  var random = new Random(seed);
                  var sent = new byte[300_000];
                  random.nextBytes(sent);
                  try (var socket = world.io().connect(listener.localAddress())) {
                    world.spawn(
                        "sender",
                        () -> {
                          for (int from = 0; from < sent.length; ) {
                            int n = Math.min(1 + random.nextInt(5_000), sent.length - from);
                            socket.write(ByteBuffer.wrap(sent, from, n));
                            from += n;
                          }
                          socket.shutdownOutput();
                        });
                    byte[] received = socket.input().readAllBytes();
                    assertEquals(sent.length, received.length);
                    assertEquals(sum(sent), sum(received));
                  }
                }));
      }
      clients.forEach(Task::join);
    });
  }

  @OnEveryBackend
  void write_farLargerThanTheSocketBuffer_arrivesWhole(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var sent = new byte[8 * MEBI];
        new Random(7).nextBytes(sent);
        ByteBuffer heap = ByteBuffer.wrap(sent);
        ByteBuffer direct = ByteBuffer.allocateDirect(sent.length).put(sent).flip();
        Task<Integer> writer =
            world
                .scheduler()
                .spawn(
                    "writer",
                    () -> {
                      int n = pair.client().write(heap);
                      n += pair.client().write(direct);
                      pair.client().shutdownOutput();
                      return n;
                    });
        var received = ByteBuffer.allocate(2 * sent.length);
        pair.server().readFully(received);
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        assertEquals(2 * sent.length, writer.join());
        assertFalse(heap.hasRemaining());
        var first = new byte[sent.length];
        var second = new byte[sent.length];
        received.flip().get(first).get(second);
        assertEquals(sum(sent), sum(first));
        assertEquals(sum(sent), sum(second));
      }
    });
  }

  @OnEveryBackend
  void read_oneByteAtATime_inOrder(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var sent = new byte[5_000];
        new Random(3).nextBytes(sent);
        world.spawn(
            "writer",
            () -> {
              for (byte each : sent) {
                pair.client().write(ByteBuffer.wrap(new byte[] {each}));
              }
              pair.client().shutdownOutput();
            });
        var received = ByteBuffer.allocate(sent.length);
        var one = ByteBuffer.allocate(1);
        while (pair.server().read(one.clear()) > 0) {
          received.put(one.flip());
        }
        assertEquals(ByteBuffer.wrap(sent), received.flip());
      }
    });
  }

  @OnEveryBackend
  void read_bufferWithPositionAndLimit_touchesNothingElse(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write("abcdef");
        var dst = bytes("..........");
        dst.position(2).limit(5);
        pair.server().readFully(dst);
        assertEquals(0, pair.server().read(dst), "no room");
        assertEquals(bytes("..abc....."), dst.clear());
      }
    });
  }

  @OnEveryBackend
  void read_afterThePeersHalfClose_isAtItsEndForEverAndWritingWorks(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write("last");
        pair.client().shutdownOutput();
        var dst = ByteBuffer.allocate(10);
        while (pair.server().read(dst) > 0) {}
        assertEquals(4, dst.position());
        assertEquals(-1, pair.server().read(dst));
        assertEquals(-1, pair.server().read(dst));
        assertEquals(-1, pair.server().input().read());
        assertNull(pair.server().readLine(10));
        pair.server().write("answer");
        var answer = ByteBuffer.allocate(6);
        pair.client().readFully(answer);
        assertEquals(bytes("answer"), answer.flip());
      }
    });
  }

  @OnEveryBackend
  void shutdownInput_underAWaitingReader_readerIsAtTheEndAndWritingWorks(IoRig rig)
      throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<Integer> reader =
            world.scheduler().spawn(() -> pair.server().read(ByteBuffer.allocate(10)));
        world.settle();
        pair.server().shutdownInput();
        assertEquals(-1, reader.join());
        pair.server().write("still");
        pair.client().readFully(ByteBuffer.allocate(5));
      }
    });
  }

  /// The system itself would still deliver them.
  @OnEveryBackend
  void shutdownInput_bytesHaveCome_areNotRead(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write("too late");
        var _ = world.scheduler().await(pair.server().readable());
        pair.server().shutdownInput();
        assertEquals(-1, pair.server().read(ByteBuffer.allocateDirect(10)));
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(10)));
        assertNull(pair.server().readLine(10));
      }
    });
  }

  @OnEveryBackend
  void shutdownOutput_underAWaitingWriter_writerIsTold(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<?> writer =
            world.scheduler().spawn(() -> pair.client().write(ByteBuffer.allocate(64 * MEBI)));
        world.settle();
        pair.client().shutdownOutput();
        var e = assertThrows(ExecutionOf.class, () -> ExecutionOf.join(writer));
        assertEquals(ChannelClosedException.class, e.getCause().getClass());
        assertTrue(e.getCause().getMessage().contains("shut that direction down"));
        var use = assertThrows(ChannelClosedException.class, () -> pair.client().write("more"));
        assertTrue(use.getMessage().contains("shut that direction down"), use.getMessage());
      }
    });
  }

  @OnEveryBackend
  void readFully_streamEndsEarly_saysHowManyItHad(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write("abc");
        pair.client().close();
        var dst = ByteBuffer.allocate(8);
        var e = assertThrows(EndOfStreamException.class, () -> pair.server().readFully(dst));
        assertEquals(3, e.bytesRead());
        assertEquals(3, dst.position());
        assertTrue(e.getMessage().contains("wanted=8 bytes, had=3 bytes"), e.getMessage());
      }
    });
  }

  @OnEveryBackend
  void readUntil_messagesInPieces_takesEachWithoutItsDelimiter(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        world.spawn(
            "writer",
            () -> {
              for (String piece : List.of("on", "e;;thr", "ee;", "rest")) {
                pair.client().write(piece);
                world.settle();
              }
              pair.client().shutdownOutput();
            });
        TcpSocket server = pair.server();
        assertArrayEquals(
            "one".getBytes(StandardCharsets.US_ASCII), server.readUntil((byte) ';', 3));
        assertArrayEquals(new byte[0], server.readUntil((byte) ';', 0));
        assertArrayEquals(
            "three".getBytes(StandardCharsets.US_ASCII), server.readUntil((byte) ';', 100));
        var e = assertThrows(EndOfStreamException.class, () -> server.readUntil((byte) ';', 100));
        assertEquals(4, e.bytesRead());
        var rest = ByteBuffer.allocate(4);
        server.readFully(rest);
        assertEquals(bytes("rest"), rest.flip());
        assertNull(server.readUntil((byte) ';', 100));
      }
    });
  }

  @OnEveryBackend
  void readUntil_noDelimiterWithinTheLimit_failsAndTakesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write("abcd;");
        assertThrows(
            DelimiterNotFoundException.class, () -> pair.server().readUntil((byte) ';', 3));
        assertThrows(IllegalArgumentException.class, () -> pair.server().readUntil((byte) ';', -1));
        assertArrayEquals(
            "abcd".getBytes(StandardCharsets.US_ASCII), pair.server().readUntil((byte) ';', 4));
      }
    });
  }

  @OnEveryBackend
  void readLine_endingsOfAllKinds_areTakenOff(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        String large = "x".repeat(20_000);
        world.spawn(
            "writer",
            () -> {
              pair.client().write("unix\ndos\r\n\r\n\n" + large + "\nM\u00fcnchen\nlast");
              pair.client().shutdownOutput();
            });
        var lines = new ArrayList<String>();
        for (String line; (line = pair.server().readLine(20_000)) != null; ) {
          lines.add(line);
        }
        assertEquals(List.of("unix", "dos", "", "", large, "M\u00fcnchen", "last"), lines);
      }
    });
  }

  @OnEveryBackend
  void read_neverAnythingEmpty_givesWayAllTheSame(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        pair.client().write(ByteBuffer.allocate(2_000));
        world.settle();
        var others = new int[1];
        Task<Void> other =
            world.spawn(
                "other",
                () -> {
                  while (true) {
                    others[0]++;
                    world.scheduler().yield();
                  }
                });
        var one = ByteBuffer.allocate(1);
        for (int i = 0; i < 2_000; i++) {
          pair.server().read(one.clear());
        }
        assertTrue(others[0] >= 10, "turns of the other task: " + others[0]);
        other.cancel("enough");
      }
    });
  }

  @OnEveryBackend
  void transfer_randomPiecesBothWaysAtOnce_nothingLostDoubledOrReordered(IoRig rig)
      throws Exception {
    rig.run(world -> {
      try (Pair pair = world.pair()) {
        var tasks = new ArrayList<Task<Void>>();
        for (boolean forth : new boolean[] {true, false}) {
          TcpSocket from = forth ? pair.client() : pair.server();
          TcpSocket to = forth ? pair.server() : pair.client();
          var sent = new byte[MEBI];
          new Random(forth ? 1 : 2).nextBytes(sent);
          tasks.add(
              world.spawn(
                  "writer",
                  () -> {
                    var random = new Random(11);
                    for (int at = 0; at < sent.length; ) {
                      int n = Math.min(1 + random.nextInt(60_000), sent.length - at);
                      from.write(ByteBuffer.wrap(sent, at, n));
                      at += n;
                    }
                    from.shutdownOutput();
                  }));
          tasks.add(
              world.spawn(
                  "reader",
                  () -> {
                    var random = new Random(12);
                    var received = ByteBuffer.allocate(sent.length + 1);
                    while (true) {
                      received.limit(
                          Math.min(
                              received.position() + 1 + random.nextInt(60_000),
                              received.capacity()));
                      if (to.read(received) < 0) {
                        break;
                      }
                    }
                    assertEquals(sent.length, received.position());
                    assertEquals(ByteBuffer.wrap(sent), received.flip());
                  }));
        }
        tasks.forEach(Task::join);
      }
    });
  }
}
