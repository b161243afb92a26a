package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A destination of bytes, for straight-line code: writes suspend only the task that calls them,
/// while the system's buffer is full. One task writes at a time.
///
/// **Bytes not sent yet.** A write returns when the system has taken all its bytes, so the only
/// unsent bytes in this process are those of the waiting writer. The high-water mark of a
/// connection is the system's buffer (`SO_SNDBUF`), plus the buffer of [#bufferedOutput(int)] if
/// that is used.
///
/// Confined to the scheduler's thread.
public interface ByteSink extends WritableByteChannel {

  /// Writes all of a buffer. A *possible* suspension point: an eager operation, which waits
  /// whenever the system's buffer is full.
  ///
  /// An exception that ends the write early has a suppressed [PartialWriteException], which says
  /// how many bytes were sent. If the limit of a `within` ends the write, that exception is the
  /// cancellation, which is the cause of the [dev.rondo.scheduler.TimedOutException].
  ///
  /// @param src its position moves to the first byte that was not sent, even if an exception is
  ///   thrown
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed this, or shut down its output, before
  ///   or during the operation
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the [#writeTimeout(Duration)]
  /// @throws IllegalStateException if another task is writing, which is not affected
  @Override
  int write(ByteBuffer src) throws IOException;

  /// Writes text as UTF-8. A *possible* suspension point, as [#write(ByteBuffer)].
  ///
  /// @param text all of it is sent
  /// @throws IOException as [#write(ByteBuffer)] does
  default void write(String text) throws IOException {
    Objects.requireNonNull(text, "text is null");
    write(StandardCharsets.UTF_8.encode(text));
  }

  /// {@return a wait until the system accepts something to write}
  Waitable<? extends ByteSink> writable();

  /// {@return this as a stream, always the same one} Its writes are *possible* suspension points
  /// and throw what [#write(ByteBuffer)] throws. Each is sent at once. Closing the stream closes
  /// this.
  OutputStream output();

  /// {@return a new stream that collects small writes and sends them together: when it is full, at
  /// `flush` and at `close`} It holds no lock, and no buffer while it is empty. Sending is a
  /// *possible* suspension point and throws what [#write(ByteBuffer)] throws; collected bytes that
  /// were not sent stay in the stream. An array of a write that fails is not collected any further.
  /// Closing the stream closes this.
  ///
  /// @param highWaterBytes how many bytes are collected before a write sends them, at least one; of
  ///   a socket or pipe, up to 19 KiB come from a pool
  /// @throws IllegalArgumentException if `highWaterBytes` is less than one
  OutputStream bufferedOutput(int highWaterBytes);

  /// Limits how long each write may wait until all is sent. Requires a timer, see `WaitForTime`.
  /// Never a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, the default
  /// @return this
  /// @throws IllegalArgumentException if `timeout` is zero or negative; the earlier limit stays
  ByteSink writeTimeout(@Nullable Duration timeout);
}
