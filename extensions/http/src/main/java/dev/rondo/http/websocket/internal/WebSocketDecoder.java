package dev.rondo.http.websocket.internal;

import dev.rondo.http.websocket.WebSocketMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of a WebSocket peer (RFC 6455, 5): whole messages as [WebSocketMessage], and
/// pings, pongs and the close as Netty frames. The content of a frame is copied once, into an array
/// in which it is unmasked and decoded. Netty's decoder, validator and aggregator each read every
/// byte of a buffer.
///
/// A breach of the protocol fails with a [CorruptedWebSocketFrameException], which has the close
/// code. After a breach, and after the peer's close, all bytes are dropped.
///
/// Confined to the event loop.
public final class WebSocketDecoder extends ByteToMessageDecoder implements WebSocketFrameDecoder {

  // Bits of a frame's first byte.
  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int OPCODE = 0x0F;

  // Bits of a frame's second byte.
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;

  private static final int CONTINUATION = 0x0;
  private static final int TEXT = 0x1;
  private static final int BINARY = 0x2;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xA;

  private static final int CONTROL = 0x8;
  private static final int MOST_OF_CONTROL = 125;

  private static final int TWO_BYTES_FOLLOW = 126;
  private static final int EIGHT_BYTES_FOLLOW = 127;
  private static final int MOST_IN_TWO_BYTES = 0xFFFF;

  private static final int MORE_THAN_CLOSE_CODES = 5_000;

  private static final int LEAST_BYTES = 2;

  /// Receives the incoming frames.
  public interface Listener {

    /// The peer has sent something.
    ///
    /// @param complete whether this has completed a message
    /// @param held the number of bytes that have arrived of the next message
    /// @throws CorruptedWebSocketFrameException if the message cannot be received
    void heard(boolean complete, int held);
  }

  private final int mostBytes;

  /// Whether the peer is a client, which masks each frame. A server does not mask.
  private final boolean masked;

  private final Listener listener;

  /// The fragments of a message that has begun; null between messages.
  private @Nullable WebSocketFragments fragments;

  /// Whether a message was completed since the listener was last told.
  private boolean complete;

  /// Whether decoding has ended, because the peer has closed the socket or broken the protocol.
  private boolean ended;

  /// @param masked whether the peer is a client, which masks each frame
  private WebSocketDecoder(int mostBytes, boolean masked, Listener listener) {
    this.mostBytes = mostBytes;
    this.masked = masked;
    this.listener = listener;
  }

  /// {@return a decoder for frames of a client}
  ///
  /// @param mostBytes of a message with all its fragments
  public static WebSocketDecoder ofClient(int mostBytes, Listener listener) {
    return new WebSocketDecoder(mostBytes, true, listener);
  }

  /// {@return a decoder for frames of a server}
  ///
  /// @param mostBytes of a message with all its fragments
  public static WebSocketDecoder ofServer(int mostBytes, Listener listener) {
    return new WebSocketDecoder(mostBytes, false, listener);
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object bytes) throws Exception {
    complete = false;
    super.channelRead(own, bytes);
    if (!ended) {
      WebSocketFragments begun = fragments;
      listener.heard(complete, actualReadableBytes() + (begun == null ? 0 : begun.bytes()));
    }
  }

  /// Drops the arrived bytes, and all bytes that follow.
  void end() {
    ended = true;
    fragments = null;
    internalBuffer().skipBytes(actualReadableBytes());
  }

  @Override
  protected void decode(ChannelHandlerContext own, ByteBuf in, List<Object> out) {
    boolean decoded = false;
    try {
      decodeFrame(in, out);
      decoded = true;
    } finally {
      if (!decoded) {
        ended = true;
        fragments = null;
      }
      if (ended) {
        in.skipBytes(in.readableBytes());
      }
    }
  }

  /// Decodes one frame if it is complete. Until then its head is read again with each part.
  private void decodeFrame(ByteBuf in, List<Object> out) {
    int here = in.readableBytes();
    if (ended || here < LEAST_BYTES) {
      return;
    }
    int begin = in.readerIndex();
    int first = in.getUnsignedByte(begin);
    int second = in.getUnsignedByte(begin + 1);
    requireOrder(first, second);
    int afterLength = LEAST_BYTES + lengthBytes(second);
    if (here < afterLength) {
      return;
    }
    long length = length(in, begin, second);
    requireRoom(first, length);
    int beforeContent = masked ? afterLength + Integer.BYTES : afterLength;
    if (here < beforeContent + length) {
      return;
    }
    byte[] content = new byte[(int) length];
    in.skipBytes(beforeContent).readBytes(content);
    if (masked) {
      WebSocketMask.apply(content, in.getInt(begin + afterLength));
    }
    Object decoded = decoded(first, content);
    if (decoded != null) {
      out.add(decoded);
      complete |= decoded instanceof WebSocketMessage;
    }
  }

