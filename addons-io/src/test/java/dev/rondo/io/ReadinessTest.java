package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A poll of `readable()` and its like asks the system (docs/inside/semantics.md, rule 36).
@BackendsDiffer
class ReadinessTest {

  /// The other end's bytes have arrived.
  private static Pair withBytes(World world) throws Exception {
    Pair pair = world.pair();
    pair.client().write("data");
    world.scheduler().await(pair.server().readable());
    return pair;
  }

  private static boolean isThere(Waitable<?> waitable) throws Exception {
    var there = new boolean[1];
    Select.biased().on(waitable, ignored -> there[0] = true).otherwise(() -> {}).run();
    return there[0];
  }

  @OnEveryBackend
  void select_readyAndFirst_wins(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = withBytes(world)) {
        Waitable<?> always = Waitable.always("always");
        for (Waitable<?> ready :
            new Waitable<?>[] {pair.server().readable(), pair.server().writable()}) {
          for (int i = 0; i < 3; i++) {
            assertEquals(0, world.scheduler().select(ready, always).index());
            assertEquals(0, world.scheduler().select(always, ready).index());
          }
        }
      }
    });
  }

  @OnEveryBackend
  void runReady_someSocketsReady_namesAllOfThemAndTakesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var one = withBytes(world);
          var two = world.pair();
          var three = withBytes(world)) {
        var ready = new ArrayList<TcpSocket>();
        Select select = Select.biased();
        for (Pair each : List.of(one, two, three)) {
          select.on(each.server().readable(), ready::add);
        }
        for (int i = 0; i < 3; i++) {
          assertEquals(2, select.runReady());
          assertEquals(List.of(one.server(), three.server()), ready);
          ready.clear();
        }
        for (Pair each : List.of(one, three)) {
          assertEquals(4, each.server().tryRead(ByteBuffer.allocate(9)));
        }
        Task<Integer> waiting = world.scheduler().spawn(select::runReady);
        world.settle();
        two.client().write("late");
        assertEquals(1, waiting.join());
        assertEquals(List.of(two.server()), ready);
      }
    });
  }

  @OnEveryBackend
  void select_severalSocketsReady_takesTheFirstInOrder(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var one = withBytes(world);
          var two = withBytes(world)) {
        for (int i = 0; i < 10; i++) {
          assertSame(
              one.server(),
              world.scheduler().select(one.server().readable(), two.server().readable()).value());
          assertSame(
              two.server(),
              world.scheduler().select(two.server().readable(), one.server().readable()).value());
          assertEquals(
              0,
              world.scheduler().select(one.server().writable(), one.server().readable()).index());
        }
      }
    });
  }

  @OnEveryBackend
  void otherwise_readyAlready_isNotTaken(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = withBytes(world)) {
        assertTrue(isThere(pair.server().readable()));
        assertTrue(isThere(pair.server().writable()));
        assertTrue(isThere(pair.client().writable()));
        assertEquals(false, isThere(pair.client().readable()), "nothing was sent to it");
        pair.server().readFully(ByteBuffer.allocate(4));
        assertEquals(false, isThere(pair.server().readable()), "all was read");
        pair.client().shutdownOutput();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        assertTrue(isThere(pair.server().readable()), "the end of the stream");
      }
    });
  }

  @OnEveryBackend
  void otherwise_systemTakesNoMore_isTaken(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        world.fill(pair);
        assertEquals(false, isThere(pair.client().writable()));
      }
    });
  }

  @OnEveryBackend
  void awaitZero_readyAlready_isThere(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = withBytes(world)) {
        world.scheduler().await(pair.server().readable(), Duration.ZERO);
        world.scheduler().await(pair.server().writable(), Duration.ZERO);
        Task<Throwable> late =
            world.failing(() -> world.scheduler().await(pair.client().readable(), Duration.ZERO));
        world.settle();
        world.timer().fire();
        assertEquals(TimedOutException.class, late.join().getClass());
      }
    });
  }

  @OnEveryBackend
  void anyChannel_readyAlready_isThere(IoRig rig) throws Exception {
    rig.run(world -> {
      WaitForIO io = world.io();
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      assertEquals(false, isThere(io.readable(pipe.source())));
      pipe.sink().write(ByteBuffer.allocate(1));
      assertTrue(isThere(io.readable(pipe.source())));
      assertTrue(isThere(io.writable(pipe.sink())));

      var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      ServerSocketChannel server = ServerSocketChannel.open().bind(anywhere);
      server.configureBlocking(false);
      assertEquals(false, isThere(io.acceptable(server)));
      SocketChannel client = SocketChannel.open(server.getLocalAddress());
      assertTrue(isThere(io.acceptable(server)));
      client.close();

      DatagramChannel udp = DatagramChannel.open().bind(anywhere);
      udp.configureBlocking(false);
      assertEquals(false, isThere(io.readable(udp)));
      assertTrue(isThere(io.writable(udp)));
      udp.send(ByteBuffer.allocate(1), udp.getLocalAddress());
      assertTrue(isThere(io.readable(udp)));
      for (var each : List.of(pipe.source(), pipe.sink(), server, udp)) {
        io.close(each);
      }
    });
  }

  /// The poll leaves nothing that would keep the descriptor or report the channel.
  @OnEveryBackend
  void poll_channelClosedAfterwards_isFreed(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Task<TcpSocket> connecting =
            world.scheduler().spawn(() -> world.io().connect(listener.localAddress()));
        TcpSocket accepted = listener.accept();
        TcpSocket client = connecting.join();
        assertTrue(isThere(client.writable()));
        client.close();
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        accepted.close();
        assertThrows(ChannelClosedException.class, () -> isThere(accepted.readable()));
      }
    });
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  @OnEveryBackend
  void channelsOfTheProgram_closedByTheirOwnClose_loopIsBusy_descriptorsAreFree(IoRig rig)
      throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
    int many = 50;
    rig.run(world -> {
      var channels = new ArrayList<DatagramChannel>();
      for (int i = 0; i < many; i++) {
        var channel = DatagramChannel.open();
        channel.configureBlocking(false);
        channels.add(channel);
        world.scheduler().await(world.io().writable(channel));
      }
      long before = descriptors();
      for (DatagramChannel each : channels) {
        each.close();
      }
      for (int i = 0; i < 100 && descriptors() > before - many + 10; i++) {
        for (int k = 0; k < 1_000; k++) {
          world.scheduler().yield();
        }
      }
      long after = descriptors();
      assertTrue(after <= before - many + 10, () -> before + " before, " + after + " after");
    });
  }
}
