package dev.rondo.http.internal;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// A body that its sender has compressed. It is decompressed as a task reads it, up to the limit of
/// a body.
///
/// Confined to the scheduler's thread.
public final class DecodedBody extends InputStream {

  private final ReceivedBody body;
  private final ContentCoding coding;
  private final Source source;

  /// Null until the first byte is read, because to make a decoder reads from the body.
  private @Nullable InputStream decoder;

  private long decodedBytes;
  private boolean ended;

  public DecodedBody(ReceivedBody body, ContentCoding coding) {
    this.body = body;
    this.coding = coding;
    this.source = new Source(body);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (ended) {
      throw new IOException("the exchange is over");
    }
    int count;
    try {
      count = decoder().read(bytes, offset, length);
    } catch (ZipException e) {
      throw malformed();
    } catch (EOFException e) {
      if (body.isComplete()) {
        throw malformed();
      }
      throw e; // the peer has gone
    }
    decodedBytes += Math.max(0, count);
    if (decodedBytes > body.mostBytes()) {
      throw body.failed(body.tooLarge());
    }
    if (count < 0) {
      IOException hidden = source.failure;
      if (hidden != null) {
        throw hidden;
      }
      body.decoded();
    }
    return count;
  }

  private InputStream decoder() throws IOException {
    InputStream own = decoder;
    if (own == null) {
      own =
          switch (coding) {
            case GZIP -> new GZIPInputStream(source);
            case DEFLATE -> new ZlibStream(source);
          };
      decoder = own;
    }
    return own;
  }

  /// The body, with its failure: the JDK takes a failure behind a member of gzip for the end.
  private static final class Source extends FilterInputStream {

    private @Nullable IOException failure;

    Source(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }

  private static final class ZlibStream extends InflaterInputStream {

    ZlibStream(InputStream in) {
      super(in);
    }

    /// The JDK treats a request for a dictionary as the end. A peer cannot pass a dictionary.
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      if (inf.needsDictionary()) {
        throw new ZipException("required: no dictionary");
      }
      return count;
    }
  }

  private RuntimeException malformed() {
    return body.failed(body.malformed("the compressed body is malformed", null));
  }

  /// The exchange is over: gives back the memory of the decompressor, outside of the heap.
  public void end() {
    ended = true;
    InputStream own = decoder;
    if (own != null) {
      try {
        own.close();
      } catch (IOException e) {
        throw new AssertionError(e); // nothing is read or written
      }
    }
  }
}
