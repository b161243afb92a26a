package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.SocketSender;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is sent past the pipeline, on EPOLL.
final class SocketSenderTest extends NettyRig {

  private static final Duration LIMIT = Duration.ofMinutes(4);

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL;
  }

  @BeforeEach
  void tasksShareTheThread() {
    assumeTrue(LoopControl.of(scheduler.host()).backend().sharesThread());
  }

  private static SocketSender sender(NettyChannel channel) {
    SocketSender sender = SocketSender.of(channel.channel());
    assertNotNull(sender);
    return sender;
  }

  @Test
  void send_nothingWaits_sendsAllAndKeepsTheBuffer() {
    run(() -> {
      try (var pair = pair()) {
        ByteBuf hello = bytes("hello");
        assertEquals(5, sender(pair.client()).send(hello));
        assertEquals(5, hello.readableBytes());
        assertEquals(1, hello.refCnt());
        hello.release();
        assertEquals("hello", text(pair.server()));
      }
    });
  }

  @Test
  void send_earlierBytesWait_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        SocketSender sender = sender(pair.client());
        ByteBuf late = bytes("late");
        pair.client().write(bytes("early "));
        assertEquals(0, sender.send(late));
        pair.client().flush();
        assertEquals(4, sender.send(late));
        late.release();
        var received = new StringBuilder();
        while (received.length() < "early late".length()) {
          received.append(text(pair.server()));
        }
        assertEquals("early late", received.toString());
      }
    });
  }

  @Test
  void send_systemTakesNoMore_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        SocketSender sender = sender(pair.client());
        ByteBuf large = allocator.directBuffer(1 << 20).writeZero(1 << 20);
        boolean full = false;
        for (int i = 0; i < 100 && !full; i++) {
          full = sender.send(large) == 0;
        }
        assertTrue(full);
        large.release();
      }
    });
  }

  @Test
  void send_channelIsNotWritable_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        ByteBuf hello = bytes("hello");
        pair.client().channel().unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        assertEquals(0, sender(pair.client()).send(hello));
        hello.release();
      }
    });
  }

  @Test
  void send_bufferOnTheHeap_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        ByteBuf hello = allocator.heapBuffer().writeByte('h');
        assertEquals(0, sender(pair.client()).send(hello));
        hello.release();
      }
    });
  }

  @Test
  void send_closedHere_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        SocketSender sender = sender(pair.client());
        ByteBuf hello = bytes("hello");
        pair.client().close();
        assertEquals(0, sender.send(hello));
        hello.release();
      }
    });
  }

  @Test
  void send_peerHasReset_sendsNone() {
    run(() -> {
      try (var pair = pair()) {
        SocketSender sender = sender(pair.client());
        ByteBuf hello = bytes("hello");
        pair.server().channel().config().setOption(ChannelOption.SO_LINGER, 0);
        pair.server().close();
        assertEquals(0, sender.send(hello));
        hello.release();
      }
    });
  }

  /// The future is the one that a channel has for all that is done at once.
  @Test
  void sendSoon_bytesThatNoHandlerChanges_passThePipeline() {
    run(() -> {
      try (var pair = pair()) {
        NettyChannel client = pair.client();
        client.channel().pipeline().addFirst(new ChannelInboundHandlerAdapter());
        assertSame(
            client.channel().newSucceededFuture(),
            ChannelControl.of(client).sendSoon(bytes("hello"), LIMIT));
        assertEquals("hello", text(pair.server()));
      }
    });
  }

  @Test
  void passesUnchanged_withAHandlerOfWhatIsSent_isFalse() {
    run(() -> {
      try (var pair = pair()) {
        assertTrue(SocketSender.passesUnchanged(pair.client().channel()));
        pair.client().channel().pipeline().addLast(new ChannelOutboundHandlerAdapter());
        assertFalse(SocketSender.passesUnchanged(pair.client().channel()));
      }
    });
  }

  @Test
  void of_otherTransports_isNull() throws Exception {
    var nio = new NioSocketChannel();
    try {
      assertNull(SocketSender.of(nio));
    } finally {
      nio.unsafe().closeForcibly();
    }
    assertNull(SocketSender.of(new EmbeddedChannel()));
  }
}
