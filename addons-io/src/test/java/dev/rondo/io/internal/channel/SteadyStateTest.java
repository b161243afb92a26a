package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.IoRig;
import dev.rondo.io.OnEveryBackend;
import dev.rondo.io.Reactors;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

/// The cost of a message, and channels and selectors that misbehave.
class SteadyStateTest {

  /// Counts the reads that would be system calls.
  private static final class Counting implements ReadableByteChannel {
    private final ReadableByteChannel channel;
    private int reads;

    Counting(ReadableByteChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
      reads++;
      return channel.read(dst);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @OnEveryBackend
  void read_oneMessageAfterTheOther_isOneReadOfTheSystemEach(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      var counting = new Counting(pipe.source());
      ChannelRegistration registration = world.reactor().register(pipe.source(), "test");
      var streamReader = new StreamReader(counting, registration);
      var dst = ByteBuffer.allocate(100);
      Task<Void> reader =
          world.spawn(
              "reader",
              () -> {
                for (int i = 0; i < 10; i++) {
                  assertEquals(64, streamReader.read(dst.clear()));
                }
              });
      for (int i = 0; i < 10; i++) {
        pipe.sink().write(ByteBuffer.allocate(64));
        while (counting.reads <= i) {
          world.scheduler().yield();
        }
      }
      reader.join();
      assertEquals(10, counting.reads);
      registration.close();
      pipe.sink().close();
    });
  }

