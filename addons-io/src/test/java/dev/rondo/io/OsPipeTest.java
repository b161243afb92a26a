package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;

/// Pipes of the operating system.
class OsPipeTest {

  @OnEveryBackend
  void transfer_largerThanThePipe_comesThroughInOrder(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        var sent = new byte[1_000_000];
        new Random(5).nextBytes(sent);
        Task<Integer> writer =
            world
                .scheduler()
                .spawn(
                    "writer",
                    () -> {
                      try (PipeSink sink = pipe.sink()) {
                        return sink.write(ByteBuffer.wrap(sent));
                      }
                    });
        var received = ByteBuffer.allocate(sent.length);
        pipe.source().readFully(received);
        assertEquals(ByteBuffer.wrap(sent), received.flip());
        assertEquals(-1, pipe.source().read(ByteBuffer.allocate(1)));
        assertEquals(-1, pipe.source().input().read());
        assertEquals(sent.length, writer.join());
      }
    });
  }

  @OnEveryBackend
  void faces_linesStreamsAndWaits_work(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        try (var out = pipe.sink().bufferedOutput(100)) {
          out.write("one\ntwo\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
          out.flush();
          assertSame(pipe.source(), world.scheduler().await(pipe.source().readable()));
          assertSame(pipe.sink(), world.scheduler().await(pipe.sink().writable()));
          assertEquals("one", pipe.source().readLine(10));
          pipe.sink().output().write('x');
          assertEquals("two", pipe.source().readLine(10));
          assertEquals(1, world.scheduler().await(pipe.source().reading(ByteBuffer.allocate(9))));
        }
        assertNull(pipe.source().readUntil((byte) 0, 10));
        assertFalse(pipe.sink().isOpen());
      }
    });
  }

  @OnEveryBackend
  void write_sourceIsClosed_isABrokenConnection(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        Task<Throwable> writer =
            world.failing(() -> pipe.sink().write(ByteBuffer.allocate(1_000_000)));
        world.settle();
        pipe.source().close();
        assertEquals(ConnectionResetException.class, writer.join().getClass());
        assertThrows(ConnectionResetException.class, () -> pipe.sink().write("x"));
      }
    });
  }

  /// The system closes a descriptor in the select that releases it.
  @OnEveryBackend
  void write_sourceWasClosedInTheSameTurn_isABrokenConnection(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        pipe.source().close();
        assertThrows(ConnectionResetException.class, () -> pipe.sink().write("x"));
      }
    });
  }

  @OnEveryBackend
  void closeOrTimeout_underAWait_endsIt(IoRig rig) throws Exception {
    rig.run(world -> {
      OsPipe pipe = OsPipe.open(world.io());
      pipe.source().readTimeout(Duration.ofSeconds(1));
      Task<Throwable> late = world.failing(() -> pipe.source().read(ByteBuffer.allocate(1)));
      world.settle();
      world.timer().fire();
      assertEquals(TimedOutException.class, late.join().getClass());
      pipe.sink().writeTimeout(Duration.ofSeconds(1));
      Task<Throwable> writer =
          world.failing(() -> pipe.sink().write(ByteBuffer.allocate(1_000_000)));
      Task<Throwable> reader = world.failing(() -> pipe.source().readTimeout(null).readLine(9));
      world.settle();
      world.timer().fire();
      assertEquals(TimedOutException.class, writer.join().getClass());
      reader.join(); // there were only zeros
      Task<Throwable> closed =
          world.failing(() -> pipe.sink().writeTimeout(null).write(ByteBuffer.allocate(1_000_000)));
      world.settle();
      pipe.close();
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      assertEquals(ChannelClosedException.class, closed.join().getClass());
      assertThrows(ChannelClosedException.class, () -> pipe.source().read(ByteBuffer.allocate(1)));
    });
  }

  /// Otherwise bytes that are added meanwhile would be sent in the middle, or be lost.
  @OnEveryBackend
  void bufferedOutput_whileAnotherTaskSends_refusesMore(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        Task<Integer> filler =
            world.scheduler().spawn(() -> pipe.sink().write(ByteBuffer.allocate(1 << 22)));
        world.settle();
        filler.cancel("full");
        assertThrows(CancellationException.class, filler::join);
        var out = pipe.sink().bufferedOutput(100);
        out.write(new byte[] {1, 2, 3});
        Task<Void> flusher = world.spawn("flusher", out::flush);
        world.settle();
        assertFalse(flusher.isDone());
        var e = assertThrows(IllegalStateException.class, () -> out.write(4));
        assertEquals(
            "buffered output of sink of pipe: another task is sending the collected bytes; wait for"
                + " it",
            e.getMessage());
        Task<byte[]> reader = world.scheduler().spawn(() -> pipe.source().input().readAllBytes());
        flusher.join();
        out.write(5);
        out.close();
        byte[] all = reader.join();
        assertArrayEquals(
            new byte[] {0, 1, 2, 3, 5}, Arrays.copyOfRange(all, all.length - 5, all.length));
      }
    });
  }

  @OnEveryBackend
  void write_fromTheMiddleOfABufferCancelled_countsWhatItHasWritten(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pipe = OsPipe.open(world.io())) {
        var src = ByteBuffer.allocate(1 << 22).position(1000);
        Throwable[] caught = new Throwable[1];
        Task<Void> writer =
            world.spawn(
                "writer",
                () -> {
                  try {
                    pipe.sink().write(src);
                  } catch (Throwable e) {
                    caught[0] = e;
                    throw e;
                  }
                });
        world.settle();
        writer.cancel("full");
        assertThrows(CancellationException.class, writer::join);
        var progress = (PartialWriteException) caught[0].getSuppressed()[0];
        assertEquals(src.position() - 1000, progress.bytesWritten());
        assertEquals(src.remaining(), progress.bytesLeft());
      }
    });
  }
}
