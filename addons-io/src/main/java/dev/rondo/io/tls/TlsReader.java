package dev.rondo.io.tls;

import dev.rondo.io.DelimiterNotFoundException;
import dev.rondo.io.EndOfStreamException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The bytes of a [TlsSocket] that were decrypted and not taken yet, and what is read from them.
///
/// To know whether there is something to read, it must be received and decrypted. A wait for that
/// has a task of its own do so. If the wait ends before, the task goes on, and the next read waits
/// for it: no byte is lost, and none is taken by a branch that was not chosen.
///
/// Confined to the scheduler's thread.
final class TlsReader {

  /// The plain text of one record of TLS.
  private static final int RECORD_BYTES = 16 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /// Where the bytes come from.
  interface Source {

    /// Decrypts at least one byte. A possible suspension point.
    ///
    /// @return how many bytes; -1 at the end
    int decrypt(ByteBuffer dst) throws IOException;

    /// Decrypts what has arrived. Never a suspension point.
    ///
    /// @return as [#decrypt]; 0 if it cannot without waiting
    int tryDecrypt(ByteBuffer dst) throws IOException;
  }

  private final Scheduler scheduler;
  private final Source source;
  private final String name;
  private final SingleFlight filling;

  /// From position to limit.
  private ByteBuffer held = NOTHING;

  TlsReader(Scheduler scheduler, String name, Source source) {
    this.scheduler = scheduler;
    this.name = name;
    this.source = source;
    this.filling = new SingleFlight(scheduler, "read from " + name);
  }

  // Reading.

  int read(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    if (!held.hasRemaining()) {
      if (!filling.isBusy() && dst.remaining() >= RECORD_BYTES) {
        var got = new int[1];
        filling.run(() -> got[0] = source.decrypt(dst));
        return got[0];
      }
      if (fill() < 0) {
        return -1;
      }
    }
    return take(dst);
  }

  int tryRead(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    if (!held.hasRemaining() && !filling.isBusy() && fillOnce(source::tryDecrypt) < 0) {
      return -1;
    }
    return take(dst);
  }

  void readFully(ByteBuffer dst) throws IOException {
    int first = dst.position();
    while (dst.hasRemaining()) {
      if (read(dst) < 0) {
        int had = dst.position() - first;
        throw new EndOfStreamException(
            "read from %s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
                .formatted(name, had + dst.remaining(), had),
            had);
      }
    }
  }

  /// Fills a buffer, which is not touched before all bytes are there.
  int readWhole(ByteBuffer dst) throws IOException {
    while (held.remaining() < dst.remaining()) {
      if (fill() < 0) {
        throw new EndOfStreamException(
            "read from %s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
                .formatted(name, dst.remaining(), held.remaining()),
            held.remaining());
      }
    }
    return take(dst);
  }

  byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    int length = await(delimiter, limitBytes);
    if (length < 0 && held.hasRemaining()) {
      throw new EndOfStreamException(
          "read from %s: the peer ended the stream before delimiter 0x%02x: had=%d bytes"
              .formatted(name, delimiter, held.remaining()),
          held.remaining());
    }
    return length < 0 ? null : take(length, 1);
  }

  @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    int length = await((byte) '\n', limitBytes);
    if (length < 0 && !held.hasRemaining()) {
      return null;
    }
    byte[] line = length < 0 ? take(held.remaining(), 0) : take(length, 1);
    int last = line.length - 1;
    return new String(line, 0, last >= 0 && line[last] == '\r' ? last : line.length, charset);
  }

  /// Decrypts until a delimiter is held.
  ///
  /// @return how many bytes are before it; -1 if the stream ended
  private int await(byte delimiter, int limitBytes) throws IOException {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must be at least 0 bytes: limit=" + limitBytes);
    }
    int seen = 0;
    while (true) {
      for (; seen < held.remaining(); seen++) {
        if (held.get(held.position() + seen) == delimiter) {
          return seen;
        } else if (seen == limitBytes) {
          throw new DelimiterNotFoundException(
              "read from %s: no delimiter 0x%02x within limit=%d bytes"
                  .formatted(name, delimiter, limitBytes));
        }
      }
      if (fill() < 0) {
        return -1;
      }
    }
  }

  private byte[] take(int length, int skip) {
    var taken = new byte[length];
    held.get(taken);
    held.position(held.position() + skip);
    release();
    return taken;
  }

  private int take(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), held.remaining());
    dst.put(held.slice(held.position(), n));
    held.position(held.position() + n);
    release();
    return n;
  }

  private void release() {
    if (!held.hasRemaining()) {
      held = NOTHING;
    }
  }

  int heldBytes() {
    return held.remaining();
  }

  // Filling.

  /// @return -1 at the end of the stream
  private int fill() throws IOException {
    int before = held.remaining();
    var got = new int[1];
    while (!filling.run(() -> got[0] = fillOnce(source::decrypt))) {
      if (held.remaining() > before) {
        return 0; // by the task that reads ahead
      }
    }
    return got[0];
  }

  @FunctionalInterface
  private interface Decrypting {
    int into(ByteBuffer dst) throws IOException;
  }

  /// The bytes that are held stay where they are until others have been added, because a task may
  /// be cancelled meanwhile.
  private int fillOnce(Decrypting decrypting) throws IOException {
    ByteBuffer added = ByteBuffer.allocate(RECORD_BYTES);
    int n = decrypting.into(added);
    if (n > 0) {
      added.flip();
      held =
          held.hasRemaining()
              ? ByteBuffer.allocate(held.remaining() + n).put(held).put(added).flip()
              : added;
    }
    return n;
  }

  // Waiting.

  /// {@return there being something to read, or the end of the stream}
  Waitable<Boolean> arrival() {
    return new Arrival(held -> held.hasRemaining());
  }

  /// {@return a line being held, or one that is too long, or the end of the stream}
  Waitable<Boolean> lineArrival(int limitBytes) {
    return new Arrival(held -> hasLine(held, limitBytes));
  }

  /// {@return that many bytes being held, or the end of the stream}
  Waitable<Boolean> arrivalOf(int bytes) {
    return new Arrival(held -> held.remaining() >= bytes);
  }

  private static boolean hasLine(ByteBuffer held, int limitBytes) {
    for (int i = 0; i < held.remaining(); i++) {
      if (held.get(held.position() + i) == '\n') {
        return true;
      }
    }
    return held.remaining() > limitBytes;
  }

  private final class Arrival implements Waitable<Boolean> {

    private final Predicate<ByteBuffer> enough;
    private final WaitQueue<Boolean> waiting = new WaitQueue<>();
    private @Nullable Task<Void> ahead;

    Arrival(Predicate<ByteBuffer> enough) {
      this.enough = enough;
    }

    @Override
    public boolean poll(Waiter<? super Boolean> waiter) {
      return isThere() && waiter.fire(true);
    }

    private boolean isThere() {
      try {
        while (!enough.test(held)) {
          int n = filling.isBusy() ? 0 : fillOnce(source::tryDecrypt);
          if (n <= 0) {
            return n < 0;
          }
        }
        return true;
      } catch (IOException e) {
        return true; // the read that follows fails in the same way
      }
    }

    @Override
    public void arm(Waiter<? super Boolean> waiter) {
      waiting.add(waiter);
      Task<Void> task = scheduler.newTask("read ahead from " + name, this::readAhead);
      task.daemon();
      ahead = task;
      scheduler.scheduleTask(task);
    }

    private void readAhead() {
      try {
        while (!enough.test(held) && fill() >= 0) {
          // until there is enough
        }
      } catch (IOException e) {
        // the read that follows fails in the same way
      } finally {
        ahead = null;
        waiting.fireAll(true);
      }
    }

    @Override
    public void disarm(Waiter<? super Boolean> waiter) {
      waiting.remove(waiter);
      Task<Void> task = ahead;
      if (task != null) {
        task.cancel("nothing waits for it any more");
      }
    }

    @Override
    public String toString() {
      return "ready to read from " + name;
    }
  }
}
