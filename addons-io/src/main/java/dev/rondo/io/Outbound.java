package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.WritableByteChannel;

/// The writing half of a byte stream: a write is made of as many attempts as it takes.
final class Outbound extends Direction {

  /// The JDK copies *all* that is left of a heap buffer into a direct one for each attempt; so it
  /// gets a piece at a time.
  static final int MOST_HEAP_BYTES = 128 * 1024;

  static final ByteBuffer NOTHING = ByteBuffer.wrap(new byte[0]);

  /// Pieces in one attempt: a peer that keeps up with us must not keep the loop.
  private static final int MOST_PIECES = 16;

  private WritableByteChannel channel;

  /// The system's own, for what is in no buffer.
  private final WritableByteChannel system;

  private ByteBuffer source = NOTHING;

  /// Around the array that a stream's user wrote from last; nearly always the same one again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  Outbound(Scheduler scheduler, WritableByteChannel channel, ChannelRegistration registration) {
    this(scheduler, channel, channel, registration);
  }

  Outbound(
      Scheduler scheduler,
      WritableByteChannel channel,
      WritableByteChannel system,
      ChannelRegistration registration) {
    super(scheduler, registration, SelectionKey.OP_WRITE);
    this.channel = channel;
    this.system = system;
  }

  /// Writes to another channel from now on: the socket's own, which knows what was shut down.
  void useOnly(WritableByteChannel own) {
    channel = own;
  }

  /// For a stream.
  void write(byte[] bytes, int offset, int length) throws IOException {
    requireIdle();
    if (lastView.array() != bytes) {
      lastView = ByteBuffer.wrap(bytes);
    }
    write(lastView.limit(offset + length).position(offset));
  }

  int write(ByteBuffer src) throws IOException {
    requireIdle();
    int first = src.position();
    try {
      begin();
      source = src;
      try {
        do {
          await();
        } while (src.hasRemaining()); // scheduled directly: not a reason to stop half-way
      } finally {
        end();
        source = NOTHING;
      }
      return src.position() - first;
    } catch (Throwable e) {
      tell(e, src.position() - first, src.remaining());
      throw e;
    }
  }

  /// Has the system take bytes that are in no buffer.
  ///
  /// @return how many
  long send(Transfer transfer, long count) throws IOException {
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
      tell(e, sent, count - sent);
      throw e;
    }
  }

  private void tell(Throwable e, long written, long left) {
    var howFar = new PartialWriteException(toString(), written, left);
    if (e instanceof TaskCancelled cancelled) {
      cancelled.addDetail(howFar);
    } else {
      e.addSuppressed(howFar);
    }
  }

  private long next(Transfer transfer, long sent) throws IOException {
    IOException why = registration.whyNot();
    if (why != null) {
      throw why; // closed while the last piece was under way
    }
    try {
      return transfer.next(system, sent);
    } catch (IOException e) {
      if (!channel.isOpen()) {
        throw closed();
      }
      throw Failures.isReset(e) ? translated(e) : e;
    }
  }

  @Override
  boolean attempt() throws IOException {
    ByteBuffer src = source;
    for (int i = 0; i < MOST_PIECES; i++) {
      int piece = src.isDirect() ? src.remaining() : Math.min(src.remaining(), MOST_HEAP_BYTES);
      if (write(src, piece) < piece) {
        return false;
      }
      if (!src.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private int write(ByteBuffer src, int bytes) throws IOException {
    int end = src.limit();
    src.limit(src.position() + bytes);
    try {
      return channel.write(src);
    } finally {
      src.limit(end);
    }
  }

  /// {@return the system taking something to write, told by the socket itself}
  <S> Waitable<S> ready(S socket) {
    return ready(socket, () -> false);
  }

  @Override
  public String toString() {
    return "write to " + registration;
  }
}
