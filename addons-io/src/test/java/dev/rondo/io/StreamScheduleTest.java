package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Random schedules of reads and writes of all kinds, with timeouts, cancellations, half-closes,
/// closes and resets in the middle. Every byte of a stream is a function of its position, so a byte
/// that is lost, duplicated or out of order is found where it happens; and the checksums of both
/// sides are compared.
///
/// The seed is in the name of each run and in each message.
class StreamScheduleTest {

  private static final long STREAM_BYTES = 600_000;
  private static final long LONGEST_BYTES = 200_000;
  private static final int HIGH_WATER_BYTES = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(1);

  enum Transport {
    TCP,
    UNIX,
    PIPE
  }

  enum Ending {
    HALF_CLOSE,
    CLOSE,
    READER_GOES_AWAY
  }

  static Stream<Arguments> runs() {
    return RigsToTest.of(StreamScheduleTest.class)
        .flatMap(rig ->
            Stream.of(Transport.values())
                .flatMap(transport ->
                    Stream.of(Ending.values())
                        .map(ending ->
                            Arguments.of(
                                rig, transport, ending, Long.getLong("rondo.test.seed", 4711)))));
  }

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0} {1} {2} seed={3}")
  @MethodSource("runs")
  void transfer_randomScheduleOfEverything_isByteExact(
      IoRig rig, Transport transport, Ending ending, long seed) throws Exception {
    rig.run(world -> {
      switch (transport) {
        case TCP -> {
          try (var pair = world.pair()) {
            both(world, pair.client(), pair.server(), ending, seed);
          }
        }
        case UNIX -> {
          try (var listener = UnixListener.open(world.io(), folder.resolve("socket"));
              var client = UnixSocket.connect(world.io(), folder.resolve("socket"));
              var server = listener.accept()) {
            both(world, client, server, ending, seed);
          }
        }
        case PIPE -> {
          try (var pipe = OsPipe.open(world.io())) {
            run(world, List.of(new OneWay(world, pipe.sink(), pipe.source(), ending, seed)));
          }
        }
      }
    });
  }

  /// Both directions at once. A full close would end the other direction, too, so only one
  /// direction ends with it, after the other has ended.
  private static <S extends StreamSocket<S>> void both(
      World world, S client, S server, Ending ending, long seed) {
    if (ending == Ending.HALF_CLOSE) {
      run(
          world,
          List.of(
              new OneWay(world, client, server, ending, seed),
              new OneWay(world, server, client, ending, seed + 1_000)));
    } else {
      run(world, List.of(new OneWay(world, client, server, ending, seed)));
    }
  }

  private static void run(World world, List<OneWay> ways) {
    var tasks = new ArrayList<Task<Void>>();
    var failures = new ArrayList<Throwable>();
    for (OneWay way : ways) {
      for (TaskAction<?> half : List.<TaskAction<?>>of(way::write, way::read)) {
        tasks.add(
            world.spawn(
                "half",
                () -> {
                  try {
                    half.run();
                  } catch (Exception | AssertionError e) {
                    failures.add(e); // the others would wait for this one forever
                    tasks.forEach(each -> each.cancel("another has failed"));
                  }
                }));
      }
    }
    var chaos =
        world.spawn(
            "chaos",
            () -> {
              var random = new Random(ways.getFirst().seed);
              while (true) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                  world.scheduler().yield();
                }
                world.timer().fire();
              }
            });
    try {
      for (Task<Void> each : tasks) {
        try {
          each.join();
        } catch (CancellationException e) {
          // its cause is among the failures
        }
      }
    } finally {
      chaos.cancel("over");
    }
    assertEquals(List.of(), failures, "seed=" + ways.getFirst().seed);
    ways.forEach(OneWay::verify);
  }

  /// One writer and one reader, with their state.
  private static final class OneWay {
    private final World world;
    private final ByteSink sink;
    private final ByteSource source;
    private final Ending ending;
    private final long seed;
    private final OutputStream buffered;
    private final CRC32C sumSent = new CRC32C();
    private final CRC32C sumReceived = new CRC32C();
    private long sent;
    private long received;
    private int interruptions;
    private boolean readerGone;

    OneWay(World world, ByteSink sink, ByteSource source, Ending ending, long seed) {
      this.world = world;
      this.sink = sink;
      this.source = source;
      this.ending = ending;
      this.seed = seed;
      this.buffered = sink.bufferedOutput(HIGH_WATER_BYTES);
    }

    private byte at(long place) {
      long mixed = (place + seed) * 0x9E3779B97F4A7C15L;
      return (byte) (mixed >>> 56);
    }

    private byte[] piece(long from, int length) {
      var bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = at(from + i);
      }
      return bytes;
    }

    // Writing.

    void write() throws Exception {
      var random = new Random(seed * 31);
      try {
        while (sent < STREAM_BYTES) {
          writeSome(random);
          for (int i = random.nextInt(3); i > 0; i--) {
            world.scheduler().yield();
          }
        }
        if (ending == Ending.HALF_CLOSE && sink instanceof StreamSocket<?> socket) {
          socket.shutdownOutput();
        } else {
          sink.close();
        }
      } catch (ConnectionResetException e) {
        assertTrue(readerGone, "seed=" + seed + ": " + e);
      }
    }

    private int length(Random random) {
      int most = random.nextInt(10) == 0 ? (int) LONGEST_BYTES : 3_000;
      return (int) Math.min(1 + random.nextInt(most), STREAM_BYTES - sent);
    }

    private void writeSome(Random random) throws Exception {
      int length = length(random);
      byte[] bytes = piece(sent, length);
      switch (random.nextInt(4)) {
        case 0 -> {
          ByteBuffer src = ByteBuffer.wrap(bytes);
          perhapsInterrupted(random, sink::writeTimeout, () -> sink.write(src));
          sentSome(bytes, src.position());
        }
        case 1 -> {
          ByteBuffer src = ByteBuffer.allocateDirect(length).put(bytes).flip();
          perhapsInterrupted(random, sink::writeTimeout, () -> sink.write(src));
          sentSome(bytes, src.position());
        }
        case 2 -> {
          int[] written = {0};
          perhapsInterrupted(
              random,
              sink::writeTimeout,
              () -> {
                try {
                  sink.output().write(bytes);
                  written[0] = length;
                } catch (Throwable e) {
                  written[0] = (int) ((PartialWriteException) e.getSuppressed()[0]).bytesWritten();
                  throw e;
                }
              });
          sentSome(bytes, written[0]);
        }
        default -> {
          int few = Math.min(length, HIGH_WATER_BYTES - 1);
          for (int i = 0; i < few; i++) {
            buffered.write(bytes[i]);
          }
          boolean[] flushed = {false};
          while (!flushed[0]) {
            perhapsInterrupted(
                random,
                sink::writeTimeout,
                () -> {
                  buffered.flush();
                  flushed[0] = true;
                });
          }
          sentSome(bytes, few);
        }
      }
    }

    private void sentSome(byte[] bytes, int length) {
      sumSent.update(bytes, 0, length);
      sent += length;
    }

    // Reading.

    void read() throws Exception {
      var random = new Random(seed * 37);
      boolean more = true;
      while (more) {
        if (ending == Ending.READER_GOES_AWAY && received > STREAM_BYTES / 3) {
          readerGone = true;
          source.close();
          return;
        }
        more = readSome(random);
        for (int i = random.nextInt(3); i > 0; i--) {
          world.scheduler().yield();
        }
      }
    }

    private boolean readSome(Random random) throws Exception {
      int most = random.nextInt(10) == 0 ? (int) LONGEST_BYTES : 2_000;
      int length = 1 + random.nextInt(most);
      ByteBuffer dst =
          random.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
      int[] n = {0};
      switch (random.nextInt(5)) {
        case 0 -> {
          perhapsInterrupted(random, source::readTimeout, () -> n[0] = source.read(dst));
          receivedSome(dst);
        }
        case 1 -> {
          perhapsInterrupted(
              random,
              source::readTimeout,
              () -> {
                try {
                  source.readFully(dst);
                } catch (EndOfStreamException e) {
                  assertEquals(dst.position(), e.bytesRead());
                  n[0] = -1;
                }
              });
          receivedSome(dst);
        }
        case 2 -> {
          perhapsInterrupted(
              random,
              source::readTimeout,
              () -> n[0] = world.scheduler().await(source.reading(dst)));
          receivedSome(dst);
        }
        case 3 -> {
          var bytes = new byte[length];
          perhapsInterrupted(random, source::readTimeout, () -> n[0] = source.input().read(bytes));
          receivedSome(bytes, Math.max(0, n[0]));
        }
        default -> readUntil(random, n);
      }
      return n[0] >= 0;
    }

    private void readUntil(Random random, int[] n) throws Exception {
      byte delimiter = (byte) random.nextInt(256);
      byte @Nullable [][] got = {null};
      boolean[] whole = {true};
      perhapsInterrupted(
          random,
          source::readTimeout,
          () -> {
            try {
              got[0] = source.readUntil(delimiter, 30_000);
              if (got[0] == null) {
                n[0] = -1;
              }
            } catch (EndOfStreamException | DelimiterNotFoundException e) {
              whole[0] = false; // all of it is still there
            }
          });
      byte[] message = got[0];
      if (message != null && whole[0]) {
        receivedSome(message, message.length);
        receivedSome(new byte[] {delimiter}, 1);
      }
    }

    private void receivedSome(ByteBuffer dst) {
      var bytes = new byte[dst.flip().remaining()];
      dst.get(bytes);
      receivedSome(bytes, bytes.length);
    }

    private void receivedSome(byte[] bytes, int length) {
      for (int i = 0; i < length; i++) {
        if (bytes[i] != at(received + i)) {
          assertEquals(
              at(received + i), bytes[i], "seed=%d, byte %d".formatted(seed, received + i));
        }
      }
      sumReceived.update(bytes, 0, length);
      received += length;
    }

    // Interrupting.

    /// Runs an operation to its end, or with a limit that expires at random, or in a task that is
    /// cancelled.
    private void perhapsInterrupted(
        Random random, Consumer<@Nullable Duration> limiter, TaskAction<?> operation)
        throws Exception {
      switch (random.nextInt(3)) {
        case 0 -> operation.run();
        case 1 -> {
          limiter.accept(LIMIT);
          try {
            operation.run();
          } catch (TimedOutException e) {
            interruptions++;
          } finally {
            limiter.accept(null);
          }
        }
        default -> {
          Exception[] failed = {null};
          Task<Void> task =
              world.spawn(
                  "operation",
                  () -> {
                    try {
                      operation.run();
                    } catch (Exception e) {
                      failed[0] = e;
                    }
                  });
          for (int i = random.nextInt(6); i > 0; i--) {
            world.scheduler().yield();
          }
          task.cancel("chaos");
          try {
            task.join();
          } catch (CancellationException e) {
            interruptions++;
          }
          if (failed[0] != null) {
            throw failed[0];
          }
        }
      }
    }

    // The end.

    void verify() {
      String run = "seed=" + seed;
      assertTrue(interruptions > 0, run + ": nothing was interrupted");
      if (ending == Ending.READER_GOES_AWAY) {
        assertTrue(readerGone, run);
        return;
      }
      assertEquals(STREAM_BYTES, sent, run);
      assertEquals(sent, received, run);
      assertEquals(sumSent.getValue(), sumReceived.getValue(), run);
    }
  }
}
