package dev.rondo.netty;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.ReusingAllocator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendsDiffer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What holds for the channels of every transport, over loopback.
@BackendsDiffer
abstract class ChannelContract extends NettyRig {

  private static final Duration MOMENT = Duration.ofMillis(5);

  /// How many bytes the system does not take for a peer that reads nothing.
  private static final int ENDLESS = 64 << 20;

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @Test
  void echo_manyMessages_arriveInOrder() {
    run(() -> {
      try (var pair = pair()) {
        Task<Void> echo =
            scheduler.spawn(
                "echo",
                () -> {
                  for (ByteBuf each; (each = pair.server().receive(ByteBuf.class)) != null; ) {
                    pair.server().send(each);
                  }
                });
        for (int i = 0; i < 200; i++) {
          pair.client().send(bytes("message " + i));
          assertEquals("message " + i, text(pair.client()));
        }
        pair.client().close();
        echo.join();
      }
    });
  }

  @Test
  void receive_messagesReleasedInTurn_areInTheSameMemory() {
    run(() -> {
      ServerBootstrap usual = netty.serverBootstrap().childHandler(handlers(channel -> {}));
      try (var listener = netty.listen(usual, anyPort());
          NettyChannel client = connect(listener);
          NettyChannel server = listener.accept()) {
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 5; i++) {
          client.send(bytes("message " + i));
          ByteBuf received = requireNonNull(server.receive(ByteBuf.class));
          boolean _ = addresses.add(received.memoryAddress());
          received.release();
        }
        boolean reuses = server.channel().alloc() instanceof ReusingAllocator;
        assertEquals(LoopControl.of(scheduler.host()).backend().sharesThread(), reuses);
        assertTrue(!reuses || addresses.size() <= 2, () -> addresses.size() + " buffers");
      }
    });
  }

  @Test
  void receive_moreThanABufferHolds_allOfItArrives() {
    run(() -> {
      ServerBootstrap small =
          server()
              .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(4))
              .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
              .childHandler(handlers(channel -> {}));
      try (var listener = netty.listen(small, anyPort())) {
        NettyChannel client = connect(listener);
        NettyChannel server = listener.accept();
        for (String each : List.of("one", "whole", "many", "a dozen bytes")) {
          client.send(bytes(each));
          var received = new StringBuilder();
          while (received.length() < each.length()) {
            received.append(text(server));
          }
          assertEquals(each, received.toString());
        }
        client.send(bytes("the end."));
        client.close();
        assertEquals("the ", text(server));
        assertEquals("end.", text(server));
        assertNull(server.receive());
        server.close();
      }
    });
  }

  @Test
  void receive_slowReceiver_sendersMemoryIsBounded() {
    run(() -> {
      try (var pair = pair()) {
        int size = 100_000;
        int count = 300;
        Task<Integer> sender =
            scheduler.spawn(
                "sender",
                () -> {
                  for (int i = 0; i < count; i++) {
                    pair.client().send(allocator.directBuffer(size).writeZero(size));
                  }
                  pair.client().close();
                  return count;
                });
        long most = 0;
        long received = 0;
        for (ByteBuf each; (each = pair.server().receive(ByteBuf.class)) != null; ) {
          received += each.readableBytes();
          each.release();
          most = Math.max(most, allocator.metric().usedDirectMemory());
          settle();
        }
        assertEquals(count, sender.join());
        assertEquals((long) size * count, received);
        assertTrue(most < 40L * size, "bytes of buffers at once: " + most);
      }
    });
  }

  @Test
  void receive_nobodyReceives_nothingIsRead() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().send(bytes("first"));
        assertEquals("first", text(pair.server()));
        pair.client().send(bytes("second"));
        letNettyRun();
        assertEquals(0, allocator.metric().usedDirectMemory());
        assertEquals("second", text(pair.server()));
      }
    });
  }

  @Test
  void receive_nobodyReceivesAndAPeerMayEnd_oneMessageIsReadAhead() {
    run(() -> {
      try (var pair = usualPair()) {
        pair.client().send(bytes("first"));
        letNettyRun();
        assertEquals(
            0, ChannelControl.of(pair.server()).messageCount(), "before a task has received");
        assertEquals("first", text(pair.server()));
        pair.client().send(bytes("second"));
        await(() -> ChannelControl.of(pair.server()).messageCount() == 1);
        pair.client().send(bytes("third"));
        letNettyRun();
        assertEquals(1, ChannelControl.of(pair.server()).messageCount());
        assertEquals("second", text(pair.server()));
        assertEquals("third", text(pair.server()));
      }
    });
  }

  @Test
  void send_peerHasEndedItsDirection_reachesIt() {
    run(() -> {
      try (var pair = usualPair()) {
        pair.client().send(bytes("question"));
        assertEquals("question", text(pair.server()));
        var _ = ((DuplexChannel) pair.client().channel()).shutdownOutput();
        letNettyRun(); // reads the end ahead of the task
        pair.server().send(bytes("answer"));
        assertNull(pair.server().receive());
        assertEquals("answer", text(pair.client()));
      }
    });
  }

  @Test
  void end_readAhead_doesNotSpin() {
    run(() -> {
      try (var pair = usualPair()) {
        pair.client().send(bytes("question"));
        assertEquals("question", text(pair.server()));
        var reads = new int[1];
        var _ =
            pair.server()
                .channel()
                .pipeline()
                .addFirst(
                    new ChannelInboundHandlerAdapter() {
                      @Override
                      public void channelReadComplete(ChannelHandlerContext context) {
                        reads[0]++;
                        context.fireChannelReadComplete();
                      }
                    });
        var _ = ((DuplexChannel) pair.client().channel()).shutdownOutput();
        assertNull(pair.server().receive());
        letNettyRun();
        int before = reads[0];
        letNettyRun();
        assertEquals(before, reads[0], "the loop does not spin");
        assertTrue(before <= 2, "reads at the end: " + before);
      }
    });
  }

  /// Two ends of a connection, made without bootstraps.
  private Pair usualPair() throws IOException {
    ChannelHandler none = handlers(made -> made.config().setAllocator(allocator));
    try (NettyListener listener = netty.listen(new InetSocketAddress("localhost", 0), none)) {
      NettyChannel client = netty.connect(listener.localAddress(), none);
      return new Pair(client, listener.accept());
    }
  }

  /// Gives Netty the time to read what there is.
  private void letNettyRun() throws IOException {
    for (int i = 0; i < 5; i++) {
      var _ = scheduler.await(netty.waitable(netty.group().submit(() -> {})));
    }
  }

  @Test
  void readAhead_nobodyReceives_readsSoManyMessages() {
    run(() -> {
      try (var pair = pair()) {
        assertThrows(
            IllegalArgumentException.class, () -> ChannelControl.of(pair.server()).readAhead(-1));
        ChannelControl.of(pair.server()).readAhead(2);
        for (String each : List.of("first", "second")) {
          int before = ChannelControl.of(pair.server()).messageCount();
          pair.client().send(bytes(each));
          await(() -> ChannelControl.of(pair.server()).messageCount() == before + 1);
        }
        pair.client().send(bytes("third"));
        letNettyRun();
        assertEquals(2, ChannelControl.of(pair.server()).messageCount());
        assertEquals("first", text(pair.server()));
        await(() -> ChannelControl.of(pair.server()).messageCount() == 2);
        assertEquals("second", text(pair.server()));
        assertEquals("third", text(pair.server()));
      }
    });
  }

  @Test
  void receivable_message_isLeftForTheReceiver() {
    run(() -> {
      try (var pair = pair()) {
        Task<Integer> waiting =
            scheduler.spawn(() ->
                ChannelControl.of(scheduler.await(ChannelControl.of(pair.server()).receivable()))
                    .messageCount());
        settle();
        pair.client().send(bytes("first"));
        assertEquals(1, waiting.join());
        assertEquals("first", text(pair.server()));
        Task<NettyChannel> cancelled =
            scheduler.spawn(() -> scheduler.await(ChannelControl.of(pair.server()).receivable()));
        settle();
        cancelled.cancel("not wanted");
        pair.client().send(bytes("last"));
        pair.client().close();
        assertEquals("last", text(pair.server()));
        assertSame(pair.server(), scheduler.await(ChannelControl.of(pair.server()).receivable()));
        assertNull(ChannelControl.of(pair.server()).tryReceive());
      }
    });
  }

  @Test
  void watchFailures_peerResetsWhileNobodyReceives_isTold() {
    run(() -> {
      var seen = new ArrayList<Throwable>();
      try (var pair = pair()) {
        ChannelControl.of(pair.server()).watchFailures(seen::add);
        ChannelControl.of(pair.server()).readAhead(1);
        pair.client().channel().config().setOption(ChannelOption.SO_LINGER, 0);
        settle();
        pair.client().close();
        await(() -> !seen.isEmpty());
        assertThrows(ConnectionResetException.class, () -> pair.server().receive());
      }
      assertEquals(1, seen.size());
      assertInstanceOf(ConnectionResetException.class, seen.getFirst());
    });
  }

  @Test
  void send_behindWhatIsNotFlushed_arrivesBehindIt() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().write(bytes("first "));
        pair.client().send(bytes("second "));
        assertTrue(pair.client().trySend(bytes("third")));
        var received = new StringBuilder();
        while (received.length() < "first second third".length()) {
          received.append(text(pair.server()));
        }
        assertEquals("first second third", received.toString());
      }
    });
  }

  /// Also one that is behind those of the channel.
  @Test
  void send_handlerWasAddedMeanwhile_handlesIt() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().send(bytes("before"));
        assertEquals("before", text(pair.server()));
        pair.client()
            .channel()
            .pipeline()
            .addLast(
                new ChannelOutboundHandlerAdapter() {
                  @Override
                  public void write(
                      ChannelHandlerContext context, Object message, ChannelPromise done) {
                    ((ByteBuf) message).setByte(0, 'A');
                    context.write(message, done);
                  }
                });
        letNettyRun(); // where tasks have threads of their own it is added a moment later
        pair.client().send(bytes("after"));
        assertEquals("After", text(pair.server()));
      }
    });
  }

  @Test
  void trySend_peerDoesNotRead_doesNotSend() {
    run(() -> {
      try (var pair = pair()) {
        int size = 1 << 20;
        int sent = 0;
        while (pair.client().trySend(allocator.directBuffer(size).writeZero(size))) {
          sent++;
          settle();
          assertTrue(sent < 100);
        }
        for (long left = (long) sent * size; left > 0; ) {
          ByteBuf part = pair.server().receive(ByteBuf.class);
          left -= part.readableBytes();
          part.release();
        }
        await(() -> pair.client().channel().isWritable());
        assertTrue(pair.client().trySend(bytes("more")));
        assertEquals("more", text(pair.server()));
        pair.client().close();
        assertFalse(pair.client().trySend(bytes("late")));
      }
    });
  }

  /// No handler makes bytes of it, so Netty drops it.
  @Test
  void trySendAndWrite_writeFails_laterCallFails() {
    run(() -> {
      try (var pair = pair()) {
        assertTrue(pair.client().trySend("no bytes"));
        letNettyRun();
        var e = assertThrows(IOException.class, () -> pair.client().send(bytes("x")));
        assertInstanceOf(UnsupportedOperationException.class, e.getCause());
        assertThrows(UnsupportedOperationException.class, () -> pair.client().receive());
        assertNull(pair.server().receive());
      }
      try (var pair = pair()) {
        try {
          pair.client().write("no bytes");
          letNettyRun();
          var e = assertThrows(IOException.class, () -> pair.client().send(bytes("x")));
          assertInstanceOf(UnsupportedOperationException.class, e.getCause());
        } catch (UnsupportedOperationException atOnce) {
          assertTrue(ChannelControl.of(pair.client()).isOpen());
        }
      }
    });
  }

  @Test
  void send_withALimit_peerDoesNotRead_timesOut() {
    run(() -> {
      try (var pair = pair()) {
        int size = 1 << 20;
        Duration limit = Duration.ofMillis(1);
        var sent = new int[1];
        assertThrows(
            TimedOutException.class,
            () -> {
              for (int i = 0; i < 100; i++) {
                ChannelControl.of(pair.client())
                    .send(allocator.directBuffer(size).writeZero(size), limit);
                sent[0]++;
              }
            });
        assertTrue(sent[0] < 100);
        assertThrows(
            TimedOutException.class, // it is not writable now
            () -> ChannelControl.of(pair.client()).send(bytes("late"), limit));
      }
    });
  }

  // Closing.

  @Test
  void receive_peerCloses_isTheEndForEver() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().send(bytes("last"));
        pair.client().close();
        assertEquals("last", text(pair.server()));
        assertNull(pair.server().receive());
        assertNull(pair.server().receive());
        var _ = scheduler.await(ChannelControl.of(pair.server()).closed());
      }
    });
  }

  @Test
  void receive_closedHereMeanwhile_fails() {
    run(() -> {
      try (var pair = pair()) {
        Task<Throwable> receiver = failing(() -> pair.server().receive());
        settle();
        pair.server().close();
        assertTrue(
            thrownBy(ChannelClosedException.class, receiver).getMessage().contains("receive from"));
        assertThrows(ChannelClosedException.class, () -> pair.server().receive());
        assertNull(pair.client().receive());
      }
    });
  }

  @Test
  void send_closedHere_failsAndReleases() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().close();
        assertThrows(ChannelClosedException.class, () -> pair.client().send(bytes("late")));
        assertThrows(ChannelClosedException.class, () -> pair.client().write(bytes("late")));
      }
    });
  }

  @Test
  void send_peerHasClosed_failsAtLast() {
    run(() -> {
      try (var pair = pair()) {
        pair.server().close();
        assertNull(pair.client().receive());
        assertThrows(ConnectionResetException.class, () -> pair.client().send(bytes("late")));
      }
    });
  }

  @Test
  void receive_peerResets_fails() {
    run(() -> {
      try (var pair = pair()) {
        pair.client().channel().config().setOption(ChannelOption.SO_LINGER, 0);
        Task<Throwable> receiver = failing(() -> pair.server().receive());
        settle();
        pair.client().close();
        thrownBy(ConnectionResetException.class, receiver);
      }
    });
  }

  @Test
  void close_sendWaits_failsAndReleases() {
    run(() -> {
      try (var pair = pair()) {
        Task<Throwable> sender =
            failing(() -> {
              pair.client().send(allocator.directBuffer(ENDLESS).writeZero(ENDLESS));
              return null;
            });
        awaitFull(pair);
        Task<Throwable> second =
            failing(() -> {
              pair.client().send(bytes("behind"));
              return null;
            });
        settle();
        pair.client().close();
        thrownBy(ChannelClosedException.class, sender);
        thrownBy(ChannelClosedException.class, second);
      }
    });
  }

  /// Waits until the client's channel takes no more.
  private void awaitFull(Pair pair) {
    while (pair.client().channel().isWritable()) {
      scheduler.yield();
    }
    settle();
  }

  // Giving up.

  @Test
  void receive_cancelled_nextReceivesTheMessage() {
    run(() -> {
      try (var pair = pair()) {
        Task<ByteBuf> receiver = scheduler.spawn(() -> pair.server().receive(ByteBuf.class));
        settle();
        receiver.cancel("enough");
        assertThrows(CancellationException.class, receiver::join);
        pair.client().send(bytes("kept"));
        assertEquals("kept", text(pair.server()));
      }
    });
  }

  @Test
  void receive_timesOut_nextReceivesTheMessage() {
    run(() -> {
      try (var pair = pair()) {
        assertThrows(
            TimedOutException.class, () -> ChannelControl.of(pair.server()).receive(MOMENT));
        pair.client().send(bytes("kept"));
        assertEquals("kept", text(pair.server()));
      }
    });
  }

  @Test
  void send_cancelledWhileItWaits_leavesNoBuffer() {
    run(() -> {
      try (var pair = pair()) {
        Task<Void> sender =
            scheduler.spawn(
                "sender",
                () -> {
                  pair.client().send(allocator.directBuffer(ENDLESS).writeZero(ENDLESS));
                });
        awaitFull(pair);
        Task<Void> second = scheduler.spawn("second", () -> pair.client().send(bytes("behind")));
        settle();
        sender.cancel("enough");
        second.cancel("enough");
        assertThrows(CancellationException.class, sender::join);
        assertThrows(CancellationException.class, second::join);
      }
    });
  }

  @Test
  void accept_cancelled_nextAcceptsTheConnection() {
    run(() -> {
      try (var listener = listen()) {
        Task<NettyChannel> acceptor = scheduler.spawn(listener::accept);
        settle();
        acceptor.cancel("enough");
        assertThrows(CancellationException.class, acceptor::join);
        try (var client = connect(listener);
            var server = listener.accept()) {
          client.send(bytes("hello"));
          assertEquals("hello", text(server));
        }
      }
    });
  }

  @Test
  void accept_clientsThatConnectTogether_severalInOnePoll() {
    assumeTrue(transport() != NettyTransport.IO_URING, "the system accepts one after the other");
    run(() -> {
      int count = 4 * NettyListener.MOST_AT_ONCE;
      List<Socket> clients = new ArrayList<>();
      List<NettyChannel> accepted = new ArrayList<>();
      try (var listener = listen()) {
        var address = (InetSocketAddress) listener.localAddress();
        for (int i = 0; i < count; i++) {
          clients.add(new Socket(address.getAddress(), address.getPort())); // is in the backlog
        }
        long before = netty.events().sleeps();
        for (int i = 0; i < count; i++) {
          accepted.add(listener.accept());
        }
        long sleeps = netty.events().sleeps() - before;
        assertTrue(sleeps <= count / 4, () -> "sleeps=" + sleeps);
      } finally {
        accepted.forEach(NettyChannel::close);
        for (Socket each : clients) {
          each.close();
        }
      }
    });
  }

  @Test
  void accept_listenerCloses_fails() {
    run(() -> {
      NettyListener listener = listen();
      Task<Throwable> acceptor = failing(listener::accept);
      settle();
      listener.close();
      thrownBy(ChannelClosedException.class, acceptor);
    });
  }

  // Connecting.

  @Test
  void connect_refused_failsWithTheAddress() {
    run(() -> {
      try (var taken = new Socket()) {
        taken.bind(anyPort()); // and does not listen: no other process can
        var address = (InetSocketAddress) taken.getLocalSocketAddress();
        Throwable failure =
            assertThrows(
                ConnectException.class, () -> netty.connect(address, handlers(channel -> {})));
        assertTrue(failure.getMessage().contains("" + address.getPort()), failure.getMessage());
      }
    });
  }

  @Test
  void connect_cancelledAtOnce_leavesNothingOpen() {
    run(() -> {
      try (var listener = listen()) {
        for (int turns = 0; turns < 4; turns++) {
          Task<NettyChannel> connecting = scheduler.spawn(() -> connect(listener));
          for (int i = 0; i < turns; i++) {
            scheduler.yield();
          }
          connecting.cancel("enough");
          try {
            connecting.join().close();
          } catch (CancellationException expected) {
            assertNotNull(expected.getMessage());
          }
        }
      }
    });
  }

  @Test
  void connect_unresolved_isRefused() {
    run(() -> {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              netty.connect(
                  InetSocketAddress.createUnresolved("example.test", 80), handlers(channel -> {})));
    });
  }

  /// As Netty fails without descriptors, by an exception that is unchecked.
  @Test
  void connectAndListen_withoutDescriptors_failWithAnIoException() {
    run(() -> {
      var none = new SocketException("Too many open files");
      var unmade = new ChannelException("Unable to create Channel", new ChannelException(none));
      var connecting =
          new Bootstrap()
              .group(netty.group())
              .channelFactory(() -> {
                throw unmade;
              })
              .handler(handlers(channel -> {}));
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      var refused =
          assertThrows(
              IOException.class,
              () -> scheduler.host().awaitEvent(netty.connecting(connecting, address)));
      assertEquals("connect to " + address + ": Too many open files", refused.getMessage());
      assertSame(unmade, refused.getCause());
      var listening =
          new ServerBootstrap()
              .group(netty.group())
              .channelFactory(() -> {
                throw unmade;
              })
              .childHandler(handlers(channel -> {}));
      refused = assertThrows(IOException.class, () -> netty.listen(listening, address));
      assertEquals("listen at " + address + ": Too many open files", refused.getMessage());
    });
  }

  @Test
  void connect_channelCannotBeMade_failsOnTheLoopsThread() {
    run(() -> {
      var bootstrap =
          new Bootstrap()
              .group(netty.group())
              .channelFactory(() -> {
                throw new IllegalStateException("no descriptors");
              })
              .handler(handlers(channel -> {}));
      Throwable failure =
          assertThrows(
              IllegalStateException.class,
              () -> scheduler.host().awaitEvent(netty.connecting(bootstrap, anyPort())));
      assertTrue(failure.getMessage().contains("no descriptors"), failure.getMessage());
    });
  }

  @Test
  void connection_isNamedAfterItsPeer_alsoWhenItIsClosed() {
    run(() -> {
      try (Pair pair = pair()) {
        int port = port(pair.client().channel().remoteAddress());
        String accepted =
            "connection of 127.0.0.1:%d from 127.0.0.1:%d"
                .formatted(port, port(pair.client().channel().localAddress()));
        assertEquals("connection to 127.0.0.1:" + port, pair.client().toString());
        assertEquals(accepted, pair.server().toString());
        pair.server().close();
        await(() -> !ChannelControl.of(pair.server()).isOpen());
        Throwable failure =
            assertThrows(ChannelClosedException.class, () -> pair.server().receive());
        assertEquals(
            "receive from " + accepted + ": this side has closed it", failure.getMessage());
      }
    });
  }

  private static int port(SocketAddress address) {
    return ((InetSocketAddress) address).getPort();
  }

  @Test
  void listen_portIsInUse_failsWithTheSystemsReason() {
    run(() -> {
      try (var listener = listen()) {
        assertThrows(
            IOException.class,
            () -> netty.listen(listener.localAddress(), handlers(channel -> {})));
      }
    });
  }

  // The end of the scheduler.

  @Test
  void scheduler_closesWithOpenChannels_releasesThemAndTheirMessages() {
    var left = new ArrayList<NettyChannel>();
    runOn(
        scheduler,
        () -> {
          NettyListener listener = listen();
          for (int i = 0; i < 3; i++) {
            NettyChannel client = connect(listener);
            NettyChannel server = listener.accept();
            left.addAll(List.of(client, server));
            client.send(bytes("first"));
            assertEquals("first", text(server));
          }
          left.get(0).send(bytes("received by no task"));
          left.get(1).channel().read();
          left.get(2).write(bytes("not flushed"));
          var _ = scheduler.spawn("receiver", () -> left.get(4).receive());
          var _ = connect(listener);
          settle();
          scheduler.stop();
          return null;
        });
    scheduler.close();
    assertEquals(6, left.size());
    for (NettyChannel each : left) {
      assertFalse(ChannelControl.of(each).isOpen());
    }
  }

  @Test
  void scheduler_closesWithAChannelThatPutsItsCloseOff_tellsItsHandlers() {
    var told = new ArrayList<String>();
    var waits = // for its streams, as HTTP/2 and gRPC do
        new ChannelDuplexHandler() {
          @Override
          public void close(ChannelHandlerContext context, ChannelPromise promise) {}

          @Override
          public void channelInactive(ChannelHandlerContext context) {
            told.add("inactive");
          }

          @Override
          public void channelUnregistered(ChannelHandlerContext context) {
            told.add("unregistered");
          }
        };
    runOn(
        scheduler,
        () -> {
          connect(listen()).channel().pipeline().addFirst(waits);
          scheduler.stop();
          return null;
        });
    scheduler.close();
    assertEquals(List.of("inactive", "unregistered"), told);
  }

  // Handlers.

  @Test
  void handler_fails_receiverFailsAndChannelCloses() {
    run(() -> {
      try (var listener =
              listen(channel ->
                  channel
                      .pipeline()
                      .addLast(
                          new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                              ((ByteBuf) message).release();
                              throw new IllegalStateException("broken handler");
                            }
                          }));
          var client = connect(listener);
          var server = listener.accept()) {
        client.send(bytes("hello"));
        assertEquals(
            "broken handler",
            assertThrows(IllegalStateException.class, server::receive).getMessage());
        assertNull(client.receive());
        assertFalse(ChannelControl.of(server).isOpen());
      }
    });
  }

  @Test
  void handler_awaits_isRefused() {
    var refused = new ArrayList<Throwable>();
    run(() -> {
      try (var listener =
              listen(channel ->
                  channel
                      .pipeline()
                      .addLast(
                          new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                              try {
                                scheduler.yield();
                              } catch (IllegalStateException e) {
                                refused.add(e);
                              }
                              context.fireChannelRead(message);
                            }
                          }));
          var client =
              connect(
                  listener,
                  channel ->
                      channel
                          .pipeline()
                          .addLast(
                              new ChannelOutboundHandlerAdapter() {
                                @Override
                                public void flush(ChannelHandlerContext context) {
                                  try {
                                    scheduler.yield();
                                  } catch (IllegalStateException e) {
                                    refused.add(e);
                                  }
                                  context.flush();
                                }
                              }));
          var server = listener.accept()) {
        client.send(bytes("hello"));
        assertEquals("hello", text(server));
      }
    });
    assertEquals(2, refused.size(), refused::toString);
  }

  // Futures.

  @Test
  void await_futureOfAnotherThread_returnsItsValue() {
    run(() -> {
      var promise = netty.group().next().<String>newPromise();
      Thread.ofPlatform().daemon().start(() -> promise.setSuccess("value"));
      assertEquals("value", netty.await(promise));
      assertEquals("value", netty.await(promise));
    });
  }

  @Test
  void await_futureFails_throwsItsCause() {
    run(() -> {
      var cause = new IllegalStateException("cause");
      var promise = netty.group().next().<String>newPromise();
      Task<Throwable> waiter = failing(() -> netty.await(promise));
      settle();
      promise.setFailure(cause);
      assertEquals(cause, waiter.join());
    });
  }

  @Test
  void cancelling_waitIsCancelled_cancelsTheFuture() {
    run(() -> {
      var kept = netty.group().next().<String>newPromise();
      var dropped = netty.group().next().<String>newPromise();
      Task<String> first = scheduler.spawn(() -> netty.await(kept));
      Task<String> second =
          scheduler.spawn(() -> scheduler.await(netty.cancelling(dropped)).toString());
      settle();
      first.cancel("enough");
      second.cancel("enough");
      assertThrows(CancellationException.class, first::join);
      assertThrows(CancellationException.class, second::join);
      assertFalse(kept.isCancelled());
      assertTrue(dropped.isCancelled());
      kept.setSuccess("");
    });
  }

  /// docs/inside/semantics.md, rule 42.
  @Test
  void cancelling_valueComesWhenNoTaskWaits_isClosed() {
    run(() -> {
      ByteBuf buffer = allocator.buffer();
      late(buffer);
      assertEquals(0, buffer.refCnt());
      try (Pair pair = pair()) {
        late(pair.client().channel());
        assertNull(pair.server().receive(ByteBuf.class));
      }
      var closed = new CompletableFuture<String>();
      AutoCloseable resource = () -> closed.complete(Thread.currentThread().getName());
      late(resource);
      assertTrue(scheduler.await(scheduler.completion(closed)).startsWith("late result of "));
      late(() -> {
        throw new IllegalStateException("broken");
      });
      var reported = new ArrayList<String>();
      await(() -> {
        takeFailures().forEach(each -> reported.add(each.getMessage()));
        return !reported.isEmpty();
      });
      assertEquals(List.of("broken"), reported);
    });
  }

  /// Completes a future with a value when the task that waited for it does not wait any more.
  private void late(AutoCloseable value) {
    late((Object) value);
  }

  private void late(Object value) {
    var promise = netty.group().next().<Object>newPromise();
    assertTrue(promise.setUncancellable());
    var waiter = scheduler.spawn(() -> scheduler.await(netty.cancelling(promise)).toString());
    settle();
    waiter.cancel("enough");
    assertThrows(CancellationException.class, waiter::join);
    var _ = promise.setSuccess(value);
    settle();
  }

  @Test
  void schedule_nettysTimer_firesOnTime() {
    run(() -> {
      long before = System.nanoTime();
      netty.await(netty.group().schedule(() -> {}, 3_300, TimeUnit.MICROSECONDS));
      assertTrue(System.nanoTime() - before >= 3_300_000);
    });
  }

  // Many.

  @Test
  void wakeups_20000fromOutside_noneIsLost() throws Exception {
    int count = 20_000;
    var seen = new int[1];
    run(() -> {
      try (var listener = listen()) {
        Task<Void> acceptor = scheduler.spawn("acceptor", () -> listener.accept().close());
        var handover = new Semaphore(0);
        Thread outside =
            Thread.ofPlatform()
                .daemon()
                .start(() -> {
                  for (int i = 0; i < count; i++) {
                    scheduler.execute(() -> {
                      seen[0]++;
                      handover.release();
                    });
                    handover.acquireUninterruptibly();
                  }
                });
        var over =
            scheduler.blocking(() -> {
              outside.join();
              return "over";
            });
        assertEquals("over", over);
        acceptor.cancel("over");
      }
    });
    assertEquals(count, seen[0]);
  }

  @Test
  void connections_manyOpenedAndClosed_leaveNothing() {
    run(() -> {
      try (var listener = listen()) {
        for (int round = 0; round < 3; round++) {
          List<NettyChannel> all = new ArrayList<>();
          for (int i = 0; i < 500; i++) {
            all.add(connect(listener));
            all.add(listener.accept());
          }
          for (int i = 0; i < 1000; i += 2) {
            all.get(i).send(bytes("" + i));
          }
          for (int i = 0; i < 1000; i += 2) {
            assertEquals("" + i, text(all.get(i + 1)));
          }
          all.forEach(NettyChannel::close);
          while (netty.openCount() > 1) {
            scheduler.yield();
          }
        }
      }
    });
  }

  /// As gRPC does. The loop waits in Netty for the sake of open channels.
  @Test
  void channel_registeredWithTheLoopPastItsGroup_isCounted() {
    run(() -> {
      var channels = netty.bootstrap().config().channelFactory();
      var bootstrap =
          new Bootstrap()
              .group(netty.group().next())
              .channelFactory(channels::newChannel)
              .option(ChannelOption.ALLOCATOR, allocator)
              .handler(new ChannelInboundHandlerAdapter());
      try (var listener = listen()) {
        int before = netty.openCount();
        ChannelFuture connecting = bootstrap.connect(listener.localAddress());
        netty.await(connecting);
        assertEquals(before + 1, netty.openCount()); // the other end is not accepted yet
        netty.await(connecting.channel().close());
        await(() -> netty.openCount() == before);
      }
    });
  }

  @Test
  void descriptors_ofManySchedulers_areGivenBack() {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "the system does not list descriptors");
    useOneMore();
    int before = descriptorCount();
    int count = 20;
    for (int i = 0; i < count; i++) {
      useOneMore();
    }
    int more = descriptorCount() - before;
    assertTrue(more < count, "descriptors that are left: " + more);
  }

  private void useOneMore() {
    Scheduler earlier = scheduler;
    WaitForNetty itsNetty = netty;
    open();
    try (var other = scheduler) {
      run(() -> {
        try (var pair = pair()) {
          pair.client().send(bytes("hello"));
          assertEquals("hello", text(pair.server()));
        }
      });
      assertNotNull(other);
    }
    scheduler = earlier;
    netty = itsNetty;
  }

  private static int descriptorCount() {
    String[] names = DESCRIPTORS.toFile().list();
    return names == null ? 0 : names.length;
  }
}
