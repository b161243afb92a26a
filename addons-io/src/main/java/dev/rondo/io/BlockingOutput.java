package dev.rondo.io;

import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lets tasks write to a stream that blocks: the input of a process, the standard output. Writes
/// are *always* suspension points; they return when the stream has taken all bytes and flushed
/// them. A write that is cancelled goes on by itself, with up to 64 KiB; the next write comes after
/// it.
///
/// Several tasks may write: up to 64 KiB of one write stay together. Holds no lock. Confined to the
/// scheduler's thread.
public final class BlockingOutput extends OutputStream {

  private static final int CHUNK_BYTES = 64 * 1024;

  private final Scheduler scheduler;
  private final OutputStream sink;
  private final String name;
  private final DetachableCall<@Nullable Void> writes;
  private boolean closed;

  private BlockingOutput(Scheduler scheduler, String name, OutputStream sink) {
    this.scheduler = scheduler;
    this.sink = sink;
    this.name = name;
    this.writes = new DetachableCall<>(scheduler, "rondo-" + name);
  }

  /// {@return a stream that nothing is written to yet} Never a suspension point.
  ///
  /// @param scheduler whose tasks write
  /// @param name for messages and the thread
  /// @param sink must not be written elsewhere; closed with this
  public static BlockingOutput create(Scheduler scheduler, String name, OutputStream sink) {
    return new BlockingOutput(scheduler, name, Objects.requireNonNull(sink, "sink"));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /// Writes all bytes.
  ///
  /// @throws ChannelClosedException if this side has closed it
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      throw closed();
    }
    for (int at = offset, stop = offset + length; at < stop; at += CHUNK_BYTES) {
      byte[] chunk = Arrays.copyOfRange(bytes, at, Math.min(stop, at + CHUNK_BYTES));
      call(() -> {
        sink.write(chunk);
        sink.flush();
      });
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

  private void call(Action action) throws IOException {
    try {
      writes.awaitNoWaiter();
      while (writes.isPending()) {
        writes.call(() -> null); // a cancelled one that goes on
        writes.awaitNoWaiter();
      }
      writes.call(() -> {
        action.run();
        return null;
      });
    } catch (ChannelClosedException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("write " + name + ": " + e.getMessage(), e);
    } catch (Exception e) {
      throw Throwables.<RuntimeException>rethrow(e);
    }
  }

  /// Closes the stream when it has taken what was written. *Always* a suspension point, the first
  /// time. In a cancelled task this does not wait: writes that have not begun fail with a
  /// [ChannelClosedException], and if closing fails later, the scheduler's failure handler receives
  /// the exception.
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        call(sink::close);
      } catch (Throwable e) {
        writes.shutdown(this::closed, this::closeBeneath);
        throw e;
      }
      writes.shutdown(this::closed);
    }
  }

  /// Closes the stream without waiting: a write that is under way finishes on its thread, which
  /// then closes the stream. A waiting writer fails at once with a [ChannelClosedException]. Never
  /// a suspension point. Later calls do nothing.
  ///
  /// @throws IOException if closing fails; if it does so on the other thread, the scheduler's
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

  /// On the thread that writes, after the task that closed this has gone on.
  private void closeBeneath() {
    try {
      sink.close();
    } catch (IOException | RuntimeException e) {
      scheduler.host().report("close " + name, e);
    }
  }
}
