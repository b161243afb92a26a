package dev.rondo.http.websocket.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/// Masks the frames of a client (RFC 6455, 5.3), each with a new mask. Each written buffer is one
/// frame of [WebSocketBytes].
///
/// Confined to the event loop.
public final class WebSocketMask extends ChannelOutboundHandlerAdapter {

  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int TWO_BYTES_FOLLOW = 126;
  private static final int EIGHT_BYTES_FOLLOW = 127;

  private static final long TWICE = 0x1_0000_0001L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final SecureRandom random;

  /// @param random draws the masks; a page that chooses the content must not be able to predict
  ///   them
  public WebSocketMask(SecureRandom random) {
    this.random = random;
  }

  @Override
  public void write(ChannelHandlerContext own, Object message, ChannelPromise promise) {
    var _ = own.write(message instanceof ByteBuf frame ? masked(own, frame) : message, promise);
  }

  /// @param frame released here
  private ByteBuf masked(ChannelHandlerContext own, ByteBuf frame) {
    try {
      int bytes = frame.readableBytes();
      ByteBuf masked = own.alloc().buffer(Math.addExact(bytes, Integer.BYTES));
      int begin = frame.readerIndex();
      int second = frame.getUnsignedByte(begin + 1);
      int lengthBytes =
          switch (second & LENGTH) {
            case TWO_BYTES_FOLLOW -> Short.BYTES;
            case EIGHT_BYTES_FOLLOW -> Long.BYTES;
            default -> 0;
          };
      int head = Short.BYTES + lengthBytes;
      int mask = random.nextInt();
      byte[] content = new byte[bytes - head];
      frame.getBytes(begin + head, content);
      apply(content, mask);
      return masked
          .writeByte(frame.getByte(begin))
          .writeByte(second | MASKED)
          .writeBytes(frame, begin + Short.BYTES, lengthBytes)
          .writeInt(mask)
          .writeBytes(content);
    } finally {
      boolean _ = frame.release();
    }
  }

  /// Masks a content, or unmasks it.
  static void apply(byte[] content, int mask) {
    long twice = Integer.toUnsignedLong(mask) * TWICE;
    int i = 0;
    for (; i <= content.length - Long.BYTES; i += Long.BYTES) {
      LONGS.set(content, i, (long) LONGS.get(content, i) ^ twice);
    }
    for (; i < content.length; i++) {
      content[i] ^= (byte) (mask >>> (Byte.SIZE * (Integer.BYTES - 1 - i % Integer.BYTES)));
    }
  }
}