  /// A reader that waits for a line holds no buffer. A reader that has read everything has returned
  /// its buffer.
  @OnEveryBackend
  void readLine_waitingOrDone_holdsNoBuffer(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        BufferPool pool = world.reactor().buffers();
        ByteBuffer one = pool.take();
        pool.give(one);
        assertEquals(1, pool.kept());
        Task<String> reader = world.scheduler().spawn(() -> pair.server().readLine(10));
        world.settle();
        assertEquals(1, pool.kept());
        pair.client().write("a\nb");
        assertEquals("a", reader.join());
        assertEquals(0, pool.kept(), "it holds 'b'");
        var dst = ByteBuffer.allocate(5);
        assertEquals(1, pair.server().read(dst));
        assertEquals(1, pool.kept());
        assertSame(one, pool.take());
        pool.give(one);
        pair.client().write("c\nd");
        assertEquals("c", pair.server().readLine(10));
        assertEquals(0, pool.kept());
        pair.server().close();
        assertEquals(1, pool.kept(), "closing lets go of it");
      }
    });
  }

  @OnEveryBackend
  void bufferedOutput_smallWrites_areSentTogetherAndBufferIsGivenBack(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var out = pair.client().bufferedOutput(8);
        for (byte each : "abcde".getBytes(StandardCharsets.US_ASCII)) {
          out.write(each);
        }
        Task<Integer> reader =
            world.scheduler().spawn(() -> pair.server().read(ByteBuffer.allocate(100)));
        world.settle();
        assertEquals(1, ChannelFigures.of(world.scheduler()).waits(), "nothing was sent");
        out.flush();
        out.flush();
        assertEquals(5, reader.join());
        assertEquals(1, world.reactor().buffers().kept());
        out.write("12345678".getBytes(StandardCharsets.US_ASCII)); // as much as the buffer holds
        out.write("123456789abc".getBytes(StandardCharsets.US_ASCII), 0, 11);
        out.write('.');
        out.close();
        assertEquals("12345678123456789ab.", pair.server().readLine(100));
        assertThrows(ChannelClosedException.class, () -> out.write('x'));
        assertThrows(IllegalArgumentException.class, () -> pair.server().bufferedOutput(0));
        out.close();
      }
    });
  }

  @OnEveryBackend
  void anyChannel_closedByItsUserUnderAWaiter_wakesIt(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      Task<Throwable> reader =
          world.failing(() -> world.scheduler().await(world.io().readable(pipe.source())));
      world.settle();
      pipe.source().close(); // and not io.close(..)
      assertEquals(ChannelClosedException.class, reader.join().getClass());
      pipe.sink().close();
    });
  }

  // A selector that spins.

  private static Selector spinningSelector() {
    return Selectors.whoseSelects(Answers.RETURNS_DEFAULTS); // at once, with nothing
  }

  @Test
  void selector_spins_isReplacedReportedAndWaitersGoOn() throws Exception {
    var failures = new ArrayList<Throwable>();
    try (Scheduler scheduler = IoRig.HANDOFF.newScheduler(failures)) {
      var io = Reactors.io(scheduler, spinningSelector(), Selector::open);
      TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Task<TcpSocket> acceptor = scheduler.spawn(listener::accept);
      while (scheduler.step()) {}
      try (SocketChannel client = SocketChannel.open(listener.localAddress())) {
        client.configureBlocking(false);
        scheduler.spawn(() -> {
          acceptor.join().close();
          listener.close();
        });
        while (scheduler.step()) {}
        for (int i = 0; i < 1_000 && !acceptor.isDone(); i++) {
          Reactors.of(io).idleStrategy().idle();
          while (scheduler.step()) {}
        }
        assertTrue(acceptor.isDone());
      }
      assertEquals(1, failures.size(), failures.toString());
      assertTrue(failures.getFirst().getMessage().contains("512 times"), failures.toString());
    }
  }

  @Test
  void selector_spinsAndNoOtherCanBeHad_waitersAreTold() throws Exception {
    var failures = new ArrayList<Throwable>();
    try (Scheduler scheduler = IoRig.HANDOFF.newScheduler(failures)) {
      var io =
          Reactors.io(
              scheduler,
              spinningSelector(),
              () -> {
                throw new IOException("no descriptors");
              });
      TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Task<String> acceptor =
          scheduler.spawn(() -> assertThrows(IOException.class, listener::accept).getMessage());
      scheduler.start();
      assertTrue(acceptor.join().contains("no descriptors"), acceptor.join());
      scheduler.spawn(() -> scheduler.blocking(() -> null));
      scheduler.start();
    }
    assertEquals(List.of(1), List.of(failures.size()), failures.toString());
  }

  @OnEveryBackend
  void reading_takesTheLastOfWhatIsHeld_holdsNoBuffer(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        BufferPool pool = world.reactor().buffers();
        pool.give(pool.take());
        pair.client().write("a\nb");
        assertEquals("a", pair.server().readLine(10));
        assertEquals(0, pool.kept(), "it holds 'b'");
        var dst = ByteBuffer.allocate(5);
        assertEquals(1, world.scheduler().await(pair.server().reading(dst)));
        assertEquals(1, pool.kept());
      }
    });
  }

  /// A peer that reads as fast as this side writes must not keep the loop.
  @OnEveryBackend
  void write_channelThatTakesAll_othersHaveATurnBetween(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.sink().configureBlocking(false);
      ChannelRegistration registration = world.reactor().register(pipe.sink(), "test");
      long[] written = new long[1];
      var all =
          new WritableByteChannel() {
            @Override
            public int write(ByteBuffer src) {
              int n = src.remaining();
              src.position(src.limit());
              written[0] += n;
              return n;
            }

            @Override
            public boolean isOpen() {
              return true;
            }

            @Override
            public void close() {}
          };
      var streamWriter = new StreamWriter(all, registration);
      int bytes = 40 * StreamWriter.MAX_HEAP_BYTES;
      Task<Integer> writer =
          world.scheduler().spawn(() -> streamWriter.write(ByteBuffer.allocate(bytes)));
      Task<Boolean> other = world.scheduler().spawn(() -> written[0] < bytes);
      assertTrue(other.join());
      assertEquals(bytes, writer.join());
      assertEquals(bytes, written[0]);
      registration.close();
      pipe.source().close();
    });
  }

  /// A busy loop does not idle, and no select reports the close.
  @OnEveryBackend
  void anyChannel_closedByItsUserWhileOthersKeepTheLoopBusy_waiterIsTold(IoRig rig)
      throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      Task<Throwable> reader =
          world.failing(() -> world.scheduler().await(world.io().readable(pipe.source())));
      world.settle();
      pipe.source().close(); // and not io.close(..)
      for (int i = 0; i < 100_000 && !reader.isDone(); i++) {
        world.scheduler().yield();
      }
      assertTrue(reader.isDone());
      assertEquals(ChannelClosedException.class, reader.join().getClass());
      pipe.sink().close();
    });
  }

  @OnEveryBackend
  void close_channelThatItsUserHasClosed_tellsTheWaiterAtOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      Task<Throwable> reader =
          world.failing(() -> world.scheduler().await(world.io().readable(pipe.source())));
      world.settle();
      pipe.source().close();
      world.io().close(pipe.source());
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      assertEquals(ChannelClosedException.class, reader.join().getClass());
      pipe.sink().close();
    });
  }
}