  private static int lengthBytes(int second) {
    return switch (second & LENGTH) {
      case TWO_BYTES_FOLLOW -> Short.BYTES;
      case EIGHT_BYTES_FOLLOW -> Long.BYTES;
      default -> 0;
    };
  }

  /// {@return the length of the content, which must be encoded in the fewest bytes}
  private static long length(ByteBuf in, int begin, int second) {
    int written = second & LENGTH;
    if (written == TWO_BYTES_FOLLOW) {
      int length = in.getUnsignedShort(begin + LEAST_BYTES);
      require(length > MOST_OF_CONTROL, "the length is not in the shortest form");
      return length;
    }
    if (written == EIGHT_BYTES_FOLLOW) {
      long length = in.getLong(begin + LEAST_BYTES);
      require(length >= 0, "the length is negative");
      require(length > MOST_IN_TWO_BYTES, "the length is not in the shortest form");
      return length;
    }
    return written;
  }

  private void requireOrder(int first, int second) {
    require((first & RESERVED) == 0, "a reserved bit is set");
    require(
        (second & MASKED) != 0 == masked,
        masked ? "the frame is not masked" : "the frame is masked");
    int opcode = first & OPCODE;
    switch (opcode) {
      case CONTINUATION -> require(fragments != null, "a fragment of no message");
      case TEXT, BINARY -> require(fragments == null, "a message within another one");
      case CLOSE, PING, PONG -> {
        int length = second & LENGTH;
        require((first & FINAL) != 0, "a control frame is fragmented");
        require(length <= MOST_OF_CONTROL, "a control frame is longer than 125 bytes");
        require(opcode != CLOSE || length != 1, "a close has half a code");
      }
      default -> throw broken("reserved opcode " + opcode);
    }
  }

  private void requireRoom(int first, long length) {
    if ((first & CONTROL) != 0) {
      return;
    }
    int before = fragments == null ? 0 : fragments.bytes();
    if (length > mostBytes - before) { // a sum could overflow
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.MESSAGE_TOO_BIG,
          "a message has %d bytes and %d more; required <= %d"
              .formatted(before, length, mostBytes));
    }
  }

  private static void require(boolean right, String otherwise) {
    if (!right) {
      throw broken(otherwise);
    }
  }

  private static CorruptedWebSocketFrameException broken(String how) {
    return new CorruptedWebSocketFrameException(WebSocketCloseStatus.PROTOCOL_ERROR, how);
  }

  /// {@return a message or a control frame; null if fragments of the message are missing}
  private @Nullable Object decoded(int first, byte[] content) {
    boolean last = (first & FINAL) != 0;
    int opcode = first & OPCODE;
    return switch (opcode) {
      case PING -> new PingWebSocketFrame(Unpooled.wrappedBuffer(content));
      case PONG -> new PongWebSocketFrame(Unpooled.wrappedBuffer(content));
      case CLOSE -> close(content);
      case TEXT -> last ? new WebSocketMessage.Text(Utf8.decoded(content)) : begun(true, content);
      case BINARY -> last ? new WebSocketMessage.Binary(content) : begun(false, content);
      default -> continued(content, last);
    };
  }

  private @Nullable Object begun(boolean text, byte[] content) {
    fragments = text ? new WebSocketFragments.OfText() : new WebSocketFragments.OfBinary();
    return continued(content, false);
  }

  private @Nullable Object continued(byte[] content, boolean last) {
    WebSocketFragments begun = fragments;
    if (begun == null) {
      throw new IllegalStateException("no message has begun");
    }
    begun.add(content, last);
    if (!last) {
      return null;
    }
    fragments = null;
    return begun.message();
  }

  private CloseWebSocketFrame close(byte[] content) {
    ended = true;
    ByteBuf body = Unpooled.wrappedBuffer(content);
    if (content.length > 0) {
      int code = body.getUnsignedShort(0);
      require(isCloseCode(code), "code %d of a close".formatted(code));
      var _ = Utf8.decoded(Arrays.copyOfRange(content, Short.BYTES, content.length));
    }
    return new CloseWebSocketFrame(true, 0, body);
  }

  /// Whether a peer may close with this code (RFC 6455, 7.4). Netty also allows codes from 5,000
  /// on, which are not assigned.
  static boolean isCloseCode(int code) {
    return code >= 0
        && code < MORE_THAN_CLOSE_CODES
        && WebSocketCloseStatus.isValidStatusCode(code);
  }
}
