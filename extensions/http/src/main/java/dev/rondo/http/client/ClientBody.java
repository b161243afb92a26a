package dev.rondo.http.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The body that a client sends.
///
/// @param contentType its value for the header; null for none
/// @param lengthBytes SentBody.OPEN_END if the length is not known
/// @param bytes the whole body; null if it is written while it is sent
/// @param writer writes the body; null if its bytes are given
/// @param isRepeatable whether the body can be sent again
@SuppressWarnings("ArrayRecordComponent") // not compared
record ClientBody(
    @Nullable String contentType,
    long lengthBytes,
    byte @Nullable [] bytes,
    @Nullable HttpBodyWriter writer,
    boolean isRepeatable) {

  /// Up to this length a body is sent together with the head.
  private static final int MOST_BYTES_AT_ONCE = 64 << 10;

  static final ClientBody NONE = new ClientBody(null, 0, new byte[0], null, true);

  static ClientBody of(String contentType, byte[] bytes) {
    return new ClientBody(contentType, bytes.length, bytes, null, true);
  }

  static ClientBody of(String contentType, long lengthBytes, HttpBodyWriter writer) {
    return new ClientBody(contentType, lengthBytes, null, writer, false);
  }

  /// {@return the same body, whose writer may run again}
  ClientBody repeatable() {
    return new ClientBody(contentType, lengthBytes, bytes, writer, true);
  }

  /// {@return the bytes, if they are to be sent with the head; null otherwise}
  byte @Nullable [] atOnce() {
    return bytes != null && bytes.length <= MOST_BYTES_AT_ONCE ? bytes : null;
  }

  void writeTo(OutputStream out) throws Exception {
    byte[] all = bytes;
    if (all == null) {
      Objects.requireNonNull(writer).write(out);
    } else {
      write(all, out);
    }
  }

  private static void write(byte[] all, OutputStream out) throws IOException {
    out.write(all, 0, all.length);
  }
}
