package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// The writing half of a byte stream: a write is made of as many attempts as it takes.
public final class StreamWriter extends Direction {

  /// The JDK copies *all* that is left of a heap buffer into a direct one for each attempt; so the
  /// buffer is written in pieces.
  static final int MAX_HEAP_BYTES = 128 * 1024;

  static final ByteBuffer NOTHING = ByteBuffer.wrap(new byte[0]);

  /// The most pieces in one attempt. Without this limit a peer that reads as fast as this side
  /// writes would keep the loop.
  private static final int MAX_PIECES = 16;

  private WritableByteChannel channel;

  /// The system's own channel, for bytes that are in no buffer.
  private final WritableByteChannel system;

  private ByteBuffer source = NOTHING;
  private long total;

  /// Wraps the array that an `OutputStream` wrote from last, which is nearly always used again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  /// Nothing is written yet.
  ///
  /// @param channel the channel to write to
  /// @param registration of the socket
  public StreamWriter(WritableByteChannel channel, ChannelRegistration registration) {
    this(channel, channel, registration);
  }

  /// Nothing is written yet.
  ///
  /// @param channel the channel to write to
  /// @param system the socket's own channel, for bytes that are in no buffer
  /// @param registration of the socket
  public StreamWriter(
      WritableByteChannel channel, WritableByteChannel system, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_WRITE);
    this.channel = channel;
    this.system = system;
  }

  /// Writes to another channel from now on: the socket's own, which knows that it was shut down.
  ///
  /// @param own the socket's
  public void useOnly(WritableByteChannel own) {
    channel = own;
    shutDown = true;
  }

  /// {@return how many bytes the system has taken}
  public long sent() {
    return total;
  }

  /// Writes for an `OutputStream`.
  void write(byte[] bytes, int offset, int length) throws IOException {
    requireIdle();
    if (lastView.array() != bytes) {
      lastView = ByteBuffer.wrap(bytes);
    }
    write(lastView.limit(offset + length).position(offset));
  }

  /// Writes all of a buffer.
  ///
  /// @param src its position moves to the first byte that was not sent
  /// @return how many bytes: all that `src` had
  /// @throws IOException if this side has closed it, or the connection broke
  public int write(ByteBuffer src) throws IOException {
    Objects.requireNonNull(src, "src is null");
    requireIdle();
    int first = src.position();
    try {
      begin();
      source = src;
      try {
        do {
          await(this);
        } while (src.hasRemaining());
      } finally {
        end();
        source = NOTHING;
      }
      return src.position() - first;
    } catch (Throwable e) {
      failures().addProgress(e, this, src.position() - first, src.remaining());
      throw e;
    }
  }

  /// Sends bytes that are in no buffer of this process.
  @FunctionalInterface
  public interface DirectTransfer {

    /// Sends as much as the system takes at once. May suspend the task.
    ///
    /// @param system the socket's own channel, non-blocking
    /// @param sent how many bytes were sent already
    /// @return how many more were sent now; 0 if the system's buffer is full; negative at the end
    /// @throws IOException ends the transfer
    long next(WritableByteChannel system, long sent) throws IOException;
  }

  /// Sends bytes that are in no buffer of this process.
  ///
  /// @param transfer sends them
  /// @param count how many, at least zero
  /// @return how many were sent
  /// @throws IOException as [#write(ByteBuffer)], or what the transfer throws
  public long send(DirectTransfer transfer, long count) throws IOException {
    requireIdle();
    long sent = 0;
    try {
      begin();
      try {
        while (sent < count) {
          long n = next(transfer, sent);
          if (n < 0) {
            break;
          }
          sent += n;
          count(n);
          if (n == 0) {
            awaitReady();
          } else {
            scheduler.checkpoint();
          }
        }
      } finally {
        end();
      }
      return sent;
    } catch (Throwable e) {
      failures().addProgress(e, this, sent, count - sent);
      throw e;
    }
  }

  private long next(DirectTransfer transfer, long sent) throws IOException {
    IOException why = registration.unusable();
    if (why != null) {
      throw why; // closed while the last piece was under way
    }
    if (shutDown) {
      throw closed();
    }
    try {
      return transfer.next(system, sent);
    } catch (IOException e) {
      if (shutDown || !channel.isOpen()) {
        IOException closed = closed();
        closed.addSuppressed(e);
        throw closed;
      }
      if (!IoErrors.isReset(e)) {
        throw e; // perhaps a failure of the transfer
      }
      registration.noteBroken(e);
      throw translated(e);
    }
  }

  @Override
  boolean attempt() throws IOException {
    ByteBuffer src = source;
    for (int i = 0; i < MAX_PIECES; i++) {
      int piece = src.isDirect() ? src.remaining() : Math.min(src.remaining(), MAX_HEAP_BYTES);
      if (write(src, piece) < piece) {
        return false;
      }
      if (!src.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private void count(long bytes) {
    total += bytes;
    registration.reactor.byteCounts.sent += bytes;
  }

  private int write(ByteBuffer src, int bytes) throws IOException {
    int end = src.limit();
    src.limit(src.position() + bytes);
    try {
      int n = channel.write(src);
      count(n);
      return n;
    } catch (IOException e) {
      registration.noteBroken(e);
      throw e;
    } finally {
      src.limit(end);
    }
  }

  /// {@return a wait until the system accepts something to write}
  ///
  /// @param <S> the kind of socket
  /// @param socket the result of the wait
  public <S> Waitable<S> ready(S socket) {
    return ready(socket, () -> false);
  }

  @Override
  public String toString() {
    return "write to " + registration;
  }
}
