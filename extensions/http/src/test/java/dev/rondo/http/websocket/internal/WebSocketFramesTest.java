package dev.rondo.http.websocket.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.rondo.netty.internal.ChannelControl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which pings are answered.
class WebSocketFramesTest {

  private static final int PONG = 0x8A;

  private final EmbeddedChannel channel = new EmbeddedChannel();

  @BeforeEach
  void addFrames() {
    ChannelControl own = mock(ChannelControl.class);
    when(own.channel()).thenReturn(channel);
    var _ =
        channel
            .pipeline()
            .addLast(
                new WebSocketFrames(
                    own,
                    Duration.ofSeconds(30),
                    mock(WebSocketEnd.class),
                    mock(WebSocketArrival.class)));
  }

  @AfterEach
  void nothingIsLeft() {
    boolean _ = channel.finishAndReleaseAll();
  }

  private void writable(boolean is) {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, is);
  }

  private void ping(String content) {
    boolean _ =
        channel.writeInbound(
            new PingWebSocketFrame(Unpooled.copiedBuffer(content, StandardCharsets.UTF_8)));
  }

  private void assertPong(String content) {
    ByteBuf sent = channel.readOutbound();
    assertEquals(PONG << Byte.SIZE | content.length(), sent.readUnsignedShort());
    assertEquals(content, sent.toString(StandardCharsets.UTF_8));
    sent.release();
  }

  @Test
  void pings_whileTheClientDoesNotRead_theLastIsAnsweredLater() {
    writable(false);
    ping("one");
    ping("two");
    assertNull(channel.readOutbound());
    writable(true);
    channel.runPendingTasks();
    assertPong("two");
    assertNull(channel.readOutbound());
  }

  /// The pipeline learns a moment later that the client reads again.
  @Test
  void ping_beforeTheKeptOneIsAnswered_isTheOnlyOneAnswered() {
    writable(false);
    ping("one");
    writable(true);
    ping("two");
    channel.runPendingTasks();
    assertPong("two");
    assertNull(channel.readOutbound());
  }
}
