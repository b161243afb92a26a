package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.io.TempDir;

/// Files sent to sockets by `sendfile`. The file is larger than the buffers of both sockets, so a
/// transfer ends only if the receiver reads.
class SendFileTest {

  private static final int FILE_BYTES = 24 << 20;

  @TempDir Path folder;

  @FunctionalInterface
  private interface Scenario {
    void run(World world, OpenFile file, Pair pair) throws Exception;
  }

  private void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      var files = WaitForFile.on(world.scheduler());
      var content = new byte[FILE_BYTES];
      new Random(12).nextBytes(content);
      Path path = Files.write(folder.resolve("content"), content);
      try (OpenFile file = files.open(path);
          var pair = world.pair()) {
        scenario.run(world, file, pair);
      }
      assertEquals(0, files.openCount(), "open files");
    });
  }

  private static PartialWriteException progressOf(Throwable e) {
    return assertInstanceOf(PartialWriteException.class, e.getSuppressed()[0]);
  }

  private long sumOfFile(int position, int count) throws IOException {
    var sum = new CRC32();
    sum.update(Files.readAllBytes(folder.resolve("content")), position, count);
    return sum.getValue();
  }

  /// Reads until the end of the stream.
  private record Received(long bytes, long sum) {
    static Received from(TcpSocket socket, Random pace) throws IOException {
      var sum = new CRC32();
      var buffer = ByteBuffer.allocate(1 << 20);
      long bytes = 0;
      while (true) {
        int n = socket.read(buffer.clear().limit(1 + pace.nextInt(buffer.capacity())));
        if (n < 0) {
          return new Received(bytes, sum.getValue());
        }
        sum.update(buffer.flip());
        bytes += n;
      }
    }
  }

  @OnEveryBackend
  void transferTo_largerThanTheBuffers_isByteExactBetweenWrites(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          Task<Received> received =
              world.scheduler().spawn(() -> Received.from(pair.server(), new Random(13)));
          assertEquals(0, file.transferTo(FILE_BYTES + 5L, 1, pair.client()));
          assertEquals(0, file.transferTo(1, 0, pair.client()));
          assertEquals(1000, file.transferTo(0, 1000, pair.client()));
          assertEquals(FILE_BYTES - 1000, file.transferTo(1000, Long.MAX_VALUE, pair.client()));
          pair.client().shutdownOutput();
          assertEquals(new Received(FILE_BYTES, sumOfFile(0, FILE_BYTES)), received.join());
        });
  }

  @OnEveryBackend
  void transferTo_cancelledInTheMiddle_saysHowMuchWasSent(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          Throwable[] caught = new Throwable[1];
          Task<Void> sender =
              world.spawn(
                  "sender",
                  () -> {
                    try {
                      file.transferTo(7, Long.MAX_VALUE, pair.client());
                    } catch (TaskCancelled e) {
                      caught[0] = e;
                    }
                  });
          while (ChannelFigures.of(world.scheduler()).waits() == 0) {
            world.scheduler().yield();
          }
          sender.cancel("enough");
          sender.join();
          var progress = progressOf(caught[0]);
          assertTrue(progress.bytesWritten() > 0, progress::getMessage);
          assertEquals(FILE_BYTES - 7, progress.bytesWritten() + progress.bytesLeft());
          pair.client().shutdownOutput();
          int sent = (int) progress.bytesWritten();
          assertEquals(
              new Received(sent, sumOfFile(7, sent)), Received.from(pair.server(), new Random(14)));
        });
  }

  @OnEveryBackend
  void transferTo_closedMeanwhile_isToldAtOnce(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          Task<Throwable> sender =
              world.failing(() -> file.transferTo(0, Long.MAX_VALUE, pair.client()));
          while (ChannelFigures.of(world.scheduler()).waits() == 0) {
            world.scheduler().yield();
          }
          pair.client().close();
          Throwable e = sender.join();
          assertInstanceOf(ChannelClosedException.class, e);
          assertTrue(progressOf(e).bytesWritten() > 0);
          var late =
              assertThrows(
                  ChannelClosedException.class, () -> file.transferTo(0, 1, pair.client()));
          assertEquals(0, progressOf(late).bytesWritten());
        });
  }

  @OnEveryBackend
  void transferTo_peerResets_isTold(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          Task<Throwable> sender =
              world.failing(() -> file.transferTo(0, Long.MAX_VALUE, pair.client()));
          while (ChannelFigures.of(world.scheduler()).waits() == 0) {
            world.scheduler().yield();
          }
          pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
          pair.server().close();
          Throwable e = sender.join();
          assertEquals(ConnectionResetException.class, e.getClass(), e::toString);
          assertTrue(progressOf(e).bytesWritten() > 0);
        });
  }

  @OnEveryBackend
  void transferTo_peerHasEndedItsStreamAndIsGone_thatStreamIsWhole(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          pair.server().write("reply\n");
          pair.server().close();
          assertThrows(
              ConnectionResetException.class,
              () -> file.transferTo(0, Long.MAX_VALUE, pair.client()));
          assertEquals("reply", pair.client().readLine(10));
          assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        });
  }

  @OnEveryBackend
  void transferTo_outputIsShutDown_isClosed(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          Task<Throwable> sender =
              world.failing(() -> file.transferTo(0, Long.MAX_VALUE, pair.client()));
          while (ChannelFigures.of(world.scheduler()).waits() == 0) {
            world.scheduler().yield();
          }
          pair.client().shutdownOutput();
          Throwable e = sender.join();
          assertInstanceOf(ChannelClosedException.class, e);
          assertTrue(progressOf(e).bytesWritten() > 0);
          var late =
              assertThrows(
                  ChannelClosedException.class, () -> file.transferTo(0, 1, pair.client()));
          assertTrue(late.getMessage().startsWith("write to "), late.getMessage());
          assertEquals(0, progressOf(late).bytesWritten());
          assertEquals(0, file.transferTo(0, 0, pair.client()));
        });
  }

  @OnEveryBackend
  void transferTo_timeoutAndSecondWriter_areRefusedAndLeaveTheOther(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          pair.client().writeTimeout(Duration.ofSeconds(1));
          Task<Throwable> sender =
              world.failing(() -> file.transferTo(0, Long.MAX_VALUE, pair.client()));
          while (ChannelFigures.of(world.scheduler()).waits() == 0) {
            world.scheduler().yield();
          }
          var busy =
              assertThrows(IllegalStateException.class, () -> file.transferTo(0, 1, pair.client()));
          assertTrue(busy.getMessage().contains("is doing this already"), busy.getMessage());
          assertThrows(IllegalStateException.class, () -> pair.client().write("x"));
          world.timer().fire();
          Throwable e = sender.join();
          assertInstanceOf(TimedOutException.class, e);
          assertTrue(progressOf(e).bytesWritten() > 0);
        });
  }

  @OnEveryBackend
  void transferTo_badArguments_areRefused(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          assertThrows(IllegalArgumentException.class, () -> file.transferTo(-1, 1, pair.client()));
          assertThrows(IllegalArgumentException.class, () -> file.transferTo(0, -1, pair.client()));
          assertThrows(
              IllegalArgumentException.class,
              () -> pair.client().send((system, sent) -> Transfer.END, -1));
          file.close();
          assertThrows(ChannelClosedException.class, () -> file.transferTo(0, 1, pair.client()));
        });
  }

  @OnEveryBackend
  void send_transferFails_thatComesOutAndTheSocketGoesOn(IoRig rig) throws Exception {
    with(
        rig,
        (world, file, pair) -> {
          var mine = new IOException("mine");
          var e =
              assertThrows(
                  IOException.class,
                  () ->
                      pair.client()
                          .send(
                              (system, sent) -> {
                                if (sent == 3) {
                                  throw mine;
                                }
                                return system.write(
                                    ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)));
                              },
                              10));
          assertSame(mine, e);
          assertEquals(3, progressOf(e).bytesWritten());
          pair.client().write("d\n");
          assertEquals("abcd", pair.server().readLine(10));
        });
  }

  /// A transfer that never finds the system's buffer full must not keep the loop.
  @OnEveryBackend
  void send_cancelledWhileTheSystemTakesAll_endsBetweenTwoPieces(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        Task<?>[] sender = new Task<?>[1];
        Throwable[] caught = new Throwable[1];
        sender[0] =
            world.spawn(
                "sender",
                () -> {
                  try {
                    pair.client()
                        .send(
                            (system, sent) -> {
                              if (sent == 5) {
                                sender[0].cancel("enough");
                              }
                              return 1;
                            },
                            1000);
                  } catch (TaskCancelled e) {
                    caught[0] = e;
                  }
                });
        sender[0].join();
        assertEquals(6, progressOf(caught[0]).bytesWritten());
        assertEquals(994, progressOf(caught[0]).bytesLeft());
      }
    });
  }

  @OnEveryBackend
  void send_closedWhileAPieceIsUnderWay_asksForNoOther(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        int[] pieces = new int[1];
        var e =
            assertThrows(
                ChannelClosedException.class,
                () ->
                    pair.client()
                        .send(
                            (system, sent) -> {
                              pieces[0]++;
                              pair.client().close();
                              return 1;
                            },
                            10));
        assertEquals(1, pieces[0]);
        assertEquals(1, progressOf(e).bytesWritten());
      }
    });
  }
}
