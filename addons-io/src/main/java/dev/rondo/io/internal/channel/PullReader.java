package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.SingleFlight;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The reading half of a byte stream that no selector reports: its bytes are pulled, by calls that
/// may suspend. They are decrypted, or come from a thread that blocks.
///
/// Only a pull shows whether there is something to read, so a wait starts a task of its own that
/// pulls. If the wait ends first, the next read waits for that task. No byte is lost, and a branch
/// that was not chosen takes none.
///
/// One task at a time reads. Confined to the scheduler's thread.
public final class PullReader implements InputHalf {

  /// Where the bytes come from. Its calls never overlap.
  public interface Source {

    /// Fails if this side has closed the stream.
    ///
    /// @throws IOException if this side has closed it
    void requireOpen() throws IOException;

    /// Pulls at least one byte. A *possible* suspension point.
    ///
    /// @param dst with room for a [#pieceBytes()]
    /// @return how many bytes; -1 at the end
    /// @throws IOException if that fails
    int pull(ByteBuffer dst) throws IOException;

    /// Pulls the bytes that are there. Never a suspension point.
    ///
    /// @param dst with room for a [#pieceBytes()]
    /// @return as [#pull]; 0 if it would have to wait
    /// @throws IOException if that fails
    int tryPull(ByteBuffer dst) throws IOException;

    /// {@return how much room a call needs}
    int pieceBytes();
  }

  private final Scheduler scheduler;
  private final Source source;
  private final String name;
  private final BufferPool pool = BufferPool.none();
  private final HeldBytes held;
  private final SingleFlight filling;

  /// The task whose read is under way; null if none is.
  private @Nullable Task<?> reader;

  private @Nullable Duration timeout;

  /// Whether the source has reported its end.
  private boolean ended;

  /// The failure that a wait has found, for the next read to throw; null if there is none.
  private @Nullable Exception failed;

  /// Nothing is held yet.
  ///
  /// @param scheduler whose tasks read
  /// @param name of the stream, in messages
  /// @param failures creates the exceptions that programs catch
  /// @param source where the bytes come from
  public PullReader(Scheduler scheduler, String name, IoErrors failures, Source source) {
    this.scheduler = scheduler;
    this.name = name;
    this.source = source;
    this.held = new HeldBytes(pool, failures, this);
    this.filling = new SingleFlight(scheduler, toString());
  }

  @Override
  public int heldBytes() {
    return held.size();
  }

  /// Drops the bytes that are held.
  public void drop() {
    held.drop();
  }

  /// Limits how long each operation may take.
  ///
  /// @param limit more than zero; null for none
  /// @throws IllegalArgumentException if `limit` is zero or negative; the earlier limit stays
  public void timeout(@Nullable Duration limit) {
    scheduler.host().checkThread();
    timeout = IoErrors.requirePositive(limit);
  }

  // Reading.

  /// Reads at least one byte.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end; 0 without room
  /// @throws IOException if this side has closed it, or the source fails
  public int read(ByteBuffer dst) throws IOException {
    requireWritable(dst);
    return limited(() -> readInto(dst));
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    return read(ByteBuffer.wrap(bytes, offset, length));
  }

  /// Reads the bytes that are there. Never a suspension point.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end
  /// @throws IOException as [#read(ByteBuffer)]
  public int tryRead(ByteBuffer dst) throws IOException {
    requireWritable(dst);
    requireIdle();
    if (!dst.hasRemaining()) {
      return 0;
    }
    if (held.isEmpty() && !filling.isBusy() && fillOnce(source::tryPull) < 0) {
      return -1;
    }
    return taken(held.give(dst));
  }

  /// Reads until a buffer is full.
  ///
  /// @param dst filled
  /// @throws IOException as [#read(ByteBuffer)], or if the stream ended before
  public void readFully(ByteBuffer dst) throws IOException {
    requireWritable(dst);
    int first = dst.position();
    this.<@Nullable Void>limited(() -> {
      while (dst.hasRemaining()) {
        if (readInto(dst) < 0) {
          int had = dst.position() - first;
          throw held.endedBefore(had + dst.remaining(), had);
        }
      }
      return null;
    });
  }

