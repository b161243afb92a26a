package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where bytes go, for straight-line code: writes suspend the task that makes them, and only it,
/// for as long as the system's buffer is full. One task writes at a time.
///
/// **How much waits to be sent.** A write returns when the system has taken all of it, so what
/// waits in this process is what the waiting writer has in its hands. The high-water mark of a
/// connection is the system's buffer (`SO_SNDBUF`), or that and the buffer of
/// [#bufferedOutput(int)].
///
/// Confined to the scheduler's thread.
public interface ByteSink extends WritableByteChannel {

  /// Writes all of a buffer. A *possible* suspension point: an eager operation; and again whenever
  /// the system's buffer is full.
  ///
  /// Whatever ends it early carries a suppressed [PartialWriteException] that says how far it came.
  ///
  /// @param src its position moves to the first byte that was not sent, also in case of an
  ///   exception
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed it, or its output, before or meanwhile
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the [#writeTimeout(Duration)]
  /// @throws IllegalStateException if another task is writing; it goes on undisturbed
  @Override
  int write(ByteBuffer src) throws IOException;

  /// Writes text as UTF-8. As [#write(ByteBuffer)], a *possible* suspension point too.
  ///
  /// @param text all of it is sent
  /// @throws IOException as [#write(ByteBuffer)] does
  default void write(String text) throws IOException {
    write(StandardCharsets.UTF_8.encode(text));
  }

  /// {@return the system taking something to write} To be awaited.
  Waitable<? extends ByteSink> writable();

  /// {@return a stream that writes here, always the same one} Its writes are *possible* suspension
  /// points and throw what [#write(ByteBuffer)] throws; each is sent at once. Closing it closes
  /// this.
  OutputStream output();

  /// {@return a new stream that gathers small writes and sends them together: when so many bytes
  /// are there, at `flush` and at `close`} Holds no lock and, while nothing is gathered, no buffer.
  /// Sending is a *possible* suspension point and throws what [#write(ByteBuffer)] throws; what was
  /// not sent then is still gathered. Closing it closes this.
  ///
  /// @param highWaterBytes how many bytes may be gathered before a write sends them and waits, at
  ///   least one; 16 KiB come from a pool
  /// @throws IllegalArgumentException if it is less than one
  OutputStream bufferedOutput(int highWaterBytes);

  /// Limits how long each write may wait until all is sent. Needs a timer, see `WaitForTime`. Never
  /// a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, as at first
  /// @return this
  /// @throws IllegalArgumentException if it is not; the earlier one stands
  ByteSink writeTimeout(@Nullable Duration timeout);
}
