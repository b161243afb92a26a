package dev.rondo.examples.replicatedlog;

import dev.rondo.io.ByteStream;
import dev.rondo.io.EndOfStreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Messages on a connection, each after its length in four bytes. Every method may suspend its
/// task.
final class Frames {

  private static final int LONGEST_BYTES = 64 << 20;

  private Frames() {}

  static void write(ByteStream stream, Message message) throws IOException {
    byte[] body = Wire.bytes(out -> Wire.write(message, out));
    stream.write(
        ByteBuffer.allocate(Integer.BYTES + body.length).putInt(body.length).put(body).flip());
  }

  /// {@return the next message; null at the end of the stream}
  static @Nullable Message read(ByteStream stream) throws IOException {
    var head = ByteBuffer.allocate(Integer.BYTES);
    if (stream.read(head) == -1) {
      return null;
    }
    stream.readFully(head);
    int length = head.getInt(0);
    if (length < 1 || length > LONGEST_BYTES) {
      throw new IOException("not a message: length=" + length + " of " + stream);
    }
    var body = ByteBuffer.allocate(length);
    stream.readFully(body);
    return Wire.readMessage(Wire.in(body.array()));
  }

  /// Sends a request. {@return its answer}
  static Message call(ByteStream stream, Message request) throws IOException {
    write(stream, request);
    Message answer = read(stream);
    if (answer == null) {
      throw new EndOfStreamException(stream + " hung up", 0);
    }
    return answer;
  }
}
