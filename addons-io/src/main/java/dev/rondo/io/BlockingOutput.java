package dev.rondo.io;

import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.channel.BufferPool;
import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.io.internal.channel.IoErrors;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Lets tasks write to a stream that blocks: the input of a process, the standard output. Writes
/// are *always* suspension points; they return when the stream has taken all bytes and flushed
/// them. A cancelled write continues on its thread with up to 64 KiB, which count as sent; the next
/// write follows it.
///
/// Several tasks may write: up to 64 KiB of one write stay together. Holds no lock. Confined to the
/// scheduler's thread.
public final class BlockingOutput extends OutputStream implements ByteSink {

  private static final int CHUNK_BYTES = 64 * 1024;

  private final Scheduler scheduler;
  private final OutputStream sink;
  private final String name;
  private final BooleanSupplier readerIsGone;
  private final DetachableCall<@Nullable Void> writes;
  private @Nullable Duration timeout;
  private boolean closed;

  /// Makes [#BlockingOutput(Scheduler, String, OutputStream)] for a stream whose reader may end
  /// before it has read all. Never a suspension point.
  ///
  /// @param scheduler whose tasks write
  /// @param name for messages and the thread
  /// @param sink must not be written elsewhere; closed with this
  /// @param readerIsGone whether the reader has ended; closing does not fail then
  public BlockingOutput(
      Scheduler scheduler, String name, OutputStream sink, BooleanSupplier readerIsGone) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(sink, "sink is null");
    Objects.requireNonNull(readerIsGone, "readerIsGone is null");
    this.scheduler = scheduler;
    this.sink = sink;
    this.name = name;
    this.readerIsGone = readerIsGone;
    this.writes = new DetachableCall<>(scheduler, name);
  }

  /// Makes a stream that nothing is written to yet. Never a suspension point.
  ///
  /// @param scheduler whose tasks write
  /// @param name for messages and the thread
  /// @param sink must not be written elsewhere; closed with this
  public BlockingOutput(Scheduler scheduler, String name, OutputStream sink) {
    this(scheduler, name, sink, () -> false);
  }

  // As an OutputStream.

  @Override
  public void write(int b) throws IOException {
    write(ByteBuffer.wrap(new byte[] {(byte) b}));
  }

  /// Writes all bytes.
  ///
  /// @throws ChannelClosedException if this side has closed it
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    write(ByteBuffer.wrap(bytes, offset, length));
  }

  /// {@return this}
  @Override
  public OutputStream output() {
    return this;
  }

  // As a ByteSink.

  /// Writes all of a buffer, in pieces of 64 KiB. *Always* a suspension point, unless the buffer is
  /// empty.
  ///
  /// @param src its position moves to the first byte that the stream has not been given; if the
  ///   stream fails, to the first byte of the failed piece
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed it
  /// @throws IOException if the stream fails
  @Override
  public int write(ByteBuffer src) throws IOException {
    Objects.requireNonNull(src, "src is null");
    int first = src.position();
    try {
      requireOpen();
      return IoErrors.within(scheduler, timeout, () -> "write to " + name, () -> writeAll(src));
    } catch (Throwable e) {
      IoFailures.INSTANCE.addProgress(e, "write " + name, src.position() - first, src.remaining());
      throw e;
    }
  }

  private int writeAll(ByteBuffer src) throws IOException {
    int all = src.remaining();
    while (src.hasRemaining()) {
      inTurn(() -> {
        var chunk = new byte[Math.min(src.remaining(), CHUNK_BYTES)];
        src.get(chunk); // the chunk is written even if this task is cancelled
        try {
          return call(() -> {
            sink.write(chunk);
            sink.flush();
          });
        } catch (IOException e) {
          src.position(src.position() - chunk.length);
          throw e;
        }
      });
    }
    return all;
  }

  /// {@return a wait until no write is under way} It writes nothing.
  @Override
  public Waitable<BlockingOutput> writable() {
    return Waitable.guard(() -> {
      try {
        requireOpen();
      } catch (ChannelClosedException e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      return writes.idle().map(ignored -> this);
    });
  }

  /// {@return a new stream that collects small writes, see [ByteSink#bufferedOutput(int)]}
  @Override
  public OutputStream bufferedOutput(int highWaterBytes) {
    return new BufferedChannelOutput(
        this, ChannelClosedException::new, BufferPool.none(), highWaterBytes);
  }

  @Override
  public BlockingOutput writeTimeout(@Nullable Duration timeout) {
    scheduler.host().checkThread();
    this.timeout = IoErrors.requirePositive(timeout);
    return this;
  }

  // Beneath.

  private void requireOpen() throws ChannelClosedException {
    if (closed) {
      throw closed();
    }
  }

  private ChannelClosedException closed() {
    return new ChannelClosedException("write " + name + ": this side has closed it");
  }

  /// A call that may block.
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private @Nullable Void call(Action action) throws IOException {
    try {
      return writes.call(() -> {
        action.run();
        return null;
      });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Runs code when no other write is under way.
  private void inTurn(TaskCall<@Nullable Void, IOException> code) throws IOException {
    try {
      writes.awaitNoWaiter();
      while (writes.isPending()) {
        call(() -> {}); // takes the result of a cancelled write that has continued
        writes.awaitNoWaiter();
      }
      code.call();
    } catch (ChannelClosedException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("write " + name + ": " + e.getMessage(), e);
    }
  }

  /// {@return whether this side has not closed the stream} Never a suspension point.
  @Override
  public boolean isOpen() {
    return !closed;
  }

  /// Closes the stream after it has taken all written bytes. *Always* a suspension point, the first
  /// time. In a cancelled task this does not wait: writes that have not begun fail with a
  /// [ChannelClosedException], and if closing fails later, the scheduler's failure handler receives
  /// the exception.
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        inTurn(() -> call(sink::close));
      } catch (Throwable e) {
        writes.shutdown(this::closed, this::closeBeneath);
        if (e instanceof IOException && readerIsGone.getAsBoolean()) {
          return; // an earlier write that was cancelled could not end
        }
        throw e;
      }
      writes.shutdown(this::closed);
    }
  }

  /// Closes the stream without waiting: a write that is under way finishes on its thread, which
  /// then closes the stream. A waiting writer fails at once with a [ChannelClosedException]. Never
  /// a suspension point. Later calls do nothing.
  ///
  /// @throws IOException if closing fails; if closing fails on the other thread, the scheduler's
  ///   failure handler receives the exception instead
  public void abandon() throws IOException {
    closed = true;
    if (writes.isPending()) {
      writes.shutdown(this::closed, this::closeBeneath);
      writes.failWaiter();
    } else {
      writes.shutdown(this::closed);
      sink.close();
    }
  }

  /// Runs on the writing thread, after the closing task has continued.
  private void closeBeneath() {
    try {
      sink.close();
    } catch (IOException | RuntimeException e) {
      scheduler.host().report("close " + name, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
