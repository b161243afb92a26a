package dev.rondo.io;

import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// Lets tasks read a stream that blocks: the output of a process, the standard input. A thread of
/// its own reads ahead while a task waits. Reads are *possible* suspension points. A read that is
/// cancelled loses nothing: the next one returns the bytes.
///
/// One task at a time reads; a second one fails. Holds no lock. Confined to the scheduler's thread.
public final class BlockingInput extends InputStream {

  private static final int CHUNK_BYTES = 8 * 1024;

  private final InputStream source;
  private final String name;
  private final DetachableCall<Integer> reads;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int start;
  private int end;
  private boolean ended;
  private boolean closed;

  private BlockingInput(Scheduler scheduler, String name, InputStream source) {
    this.source = source;
    this.name = name;
    this.reads = new DetachableCall<>(scheduler, "rondo-" + name);
  }

  /// {@return a stream that nothing is read from yet} Never a suspension point.
  ///
  /// @param scheduler whose tasks read
  /// @param name for messages and the thread
  /// @param source must not be read elsewhere; closed with this
  public static BlockingInput create(Scheduler scheduler, String name, InputStream source) {
    return new BlockingInput(scheduler, name, Objects.requireNonNull(source, "source"));
  }

  @Override
  public int read() throws IOException {
    return fill() ? Byte.toUnsignedInt(chunk[start++]) : -1;
  }

  /// Reads the bytes that are there; waits for at least one if there are none.
  ///
  /// @throws ChannelClosedException if this side has closed it
  /// @throws IllegalStateException if another task is reading, which is not affected
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(length, end - start);
    System.arraycopy(chunk, start, bytes, offset, n);
    start += n;
    return n;
  }

  /// {@return how many bytes can be read without waiting} Never a suspension point.
  @Override
  public int available() {
    return end - start;
  }

  private boolean fill() throws IOException {
    requireOpen();
    if (start == end && !ended) {
      int n;
      try {
        n = reads.call(() -> source.read(chunk));
      } catch (IOException e) {
        requireOpen();
        throw new IOException("read " + name + ": " + e.getMessage(), e);
      } catch (Exception e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      requireOpen();
      start = 0;
      end = Math.max(0, n);
      ended = n < 0;
      if (ended) {
        reads.shutdown(this::closed);
      }
    }
    return start < end;
  }

  private void requireOpen() throws ChannelClosedException {
    if (closed) {
      throw closed();
    }
  }

  private ChannelClosedException closed() {
    return new ChannelClosedException("read " + name + ": this side has closed it");
  }

  /// Closes the stream. A waiting read fails at once with a [ChannelClosedException]. The thread
  /// that reads stays until the stream returns, which some streams of the system do only when more
  /// bytes arrive or their other end is closed. Never a suspension point.
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      reads.shutdown(this::closed);
      reads.failWaiter();
      source.close();
    }
  }
}
