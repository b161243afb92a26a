package dev.rondo.http.websocket.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.http.websocket.WebSocketMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The decoder beside Netty's encoder of clients. What breaks the protocol is in the cases of
/// Autobahn, too, over loopback.
class WebSocketDecoderTest {

  private static final int MOST_BYTES = 200_000;
  private static final String TEXT = "caf\u00e9 \u03ba\u1f79 \ud83d\ude00 \ufffd end";

  private final EmbeddedChannel client = new EmbeddedChannel(new WebSocket13FrameEncoder(true));
  private final EmbeddedChannel server =
      new EmbeddedChannel(WebSocketDecoder.ofClient(MOST_BYTES, (_, _) -> {}));

  @AfterEach
  void nothingIsLeft() {
    boolean _ = client.finishAndReleaseAll();
    boolean _ = server.finishAndReleaseAll();
  }

  /// {@return what a client sends}
  private ByteBuf encoded(WebSocketFrame frame) {
    boolean _ = client.writeOutbound(frame);
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf each; (each = client.readOutbound()) != null; each.release()) {
      all.writeBytes(each);
    }
    return all;
  }

  private void receive(WebSocketFrame frame) {
    boolean _ = server.writeInbound(encoded(frame));
  }

  private CorruptedWebSocketFrameException refused(WebSocketFrame frame) {
    return assertThrows(CorruptedWebSocketFrameException.class, () -> receive(frame));
  }

  private static ByteBuf utf8(String text, int begin, int end) {
    return Unpooled.copiedBuffer(text.getBytes(StandardCharsets.UTF_8), begin, end - begin);
  }

  @Test
  void frames_ofAllLengths_inPiecesOfAnySize_areReceived() {
    var random = new Random(1);
    for (int length : new int[] {0, 1, 7, 8, 9, 15, 125, 126, 127, 65_535, 65_536, MOST_BYTES}) {
      byte[] content = new byte[length];
      random.nextBytes(content);
      ByteBuf bytes = encoded(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(content)));
      while (bytes.isReadable()) {
        int count = Math.min(bytes.readableBytes(), 1 + random.nextInt(1 + length / 2));
        boolean _ = server.writeInbound(bytes.readRetainedSlice(count));
      }
      bytes.release();
      var message = assertInstanceOf(WebSocketMessage.Binary.class, server.readInbound());
      assertArrayEquals(content, message.bytes());
    }
  }

  @Test
  void texts_withTheReplacementCharacter_areReceived() {
    receive(new TextWebSocketFrame(TEXT));
    assertEquals(new WebSocketMessage.Text(TEXT), server.readInbound());
  }

  @Test
  void texts_thatAreSplitWithinACharacter_areReceived() {
    int length = TEXT.getBytes(StandardCharsets.UTF_8).length;
    for (int i = 0; i <= length; i++) {
      receive(new TextWebSocketFrame(false, 0, utf8(TEXT, 0, i)));
      assertNull(server.readInbound());
      receive(new ContinuationWebSocketFrame(true, 0, utf8(TEXT, i, length)));
      assertEquals(new WebSocketMessage.Text(TEXT), server.readInbound());
    }
  }

  @Test
  void texts_thatEndWithinACharacter_areRefused() {
    receive(new TextWebSocketFrame(false, 0, utf8(TEXT, 0, TEXT.indexOf('\u00e9') + 1)));
    var refused = refused(new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER));
    assertEquals(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, refused.closeStatus());
  }

  @Test
  void fragments_thatAreTooLongTogether_areRefused() {
    receive(new BinaryWebSocketFrame(false, 0, Unpooled.wrappedBuffer(new byte[MOST_BYTES])));
    var refused =
        refused(new ContinuationWebSocketFrame(true, 0, Unpooled.wrappedBuffer(new byte[1])));
    assertEquals(WebSocketCloseStatus.MESSAGE_TOO_BIG, refused.closeStatus());
  }

  /// The sum of the lengths is more than a `long` has.
  @Test
  void fragment_ofNearlyTheLargestLength_isRefused() {
    for (long length : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 63}) {
      var own = new EmbeddedChannel(WebSocketDecoder.ofClient(MOST_BYTES, (_, _) -> {}));
      ByteBuf begun = encoded(new BinaryWebSocketFrame(false, 0, utf8("begun", 0, 5)));
      boolean _ = own.writeInbound(begun);
      ByteBuf head = Unpooled.buffer().writeShort(0x80FF).writeLong(length).writeInt(0);
      var refused =
          assertThrows(CorruptedWebSocketFrameException.class, () -> own.writeInbound(head));
      assertEquals(WebSocketCloseStatus.MESSAGE_TOO_BIG, refused.closeStatus());
      boolean _ = own.finishAndReleaseAll();
    }
  }

  @Test
  void whatFollowsAClose_isDropped() {
    receive(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
    receive(new TextWebSocketFrame(TEXT));
    CloseWebSocketFrame close = assertInstanceOf(CloseWebSocketFrame.class, server.readInbound());
    assertEquals(WebSocketCloseStatus.NORMAL_CLOSURE.code(), close.statusCode());
    boolean _ = close.release();
    assertNull(server.readInbound());
  }
}
