package dev.rondo.http.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/// Compresses a body while it is written. A flush lets the client read all bytes that were written
/// before.
///
/// The JDK's own `GZIPOutputStream` writes under a monitor, under which a task must not suspend.
///
/// Confined to the scheduler's thread.
public final class CompressedBody extends DeflaterOutputStream {

  private static final int PART_BYTES = 4 << 10;

  /// RFC 1952: deflate, no flags, no time, no particular system.
  private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private final boolean gzip;
  private final CRC32 checksum = new CRC32();
  private boolean closed;

  public CompressedBody(OutputStream out, ContentCoding coding, int level) throws IOException {
    super(out, new Deflater(level, coding == ContentCoding.GZIP), PART_BYTES, true);
    this.gzip = coding == ContentCoding.GZIP;
    if (gzip) {
      out.write(GZIP_HEADER);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      throw new IOException("the response has ended");
    }
    checksum.update(bytes, offset, length);
    super.write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    if (!closed) {
      super.flush();
    }
  }

  /// {@return bytes in compressed form, for a caller that sends them itself} There must be no
  /// unflushed bytes.
  public byte[] compressed(byte[] bytes) {
    checksum.update(bytes);
    def.setInput(bytes);
    var result = new ByteArrayOutputStream();
    int count;
    do {
      count = def.deflate(buf, 0, buf.length, Deflater.SYNC_FLUSH);
      result.write(buf, 0, count);
    } while (count == buf.length);
    return result.toByteArray();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    try {
      finish();
      if (gzip) {
        writeNumber((int) checksum.getValue());
        writeNumber((int) def.getBytesRead());
      }
      closed = true;
      out.close();
    } finally {
      end();
    }
  }

  /// Least significant byte first.
  private void writeNumber(int value) throws IOException {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      out.write(value >>> shift);
    }
  }

  /// Gives back the memory of the compressor, outside of the heap.
  public void end() {
    closed = true;
    def.end();
  }

  /// {@return the bytes in compressed form}
  public static byte[] whole(byte[] bytes, ContentCoding coding, int level) {
    var result = new ByteArrayOutputStream();
    try (var out = new CompressedBody(result, coding, level)) {
      out.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return result.toByteArray();
  }
}
