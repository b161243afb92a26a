package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where bytes come from, for straight-line code: reads suspend the task that makes them, and only
/// it. One task reads at a time. Bytes come once and in order, whatever is cancelled or timed out
/// meanwhile.
///
/// Confined to the scheduler's thread.
public interface ByteSource extends ReadableByteChannel {

  /// Reads what is there, at least one byte; waits for it if there is none. A *possible* suspension
  /// point: an eager operation.
  ///
  /// @param dst where to; its position moves by what was read and nothing beyond is touched
  /// @return how many bytes; -1 at the end of the stream, now and for ever after; 0 if there is no
  ///   room in `dst`, or the waiting task was scheduled directly
  /// @throws ChannelClosedException if this side has closed it, before or meanwhile
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the [#readTimeout(Duration)]; nothing is
  ///   lost
  /// @throws IllegalStateException if another task is reading; it goes on undisturbed
  /// @throws IllegalArgumentException if `dst` is read-only; nothing was read
  @Override
  int read(ByteBuffer dst) throws IOException;

  /// Reads until a buffer is full. A *possible* suspension point, as [#read] is.
  ///
  /// @param dst filled; after any exception its position tells how far that came
  /// @throws EndOfStreamException if the stream ended before; it says how many bytes there were,
  ///   which are in `dst`
  /// @throws IOException as [#read]
  void readFully(ByteBuffer dst) throws IOException;

  /// Reads up to a delimiter. After any exception nothing was taken: what had come is read next. A
  /// *possible* suspension point, as [#read] is.
  ///
  /// @param delimiter the byte that ends a message
  /// @param limitBytes how long a message may be without its delimiter, at least zero
  /// @return the message without its delimiter; null if the stream ended before it began
  /// @throws EndOfStreamException if the stream ended within a message
  /// @throws DelimiterNotFoundException if there were more bytes than the limit without a delimiter
  /// @throws IllegalArgumentException if the limit is negative
  /// @throws IOException as [#read]
  byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException;

  /// Reads a line of UTF-8 that ends in LF or CR LF, or with the stream. As [#readUntil] otherwise,
  /// a *possible* suspension point too.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @return the line without its ending; null at the end of the stream
  /// @throws DelimiterNotFoundException if the line is longer
  /// @throws IOException as [#read]
  default @Nullable String readLine(int limitBytes) throws IOException {
    return readLine(limitBytes, StandardCharsets.UTF_8);
  }

  /// [#readLine(int)] in another encoding. A *possible* suspension point.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte, as in ASCII
  /// @return the line without its ending; null at the end of the stream
  /// @throws DelimiterNotFoundException if the line is longer
  /// @throws IOException as [#readLine(int)] does
  @Nullable String readLine(int limitBytes, Charset charset) throws IOException;

  /// {@return reading what is there, to be awaited together with other things} Losing takes
  /// nothing. What comes out of the wait is as in [#read]; the [#readTimeout(Duration)] does not
  /// hold here.
  ///
  /// @param dst where to, with room
  Waitable<Integer> reading(ByteBuffer dst);

  /// {@return there being something to read, or the end of the stream} To be awaited; takes
  /// nothing.
  Waitable<? extends ByteSource> readable();

  /// {@return its bytes as a stream, always the same one} Its reads are *possible* suspension
  /// points and throw what [#read] throws; small ones are buffered here. `available` tells how many
  /// bytes are buffered. Closing it closes this.
  InputStream input();

  /// Limits how long each read, and each part of a [#readFully] or [#readUntil], may wait. Needs a
  /// timer, see `WaitForTime`. Never a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, as at first
  /// @return this
  /// @throws IllegalArgumentException if it is not; the earlier one stands
  ByteSource readTimeout(@Nullable Duration timeout);
}
