package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.StreamSocket;
import dev.rondo.io.Transfer;
import dev.rondo.io.Transport;
import dev.rondo.io.WaitForIO;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A file that was opened by [WaitForFile#open]. Every method but [#input()], [#close()] and
/// [#isOpen()] is *always* a suspension point. Buffers belong to the operation until it returns.
///
/// Several tasks may use one file at a time. The operations without a position share the file's
/// position.
///
/// Confined to the scheduler's thread.
public final class OpenFile implements SeekableByteChannel {

  private static final int CHUNK_BYTES = 64 * 1024;

  private final WaitForFile files;
  private final Path path;
  private final FileChannel channel;

  OpenFile(WaitForFile files, Path path, FileChannel channel) {
    this.files = files;
    this.path = path;
    this.channel = channel;
  }

  /// Reads at the file's position, which moves.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end of the file
  /// @throws NonReadableChannelException if the file was not opened for reading
  /// @throws ChannelClosedException if the file is closed
  /// @throws IOException if it fails
  @Override
  public int read(ByteBuffer dst) throws IOException {
    Objects.requireNonNull(dst, "dst is null");
    return call("read from", () -> channel.read(dst));
  }

  /// Reads at a given position. It may read fewer bytes than there is room for, even before the
  /// end.
  ///
  /// @param dst where to
  /// @param position in bytes, at least zero
  /// @return how many bytes; -1 at or after the end of the file
  /// @throws IllegalArgumentException if the position is negative
  /// @throws ChannelClosedException if the file is closed
  /// @throws IOException if it fails
  public int read(ByteBuffer dst, long position) throws IOException {
    Objects.requireNonNull(dst, "dst is null");
    requireNotNegative(position, "position");
    return call("read from", () -> channel.read(dst, position));
  }

  /// {@return the file from its beginning to its end, for libraries that read an `InputStream`, and
  /// for lines} Each has a position of its own. Never a suspension point.
  public FileInput input() {
    return new FileInput(files.scheduler(), this);
  }

  /// Writes all of a buffer at the file's position, which moves; or at its end, if it was opened to
  /// append.
  ///
  /// @param src its position moves by the bytes written, even if an exception is thrown
  /// @return how many bytes: all that `src` had
  /// @throws NonWritableChannelException if the file was not opened for writing
  /// @throws ChannelClosedException if the file is closed
  /// @throws IOException if it fails
  @Override
  public int write(ByteBuffer src) throws IOException {
    Objects.requireNonNull(src, "src is null");
    return call(
        "write to",
        () -> {
          int all = src.remaining();
          while (src.hasRemaining()) {
            channel.write(src);
          }
          return all;
        });
  }

  /// Writes all of a buffer at a given position. A gap before it is filled with zeros.
  ///
  /// @param src its position moves by the bytes written, even if an exception is thrown
  /// @param position in bytes, at least zero
  /// @return how many bytes: all that `src` had
  /// @throws IllegalArgumentException if the position is negative
  /// @throws ChannelClosedException if the file is closed
  /// @throws IOException if it fails
  public int write(ByteBuffer src, long position) throws IOException {
    Objects.requireNonNull(src, "src is null");
    requireNotNegative(position, "position");
    return call(
        "write to",
        () -> {
          int all = src.remaining();
          for (long at = position; src.hasRemaining(); ) {
            at += channel.write(src, at);
          }
          return all;
        });
  }

  /// {@return the file's position in bytes}
  @Override
  public long position() throws IOException {
    return call("get the position of", channel::position);
  }

  /// Moves the file's position, which may be beyond the end.
  ///
  /// @param position in bytes, at least zero
  /// @return this file
  /// @throws IllegalArgumentException if it is negative
  /// @throws IOException if it fails
  @Override
  public OpenFile position(long position) throws IOException {
    requireNotNegative(position, "position");
    call("move the position of", () -> channel.position(position));
    return this;
  }

  /// {@return the file's size in bytes}
  @Override
  public long size() throws IOException {
    return call("get the size of", channel::size);
  }

  /// Truncates the file. A shorter file stays as it is.
  ///
  /// @param size in bytes, at least zero
  /// @return this file
  /// @throws IllegalArgumentException if it is negative
  /// @throws IOException if it fails
  @Override
  public OpenFile truncate(long size) throws IOException {
    requireNotNegative(size, "size");
    call("truncate", () -> channel.truncate(size));
    return this;
  }

  /// Forces all written bytes to the device, with the file's metadata: `fsync`.
  ///
  /// @throws IOException if it fails; bytes written since the last call may be lost
  public void sync() throws IOException {
    force(true);
  }

  /// Forces all written bytes to the device, without the file's metadata: `fdatasync`.
  ///
  /// @throws IOException if it fails; bytes written since the last call may be lost
  public void syncData() throws IOException {
    force(false);
  }

  private void force(boolean metadata) throws IOException {
    this.<@Nullable Void>call(
        "sync",
        () -> {
          channel.force(metadata);
          return null;
        });
  }

  /// Sends a part of the file to a socket without copying it: `sendfile`. The system reads the file
  /// on a thread of the add-on; the task waits for the socket as in a write.
  ///
  /// @param position where to begin, in bytes, at least zero
  /// @param count how many bytes, at least zero
  /// @param target no other task may write to it meanwhile
  /// @return how many bytes: fewer than `count` if the file ends before
  /// @throws IllegalArgumentException if position or count is negative
  /// @throws ChannelClosedException if the file or the socket is closed, before or during the
  ///   operation
  /// @throws IOException if it fails; as with [StreamSocket#send], a suppressed exception says how
  ///   many bytes were sent
  public long transferTo(long position, long count, StreamSocket<?> target) throws IOException {
    Objects.requireNonNull(target, "target is null");
    requireNotNegative(position, "position");
    requireNotNegative(count, "count");
    long whole = Math.max(0, Math.min(count, size() - position));
    return target.send(
        (system, sent) -> {
          long at = position + sent;
          long n = transfer(at, whole - sent, system, target);
          return n == 0 && size() <= at ? Transfer.END : n; // it may have been truncated meanwhile
        },
        whole);
  }

  /// Sends as many bytes as a channel takes at once. A provider's channel may be confined to the
  /// scheduler's thread, so it takes the bytes from a buffer.
  private long transfer(long position, long count, WritableByteChannel to, Object target)
      throws IOException {
    WaitForIO io = files.scheduler().host().addOn(WaitForIO.class);
    if (io == null || io.transport() != Transport.PROVIDED) {
      return call("send to " + target, () -> channel.transferTo(position, count, to));
    }
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, count));
    return read(piece, position) < 0 ? 0 : to.write(piece.flip());
  }

  private void requireNotNegative(long value, String name) {
    if (value < 0) {
      throw new IllegalArgumentException(
          name + " must not be negative: " + name + "=" + value + ", file=" + path);
    }
  }

  private <T extends @Nullable Object> T call(String what, Callable<? extends T> code)
      throws IOException {
    try {
      return files.call(
          what,
          path,
          () -> {
            try {
              return code.call();
            } catch (ClosedChannelException e) {
              throw new IOException(e);
            }
          });
    } catch (NonReadableChannelException e) {
      throw FileFailures.of(what, path, e);
    } catch (NonWritableChannelException e) {
      throw FileFailures.of(what, path, e);
    } catch (IOException e) {
      if (channel.isOpen()) {
        throw e;
      }
      var closed = new ChannelClosedException(what + " " + path + ": this side has closed it");
      closed.initCause(e);
      throw closed;
    }
  }

  /// Closes the file. An operation under way fails with a [ChannelClosedException]. Later calls do
  /// nothing. In a task *always* a suspension point the first time, even in a cancelled one.
  ///
  /// @throws IOException if written bytes could not be stored; the file counts as closed all the
  ///   same
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      files.forget(this);
      files.close("close", path, channel);
    }
  }

  /// {@return whether this side has not closed the file} Never a suspension point.
  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public String toString() {
    return "file " + path;
  }
}
