package dev.rondo.http.internal;

import dev.rondo.netty.internal.BodyPace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The body of a request or response. It is read from the connection as a task reads it. After a
/// failure, each later read fails too.
///
/// Confined to the scheduler's thread.
public abstract class ReceivedBody extends InputStream {

  /// The most bytes of an unread body that are read to keep the connection.
  private static final long MOST_SKIPPED_BYTES = 64 << 10;

  private final long mostBytes;

  /// The part that is being read.
  private ByteBuf part = Unpooled.EMPTY_BUFFER;

  private long receivedBytes;
  private boolean complete;
  private boolean closed;

  /// Null if only the pace of the parts is limited.
  private @Nullable BodyPace pace;

  /// Why the rest of the body cannot be read.
  private @Nullable Exception failure;

  protected ReceivedBody(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// Receives the next part. A *possible* suspension point.
  protected abstract HttpContent nextPart() throws IOException;

  /// {@return the failure of a body that is longer than the limit}
  protected abstract Exception tooLarge();

  /// {@return the failure of a body that arrives too slowly}
  protected abstract Exception tooSlow();

  /// {@return the failure of a body that cannot be decoded}
  protected abstract Exception malformed(String why, @Nullable Throwable cause);

  /// The whole body has been received.
  protected void completed() {}

  /// The body has failed.
  protected void broken() {}

  /// The decompressed body has been read to its end. More bytes may follow.
  protected void decoded() throws IOException {}

  /// The whole body has arrived with the head.
  public void arrived(ByteBuf whole) {
    part = whole;
    receivedBytes = whole.readableBytes();
    complete = true;
  }

  public final long mostBytes() {
    return mostBytes;
  }

  public final long receivedBytes() {
    return receivedBytes;
  }

  /// Whether the whole body has been received.
  public final boolean isComplete() {
    return complete;
  }

  /// Whether a task has read the whole body.
  public final boolean isRead() {
    return complete && !part.isReadable();
  }

  public final boolean hasFailed() {
    return failure != null;
  }

  @Override
  public int read() throws IOException {
    return hasMore() ? part.readUnsignedByte() : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int count = Math.min(length, part.readableBytes());
    part.readBytes(bytes, offset, count);
    return count;
  }

  @Override
  public int available() {
    return part.readableBytes();
  }

  private boolean hasMore() throws IOException {
    if (closed) {
      throw new IOException("the exchange is over");
    }
    while (!part.isReadable()) {
      if (complete) {
        releasePart();
        return false;
      }
      receive();
    }
    return true;
  }

  /// Receives another part in place of the one before.
  public final void receive() throws IOException {
    Exception earlier = failure;
    if (earlier != null) {
      throw MessageWire.thrown(earlier);
    }
    BodyPace own = pace;
    if (own != null && receivedBytes > 0 && own.isTooSlow(receivedBytes)) {
      throw failed(tooSlow());
    }
    took(nextPart());
  }

  /// The body is being read as a whole, and must keep a pace.
  public final void keepPace(BodyPace kept) {
    pace = kept;
  }

  /// A part has arrived.
  public final void took(HttpContent content) {
    releasePart();
    part = content.content();
    if (content.decoderResult().isFailure()) {
      Throwable cause = content.decoderResult().cause();
      throw failed(malformed(String.valueOf(cause.getMessage()), cause));
    }
    receivedBytes += part.readableBytes();
    complete = content instanceof LastHttpContent;
    if (receivedBytes > mostBytes) {
      complete = false;
      throw failed(tooLarge());
    }
    if (complete) {
      if (!part.isReadable()) {
        releasePart();
      }
      completed();
    }
  }

  /// Ends reading, and throws the failure.
  public final RuntimeException failed(Exception why) {
    failure = why;
    releasePart();
    broken();
    throw MessageWire.<RuntimeException>thrown(why);
  }

  private void releasePart() {
    ByteBuf old = part;
    part = Unpooled.EMPTY_BUFFER;
    old.release();
  }

  /// Reads the rest of the body if it is short.
  ///
  /// @return whether the whole body has been received
  public boolean skipRest() throws IOException {
    long limit = receivedBytes + MOST_SKIPPED_BYTES;
    while (!complete && failure == null && receivedBytes < limit) {
      receive();
    }
    return complete && failure == null;
  }

  /// The exchange is over.
  public void end() {
    closed = true;
    if (part != Unpooled.EMPTY_BUFFER) {
      releasePart();
    }
  }
}
