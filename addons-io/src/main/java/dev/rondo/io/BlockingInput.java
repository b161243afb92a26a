package dev.rondo.io;

import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.channel.PullReader;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Lets tasks read a stream that blocks: the output of a process, the standard input. A thread of
/// its own reads ahead while a task waits. Reads are *possible* suspension points. A read that is
/// cancelled loses nothing: the next one returns the bytes.
///
/// A select calls [InputStream#available()] of the stream. If that returns 0, the thread reads
/// ahead, so that a later select finds the bytes that have come.
///
/// One task at a time reads; a second one fails. Holds no lock. Confined to the scheduler's thread.
public final class BlockingInput extends InputStream implements ByteSource {

  private static final int CHUNK_BYTES = 8 * 1024;

  private final InputStream source;
  private final String name;
  private final DetachableCall<Integer> reads;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final byte[] one = new byte[1];
  private final PullReader reader;
  private boolean closed;

  /// Makes a stream that nothing is read from yet. Never a suspension point.
  ///
  /// @param scheduler whose tasks read
  /// @param name for messages and the thread
  /// @param source must not be read elsewhere; closed with this
  public BlockingInput(Scheduler scheduler, String name, InputStream source) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(source, "source is null");
    this.source = source;
    this.name = name;
    this.reads = new DetachableCall<>(scheduler, name);
    this.reader = new PullReader(scheduler, name, IoFailures.INSTANCE, new Chunks());
  }

  // As an InputStream.

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  /// Reads the bytes that are there; waits for at least one if there are none.
  ///
  /// @throws ChannelClosedException if this side has closed it
  /// @throws IllegalStateException if another task is reading, which is not affected
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return reader.read(bytes, offset, length);
  }

  /// {@return how many bytes can be read without waiting} Never a suspension point.
  @Override
  public int available() {
    return reader.heldBytes();
  }

  /// {@return this}
  @Override
  public InputStream input() {
    return this;
  }

  // As a ByteSource.

  @Override
  public int read(ByteBuffer dst) throws IOException {
    return reader.read(dst);
  }

  @Override
  public int tryRead(ByteBuffer dst) throws IOException {
    return reader.tryRead(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    reader.readFully(dst);
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return reader.readUntil(delimiter, limitBytes);
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return reader.readLine(limitBytes, charset);
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    return reader.reading(dst);
  }

  @Override
  public Waitable<Optional<String>> readingLine(int limitBytes) {
    return reader.readingLine(limitBytes, StandardCharsets.UTF_8);
  }

  @Override
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    return reader.readingFully(dst);
  }

  @Override
  public Waitable<BlockingInput> readable() {
    return reader.ready(this);
  }

  /// Limits how long each operation that reads may take. Requires a timer, see `WaitForTime`. Never
  /// a suspension point.
  @Override
  public BlockingInput readTimeout(@Nullable Duration timeout) {
    reader.timeout(timeout);
    return this;
  }

  // Beneath.

  private final class Chunks implements PullReader.Source {

    @Override
    public void requireOpen() throws ChannelClosedException {
      if (closed) {
        throw closed();
      }
    }

    @Override
    public int pull(ByteBuffer dst) throws IOException {
      return received(dst, () -> reads.call(() -> source.read(chunk)));
    }

    @Override
    public int tryPull(ByteBuffer dst) throws IOException {
      return received(dst, this::readNow);
    }

    /// The thread and the loop never read at the same time.
    private int readNow() throws Exception {
      if (reads.isPending()) {
        Integer read = reads.takeNow();
        return read == null ? 0 : read;
      }
      int there = source.available();
      if (there > 0) {
        return source.read(chunk, 0, Math.min(there, CHUNK_BYTES));
      }
      reads.begin(() -> source.read(chunk)); // it may be at its end
      return 0;
    }

    private int received(ByteBuffer dst, Callable<Integer> read) throws IOException {
      int n;
      try {
        n = read.call();
      } catch (IOException e) {
        requireOpen();
        throw new IOException("read " + name + ": " + e.getMessage(), e);
      } catch (Exception e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      requireOpen();
      if (n < 0) {
        reads.shutdown(BlockingInput.this::closed);
      } else {
        dst.put(chunk, 0, n);
      }
      return n;
    }

    @Override
    public int pieceBytes() {
      return CHUNK_BYTES;
    }
  }

  private ChannelClosedException closed() {
    return new ChannelClosedException("read " + name + ": this side has closed it");
  }

  /// {@return whether this side has not closed the stream} Never a suspension point.
  @Override
  public boolean isOpen() {
    return !closed;
  }

  /// Closes the stream. A waiting read fails at once with a [ChannelClosedException]. The reading
  /// thread stays until its read returns. On some of the system's streams a read returns only when
  /// more bytes arrive or the other end is closed. Never a suspension point.
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      reader.drop();
      reads.shutdown(this::closed);
      reads.failWaiter();
      source.close();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
