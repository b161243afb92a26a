package dev.rondo.io;

import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// A stream that blocks, for tasks: a process's output, the standard input. It is read ahead on a
/// thread of its own while somebody waits. Reads are *possible* suspension points. A task that is
/// cancelled meanwhile loses nothing; what comes then is read next.
///
/// One task at a time reads; a second is refused. Holds no lock. Confined to the scheduler's
/// thread.
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

  /// Reads what is there, at least one byte; waits for it if there is none.
  ///
  /// @throws ChannelClosedException if this side has closed it
  /// @throws IllegalStateException if another task is reading; it goes on undisturbed
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

  /// Closes the stream beneath. A task that waits is told with a [ChannelClosedException] at once.
  /// The thread that reads stays until the stream notices, which some streams of the system do only
  /// when more comes or their other end is closed. Never a suspension point.
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
