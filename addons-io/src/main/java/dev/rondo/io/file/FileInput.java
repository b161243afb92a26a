package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.channel.PullReader;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file from its beginning to its end: as an `InputStream`, for libraries, and as lines. Made by
/// [OpenFile#input()]. It has a position of its own, and reads ahead. Reads are *possible*
/// suspension points. It holds no lock, unlike the streams of `Channels.newInputStream`, so that a
/// library may read it on every backend, and in debug mode.
///
/// One task at a time reads; a second one fails. Confined to the scheduler's thread.
public final class FileInput extends InputStream {

  private static final int PIECE_BYTES = 64 * 1024;

  private final OpenFile file;
  private final PullReader reader;
  private final byte[] one = new byte[1];
  private long position;

  FileInput(Scheduler scheduler, OpenFile file) {
    this.file = file;
    this.reader = new PullReader(scheduler, file.toString(), FileFailures.INSTANCE, new Pieces());
  }

  private final class Pieces implements PullReader.Source {

    @Override
    public void requireOpen() throws ChannelClosedException {
      if (!file.isOpen()) {
        throw new ChannelClosedException("read " + file + ": this side has closed it");
      }
    }

    @Override
    public int pull(ByteBuffer dst) throws IOException {
      int read = file.read(dst, position);
      position += Math.max(0, read);
      return read;
    }

    @Override
    public int tryPull(ByteBuffer dst) {
      return 0; // each read of a file waits for it
    }

    @Override
    public int pieceBytes() {
      return PIECE_BYTES;
    }
  }

  /// Reads a line of UTF-8, which ends in LF or CR LF, or with the file.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @return the line without its ending; null at the end of the file
  /// @throws dev.rondo.io.DelimiterNotFoundException if the line is longer; nothing is lost
  /// @throws ChannelClosedException if the file is closed
  /// @throws IOException if the read fails
  public @Nullable String readLine(int limitBytes) throws IOException {
    return reader.readLine(limitBytes, StandardCharsets.UTF_8);
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

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

  /// Closes the file, as [OpenFile#close()].
  @Override
  public void close() throws IOException {
    reader.drop();
    file.close();
  }

  @Override
  public String toString() {
    return "input of " + file;
  }
}
