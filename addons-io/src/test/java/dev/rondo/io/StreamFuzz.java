package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Any bytes as a stream that is read in any way, compared with a model. A target of Jazzer, see
/// the profile `fuzz`.
public final class StreamFuzz {

  /// The first bytes determine how to read the others.
  private static final int SCRIPT_BYTES = 8;

  private static final byte LF = '\n';

  private final ByteSource source;
  private final byte[] all;
  private int at = SCRIPT_BYTES;

  private StreamFuzz(ByteSource source, byte[] all) {
    this.source = source;
    this.all = all;
  }

  /// Sends the bytes through a pipe and reads them back as they determine.
  ///
  /// @param bytes any
  public static void fuzzerTestOneInput(byte[] bytes) throws Throwable {
    if (bytes.length < SCRIPT_BYTES) {
      return;
    }
    FuzzScheduler.run(scheduler -> {
      try (OsPipe pipe = OsPipe.open(WaitForIO.on(scheduler))) {
        scheduler.spawn("writer", () -> write(scheduler, pipe.sink(), bytes));
        new StreamFuzz(pipe.source(), bytes).read();
      }
    });
  }

  private static void write(Scheduler scheduler, PipeSink sink, byte[] bytes) throws IOException {
    int piece = 1 + Byte.toUnsignedInt(bytes[0]);
    for (int i = SCRIPT_BYTES; i < bytes.length; i += piece) {
      sink.write(ByteBuffer.wrap(bytes, i, Math.min(piece, bytes.length - i)));
      scheduler.yield();
    }
    sink.close();
  }

  private void read() throws IOException {
    for (int i = 1; at < all.length; i++) {
      int code = Byte.toUnsignedInt(all[i % SCRIPT_BYTES]);
      int size = 1 + code / 4;
      switch (code % 4) {
        case 0 -> readSome(size);
        case 1 -> readFully(size);
        case 2 -> readUntil(all[(i + 1) % SCRIPT_BYTES], size);
        default -> readLine(size);
      }
    }
    check(source.read(ByteBuffer.allocate(1)) == -1, "read after the end");
    check(source.readUntil(LF, 1) == null, "readUntil after the end");
    check(source.readLine(1) == null, "readLine after the end");
  }

  private void readSome(int size) throws IOException {
    var dst = ByteBuffer.allocate(size);
    int n = source.read(dst);
    check(n > 0 && n <= size, "read of " + n);
    taken(dst);
  }

  private void readFully(int size) throws IOException {
    var dst = ByteBuffer.allocate(size);
    int left = all.length - at;
    try {
      source.readFully(dst);
      check(left >= size, "readFully: more than there is");
    } catch (EndOfStreamException e) {
      check(left < size, "readFully: the end too early");
    }
    taken(dst);
  }

  private void readUntil(byte delimiter, int limit) throws IOException {
    int found = indexOf(delimiter, limit);
    try {
      byte[] message = source.readUntil(delimiter, limit);
      check(found >= 0 && message != null && message.length == found, "readUntil");
      taken(ByteBuffer.wrap(message).position(found));
      at++;
    } catch (DelimiterNotFoundException e) {
      check(found < 0 && all.length - at > limit, "readUntil: " + e.getMessage());
      readSome(1);
    } catch (EndOfStreamException e) {
      check(found < 0 && all.length - at <= limit, "readUntil: " + e.getMessage());
      readSome(1);
    }
  }

  private void readLine(int limit) throws IOException {
    int found = indexOf(LF, limit);
    int length = found >= 0 ? found : all.length - at;
    try {
      String line = source.readLine(limit, StandardCharsets.ISO_8859_1);
      check(found >= 0 || length <= limit, "readLine: too long");
      int end = at + length;
      int text = length > 0 && all[end - 1] == '\r' ? length - 1 : length;
      check(
          new String(all, at, text, StandardCharsets.ISO_8859_1).equals(line), "readLine: " + line);
      at = found >= 0 ? end + 1 : end;
    } catch (DelimiterNotFoundException e) {
      check(found < 0 && length > limit, "readLine: " + e.getMessage());
      readSome(1);
    }
  }

  /// How far ahead the delimiter is; -1 if farther than the limit.
  private int indexOf(byte delimiter, int limit) {
    for (int i = 0; i <= limit && at + i < all.length; i++) {
      if (all[at + i] == delimiter) {
        return i;
      }
    }
    return -1;
  }

  private void taken(ByteBuffer got) {
    int n = got.position();
    check(got.flip().equals(ByteBuffer.wrap(all, at, n)), "other bytes than were sent");
    at += n;
  }

  private void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what + ": at=" + at + ", all=" + all.length);
    }
  }
}
