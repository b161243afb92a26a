package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// TCP, TLS and joined pipes are one kind of stream: the same code runs on all.
class ByteStreamTest {

  private static final String NAME = "one.test";

  /// Two ends of one stream.
  private record Ends(ByteStream client, ByteStream server, AutoCloseable beneath) {}

  @FunctionalInterface
  private interface Scenario {
    void run(World world, Ends ends) throws Exception;
  }

  /// On TCP, on pipes, and on TLS over each.
  private static void onEach(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      for (boolean secured : new boolean[] {false, true}) {
        try (var pair = world.pair()) {
          scenario.run(world, ends(world, pair.client(), pair.server(), pair, secured));
        }
        try (var there = OsPipe.open(world.io());
            var back = OsPipe.open(world.io())) {
          ByteStream client = ByteStream.of(back.source(), there.sink(), "two pipes");
          ByteStream server = ByteStream.of(there.source(), back.sink(), "client");
          AutoCloseable both =
              () -> {
                client.close();
                server.close();
              };
          scenario.run(world, ends(world, client, server, both, secured));
        }
      }
    });
  }

  /// With TLS in one line for each side.
  private static Ends ends(
      World world, ByteStream client, ByteStream server, AutoCloseable beneath, boolean secured)
      throws Exception {
    if (!secured) {
      return new Ends(client, server, beneath);
    }
    TlsSocket tlsClient =
        new TlsClient(world.scheduler(), Certificates.context(null, NAME)).over(client, NAME);
    TlsSocket tlsServer = new TlsServer(world.scheduler(), Certificates.context(NAME)).over(server);
    Task<Void> handshake = world.spawn("handshake", tlsServer::handshake);
    tlsClient.handshake();
    handshake.join();
    return new Ends(tlsClient, tlsServer, beneath);
  }

  @OnEveryBackend
  void lines_messagesAndFullReads_comeAsTheyAre(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          ends.client().write("one\r\ntwo\nthree;four;12345");
          assertEquals("one", ends.server().readLine(100));
          assertEquals("two", ends.server().readLine(100));
          var tooLong =
              assertThrows(
                  DelimiterNotFoundException.class, () -> ends.server().readUntil((byte) ';', 2));
          assertTrue(tooLong.getMessage().contains("limit=2"), tooLong::getMessage);
          assertArrayEquals("three".getBytes(StandardCharsets.UTF_8), until(ends));
          assertArrayEquals("four".getBytes(StandardCharsets.UTF_8), until(ends));
          var dst = ByteBuffer.allocate(5);
          ends.server().readFully(dst);
          assertEquals("12345", new String(dst.array(), StandardCharsets.UTF_8));
        });
  }

  private static byte[] until(Ends ends) throws IOException {
    byte[] message = ends.server().readUntil((byte) ';', 100);
    return message == null ? new byte[0] : message;
  }

  @OnEveryBackend
  void endOfStream_inTheMiddleAndAfterwards_isTold(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          ends.client().write("abc");
          ends.client().close();
          var dst = ByteBuffer.allocate(5);
          var e = assertThrows(EndOfStreamException.class, () -> ends.server().readFully(dst));
          assertEquals(3, e.bytesRead());
          assertNull(ends.server().readLine(10));
          assertNull(ends.server().readUntil((byte) ';', 10));
          assertEquals(-1, ends.server().read(ByteBuffer.allocate(1)));
          assertEquals(-1, ends.server().tryRead(ByteBuffer.allocate(1)));
          world.scheduler().await(ends.server().readable());
        });
  }

  @OnEveryBackend
  void select_readableAndReading_takeWhatIsThereAndNothingElse(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          var dst = ByteBuffer.allocate(10);
          Waitable<?> always = Waitable.always("always");
          assertEquals(1, world.scheduler().select(ends.server().readable(), always).index());
          assertEquals(0, ends.server().tryRead(dst));
          Task<Integer> other = world.scheduler().spawn(() -> 7);
          assertEquals(7, world.scheduler().select(ends.server().reading(dst), other).value());
          world.settle();
          ends.client().write("hello");
          assertEquals(
              5,
              world
                  .scheduler()
                  .select(
                      ends.server().reading(dst),
                      world
                          .scheduler()
                          .completion(new java.util.concurrent.CompletableFuture<Integer>()))
                  .value());
          assertEquals("hello", new String(dst.array(), 0, 5, StandardCharsets.UTF_8));
          ends.client().write("more");
          assertSame(ends.server(), world.scheduler().await(ends.server().readable()));
          assertEquals(0, world.scheduler().select(ends.server().readable(), always).index());
          assertEquals(0, world.scheduler().select(ends.client().writable(), always).index());
          assertEquals(4, ends.server().tryRead(dst));
        });
  }

  @OnEveryBackend
  void runReady_bothEndsReadable_namesBoth(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          var readable = new ArrayList<ByteSource>();
          Select select = Select.biased();
          for (ByteStream each : List.of(ends.client(), ends.server())) {
            select.on(each.readable(), readable::add);
          }
          Task<Integer> waiting = world.scheduler().spawn(select::runReady);
          world.settle();
          ends.client().write("to the server");
          assertEquals(1, waiting.join());
          assertEquals(List.of(ends.server()), readable);
          ends.server().write("to the client");
          world.scheduler().await(ends.client().readable());
          readable.clear();
          assertEquals(2, select.runReady());
          assertEquals(List.of(ends.client(), ends.server()), readable);
          assertEquals(13, ends.server().tryRead(ByteBuffer.allocate(100)));
          assertEquals(13, ends.client().tryRead(ByteBuffer.allocate(100)));
        });
  }

  @OnEveryBackend
  void select_lineOrFullRead_isTakenWholeOrNotAtAll(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          var dst = ByteBuffer.allocate(4);
          ends.client().write("half");
          world.scheduler().await(ends.server().readable());
          Waitable<?> always = Waitable.always("always");
          assertEquals(1, world.scheduler().select(ends.server().readingLine(100), always).index());
          Task<Integer> other = world.scheduler().spawn(() -> 7);
          assertEquals(1, world.scheduler().select(ends.server().readingLine(100), other).index());
          world.settle();
          ends.client().write(" a line\r\n12");
          assertEquals(
              Optional.of("half a line"), world.scheduler().await(ends.server().readingLine(100)));
          assertEquals(
              1, world.scheduler().select(ends.server().readingFully(dst), always).index());
          assertEquals(0, dst.position());
          ends.client().write("34last");
          assertEquals(4, world.scheduler().await(ends.server().readingFully(dst)));
          assertEquals("1234", new String(dst.array(), StandardCharsets.UTF_8));
          assertThrows(
              DelimiterNotFoundException.class,
              () -> world.scheduler().await(ends.server().readingLine(2)));
          ends.client().close();
          assertThrows(
              EndOfStreamException.class,
              () -> world.scheduler().await(ends.server().readingFully(ByteBuffer.allocate(9))));
          ends.server().tryRead(ByteBuffer.allocate(0));
          assertEquals(
              Optional.of("last"), world.scheduler().await(ends.server().readingLine(100)));
          assertEquals(Optional.empty(), world.scheduler().await(ends.server().readingLine(100)));
        });
  }

  @OnEveryBackend
  void limits_ofReadsAndWrites_loseNothing(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          ends.server().readTimeout(Duration.ofSeconds(1));
          Task<Throwable> late = world.failing(() -> ends.server().readLine(100));
          world.settle();
          world.timer().fire();
          assertTimedOut("gave up after 1 s: read", late);
          ends.client().write("here\n");
          ends.server().readTimeout(null);
          assertEquals("here", ends.server().readLine(100));
          assertThrows(
              IllegalArgumentException.class, () -> ends.server().readTimeout(Duration.ZERO));
          ends.client().writeTimeout(Duration.ofSeconds(1));
          Task<Throwable> stuck =
              world.failing(() -> ends.client().write(ByteBuffer.allocate(20_000_000)));
          world.settle();
          world.timer().fire();
          assertTimedOut("gave up after 1 s: write", stuck);
          ends.beneath().close();
        });
  }

  /// The message says which operation took too long.
  private static void assertTimedOut(String begin, Task<Throwable> failed) {
    String told = assertInstanceOf(TimedOutException.class, failed.join()).getMessage();
    assertTrue(told.startsWith(begin), told);
  }

  @OnEveryBackend
  void write_endedEarly_saysHowFarItCame(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          ends.client().writeTimeout(Duration.ofSeconds(1));
          var src = ByteBuffer.allocate(20_000_000);
          Task<Throwable> late = world.failing(() -> ends.client().write(src));
          world.settle();
          world.timer().fire();
          TimedOutException e = assertInstanceOf(TimedOutException.class, late.join());
          var progress = assertInstanceOf(PartialWriteException.class, e.getSuppressed()[0]);
          assertTrue(progress.bytesWritten() > 0, progress::toString);
          assertEquals(src.position(), progress.bytesWritten());
          assertEquals(20_000_000, progress.bytesWritten() + progress.bytesLeft());
          ends.beneath().close();
        });
  }

  @OnEveryBackend
  void input_smallRead_leavesTheRestAvailable(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          ends.client().write("abc");
          InputStream in = ends.server().input();
          assertEquals('a', in.read());
          assertEquals(2, in.available());
          assertEquals(2, in.read(new byte[9]));
          assertEquals(0, in.available());
          assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[1], 1, 1));
          assertEquals(0, in.read(new byte[0]));
        });
  }

  @OnEveryBackend
  void bufferedOutput_isThere(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          OutputStream out = ends.client().bufferedOutput(1_000);
          out.write("small ".getBytes(StandardCharsets.UTF_8));
          out.write("pieces\n".getBytes(StandardCharsets.UTF_8));
          out.flush();
          assertEquals("small pieces", ends.server().readLine(100));
        });
  }

  @OnEveryBackend
  void closed_whileAwaited_failsTheWait(IoRig rig) throws Exception {
    onEach(
        rig,
        (world, ends) -> {
          Task<Throwable> reader =
              world.failing(() -> {
                world.scheduler().await(ends.server().readable());
                return ends.server().read(ByteBuffer.allocate(1));
              });
          world.settle();
          ends.server().close();
          assertInstanceOf(ChannelClosedException.class, reader.join());
          assertThrows(
              ChannelClosedException.class,
              () -> world.scheduler().await(ends.server().readable()));
        });
  }
}
