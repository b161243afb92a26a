package dev.rondo.cluster.internal.engine;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Byte arrays in a stream: their length, or -1 for none, and the bytes.
public final class Saved {

  private static final int NONE = -1;

  /// More than any message has.
  private static final int MOST = 1 << 30;

  private Saved() {}

  public static void write(DataOutput out, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(NONE);
    } else {
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  public static byte @Nullable [] read(DataInput in) throws IOException {
    int length = in.readInt();
    if (length == NONE) {
      return null;
    }
    if (length < 0 || length > MOST) {
      throw new EOFException("no length: " + length);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
