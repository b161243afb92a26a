package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A source of bytes, for straight-line code: reads suspend only the task that calls them. One task
/// reads at a time. Bytes are delivered once and in order, even if reads are cancelled or time out.
///
/// Confined to the scheduler's thread.
public interface ByteSource extends ReadableByteChannel {

  /// Reads the bytes that are there; waits for at least one if there are none. A *possible*
  /// suspension point: an eager operation.
  ///
  /// @param dst where to; its position moves by the bytes read, and nothing beyond it is changed
  /// @return how many bytes; -1 at the end of the stream and from then on; 0 if there is no room in
  ///   `dst`
  /// @throws ChannelClosedException if this side has closed this, before or during the operation
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the [#readTimeout(Duration)]; nothing is
  ///   lost
  /// @throws IllegalStateException if another task is reading, which is not affected
  /// @throws IllegalArgumentException if `dst` is read-only; nothing was read
  @Override
  int read(ByteBuffer dst) throws IOException;

  /// Reads the bytes that are there, and does not wait if there are none. Never a suspension point.
  ///
  /// @param dst where to; its position moves by the bytes read, and nothing beyond it is changed
  /// @return how many bytes, possibly zero; -1 at the end of the stream
  /// @throws IOException as [#read]
  int tryRead(ByteBuffer dst) throws IOException;

  /// Reads until a buffer is full. A *possible* suspension point, as [#read] is.
  ///
  /// @param dst filled; after an exception its position shows how many bytes were read
  /// @throws EndOfStreamException if the stream ended before; the exception has the number of bytes
  ///   read, which are in `dst`
  /// @throws IOException as [#read]
  void readFully(ByteBuffer dst) throws IOException;

  /// Reads up to a delimiter. After an exception nothing was taken: the next read returns the bytes
  /// that had arrived. A *possible* suspension point, as [#read] is.
  ///
  /// @param delimiter the byte that ends a message
  /// @param limitBytes how long a message may be without its delimiter, at least zero
  /// @return the message without its delimiter; null if the stream ended before it began
  /// @throws EndOfStreamException if the stream ended in the middle of a message
  /// @throws DelimiterNotFoundException if the message is longer than the limit
  /// @throws IllegalArgumentException if the limit is negative
  /// @throws IOException as [#read]
  byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException;

  /// Reads a line of UTF-8 that ends in LF or CR LF, or with the stream. A *possible* suspension
  /// point; otherwise as [#readUntil].
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

  /// {@return a wait that reads, to be awaited with a limit or as a branch of a choice} A branch
  /// that is not taken reads nothing. The wait returns or throws what [#read] does; the
  /// [#readTimeout(Duration)] does not apply.
  ///
  /// @param dst where to, with room
  Waitable<Integer> reading(ByteBuffer dst);

  /// {@return a wait that reads a line of UTF-8, as [#readLine(int)] does, to be awaited with a
  /// limit or as a branch of a choice} It returns nothing at the end of the stream. A branch that
  /// is not taken reads nothing; the [#readTimeout(Duration)] does not apply.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @throws IllegalArgumentException if the limit is negative
  Waitable<Optional<String>> readingLine(int limitBytes);

  /// {@return a wait that fills a buffer, as [#readFully] does, to be awaited with a limit or as a
  /// branch of a choice} It returns how many bytes it has read. A branch that is not taken reads
  /// nothing, and the buffer is not touched before all bytes are there; the
  /// [#readTimeout(Duration)] does not apply.
  ///
  /// @param dst filled
  Waitable<Integer> readingFully(ByteBuffer dst);

  /// {@return a wait until there is something to read, or the end of the stream} It reads nothing.
  Waitable<? extends ByteSource> readable();

  /// {@return this as a stream, always the same one} Its reads are *possible* suspension points and
  /// throw what [#read] throws. Small reads are buffered; `available` returns how many bytes the
  /// buffer holds. Closing the stream closes this.
  InputStream input();

  /// Limits how long each read, and each part of a [#readFully] or [#readUntil], may wait. Requires
  /// a timer, see `WaitForTime`. Never a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, the default
  /// @return this
  /// @throws IllegalArgumentException if `timeout` is zero or negative; the earlier limit stays
  ByteSource readTimeout(@Nullable Duration timeout);
}