  /// Reads up to a delimiter.
  ///
  /// @param delimiter ends a message
  /// @param limitBytes how long a message may be without it, at least zero
  /// @return the message without its delimiter; null if the stream ended before it began
  /// @throws IOException as [#read(ByteBuffer)], or if the stream ended within the message, or it
  ///   is longer
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    HeldBytes.requireLimit(limitBytes);
    return this.<byte @Nullable []>limited(() -> {
      int length = await(delimiter, limitBytes);
      if (length < 0 && !held.isEmpty()) {
        throw held.endedBefore(delimiter);
      }
      return length < 0 ? null : held.take(length, 1);
    });
  }

  /// Reads a line that ends in LF or CR LF, or with the stream.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte
  /// @return the line without its ending; null at the end of the stream
  /// @throws IOException as [#read(ByteBuffer)], or if the line is longer
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    Objects.requireNonNull(charset, "charset is null");
    HeldBytes.requireLimit(limitBytes);
    return this.<@Nullable String>limited(() -> lineOf(limitBytes, charset));
  }

  private @Nullable String lineOf(int limitBytes, Charset charset) throws IOException {
    int length = await((byte) '\n', limitBytes);
    return length < 0 && held.isEmpty() ? null : held.takeLine(length, charset);
  }

  /// Pulls until a delimiter is held.
  ///
  /// @return how many bytes are before it; -1 if the stream ended
  private int await(byte delimiter, int limitBytes) throws IOException {
    int seen = 0;
    while (true) {
      seen = held.find(delimiter, limitBytes, seen);
      if (seen < held.size()) {
        return seen;
      } else if (fill() < 0) {
        return -1;
      }
    }
  }

  private int readInto(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    if (held.isEmpty()) {
      if (!filling.isBusy() && dst.remaining() >= source.pieceBytes()) {
        var got = new int[1];
        filling.run(() -> got[0] = pulled(source::pull, dst));
        return got[0];
      }
      if (fill() < 0) {
        return -1;
      }
    }
    return held.give(dst);
  }

  /// Fills a buffer, which is not touched before all bytes are there.
  private int readWhole(ByteBuffer dst) throws IOException {
    while (held.size() < dst.remaining()) {
      if (fill() < 0) {
        throw held.endedBefore(dst.remaining(), held.size());
      }
    }
    return held.give(dst);
  }

  // One read.

  private <T extends @Nullable Object> T limited(TaskCall<T, IOException> call) throws IOException {
    return alone(() -> IoErrors.within(scheduler, timeout, () -> "read from " + name, call));
  }

  /// Reserves this for the current task while it makes a call.
  private <T extends @Nullable Object> T alone(TaskCall<T, IOException> call) throws IOException {
    requireIdle();
    reader = scheduler.currentTask();
    try {
      return call.call();
    } finally {
      reader = null;
      held.release();
    }
  }

  private int taken(int bytes) {
    held.release();
    return bytes;
  }

  private void requireIdle() throws IOException {
    scheduler.host().checkThread();
    source.requireOpen();
    Task<?> other = reader;
    if (other != null) {
      throw new IllegalStateException(
          "task '%s' is reading on %s, and only one task may at a time"
              .formatted(other.name(), name));
    }
  }

  private void requireWritable(ByteBuffer dst) {
    Objects.requireNonNull(dst, "dst is null");
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException(
          this + ": the buffer must not be read-only: dst=" + dst, new ReadOnlyBufferException());
    }
  }

  // Filling.

  @FunctionalInterface
  private interface Pulling {
    int into(ByteBuffer dst) throws IOException;
  }

  /// Waits until more is held.
  ///
  /// @return -1 at the end of the stream
  private int fill() throws IOException {
    int before = held.size();
    var got = new int[1];
    while (!filling.run(() -> got[0] = fillOnce(source::pull))) {
      if (held.size() > before) {
        return 0; // by the task that reads ahead
      }
    }
    return got[0];
  }

  /// The held bytes stay in place until others are added, because meanwhile a task may take them or
  /// be cancelled.
  private int fillOnce(Pulling pulling) throws IOException {
    ByteBuffer added = pool.take();
    int n = pulled(pulling, added);
    if (n > 0) {
      held.add(added.flip());
    }
    return n;
  }

  private int pulled(Pulling pulling, ByteBuffer dst) throws IOException {
    Exception why = failed;
    if (why != null) {
      failed = null;
      throw Throwables.<RuntimeException>rethrow(why);
    }
    int n = ended ? -1 : pulling.into(dst);
    ended = n < 0;
    return n;
  }

  // Waiting.

  /// {@return a wait that reads at least one byte}
  ///
  /// @param dst where to, with room
  public Waitable<Integer> reading(ByteBuffer dst) {
    requireWritable(dst);
    return when(() -> !held.isEmpty(), () -> readInto(dst));
  }

  /// {@return a wait that reads a line}
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte
  public Waitable<Optional<String>> readingLine(int limitBytes, Charset charset) {
    HeldBytes.requireLimit(limitBytes);
    return when(
        () -> held.hasLine(limitBytes), () -> Optional.ofNullable(lineOf(limitBytes, charset)));
  }

  /// {@return a wait that fills a buffer}
  ///
  /// @param dst filled when all its bytes have arrived, and not touched before
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    requireWritable(dst);
    return when(() -> held.size() >= dst.remaining(), () -> readWhole(dst));
  }

  /// {@return a wait until there is something to read, or the end of the stream}
  ///
  /// @param <S> the kind of stream
  /// @param stream the result of the wait
  public <S> Waitable<S> ready(S stream) {
    return guarded(() -> !held.isEmpty()).map(ignored -> stream);
  }

  /// @param call does not wait, because its bytes are held then
  private <T> Waitable<T> when(BooleanSupplier enough, TaskCall<T, IOException> call) {
    return guarded(enough)
        .map(ignored -> {
          try {
            return alone(call);
          } catch (IOException e) {
            throw Throwables.<RuntimeException>rethrow(e);
          }
        });
  }

  private Waitable<Boolean> guarded(BooleanSupplier enough) {
    return Waitable.guard(() -> {
      try {
        requireIdle();
      } catch (IOException e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      return new Arrival(enough);
    });
  }

  /// A wait until enough bytes are held, or there will be no more.
  private final class Arrival implements Waitable<Boolean> {

    private final BooleanSupplier enough;
    private final WaitQueue<Boolean> waiting = new WaitQueue<>();
    private @Nullable Task<Void> ahead;

    Arrival(BooleanSupplier enough) {
      this.enough = enough;
    }

    @Override
    public boolean poll(Waiter<? super Boolean> waiter) {
      return isThere() && waiter.fire(true);
    }

    private boolean isThere() {
      try {
        while (!enough.getAsBoolean()) {
          int n = filling.isBusy() ? 0 : fillOnce(source::tryPull);
          if (n <= 0) {
            return n < 0;
          }
        }
        return true;
      } catch (IOException | RuntimeException e) {
        failed = e;
        return true;
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
        while (!enough.getAsBoolean() && fill() >= 0) {
          // until there is enough
        }
      } catch (IOException | RuntimeException e) {
        failed = e;
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
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return "ready to " + PullReader.this;
    }
  }

  @Override
  public String toString() {
    return "read from " + name;
  }
}
