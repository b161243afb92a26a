package dev.rondo.scheduler.engine.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The last events of a recorder, in arrays that are made once: an event allocates nothing here.
///
/// One thread at a time adds events, each handing over to the next. Any thread copies them: the
/// writer publishes an event's number before it overwrites an old event, and again when the new one
/// is complete, so a copy knows which of its events may be torn, and leaves them out (a sequence
/// lock, without waiting for either side).
final class EventRing {

  /// Of an event: its time and its head. Most events have no other number, and do not touch those.
  private static final int LONGS = 2;

  private static final VarHandle BEGUN;
  private static final VarHandle ENDED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BEGUN = lookup.findVarHandle(EventRing.class, "begun", long.class);
      ENDED = lookup.findVarHandle(EventRing.class, "ended", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The events that were in the ring at one moment.
  static final class Copy {

    /// The number of the first event, and of the one behind the last.
    final long first;

    final long end;

    private final int capacity;
    private final long[] numbers;
    private final long[] others;
    private final @Nullable Object[] subjects;

    private Copy(long first, long end, long[] numbers, long[] others, @Nullable Object[] subjects) {
      this.first = Math.min(first, end);
      this.end = end;
      this.capacity = subjects.length;
      this.numbers = numbers;
      this.others = others;
      this.subjects = subjects;
    }

    long nanos(long number) {
      return numbers[place(number)];
    }

    long head(long number) {
      return numbers[place(number) + 1];
    }

    long other(long number) {
      return others[(int) (number % capacity)];
    }

    @Nullable Object subject(long number) {
      return subjects[(int) (number % capacity)];
    }

    private int place(long number) {
      return (int) (number % capacity) * LONGS;
    }
  }

  private final long[] numbers;
  private final long[] others;
  private final @Nullable Object[] subjects;

  /// The capacity is a power of two: the place of a number is in its lowest bits.
  private final int mask;

  /// How many events have begun to be written, and how many were. Written by the writer, opaque
  /// with fences; read by [#copy()].
  @SuppressWarnings("unused") // by its handle
  private long begun;

  private long ended;

  /// @param least how many events it keeps, or more
  EventRing(int least) {
    int capacity = least == 1 ? 1 : Integer.highestOneBit(least - 1) << 1;
    this.mask = capacity - 1;
    this.numbers = new long[capacity * LONGS];
    this.others = new long[capacity];
    this.subjects = new Object[capacity];
  }

  int capacity() {
    return subjects.length;
  }

  /// Adds an event in place of the oldest.
  ///
  /// @return its number
  long add(long nanos, long head, long other, @Nullable Object subject) {
    long number = ended;
    int slot = (int) number & mask;
    BEGUN.setOpaque(this, number + 1);
    VarHandle.storeStoreFence();
    int place = slot * LONGS;
    numbers[place] = nanos;
    numbers[place + 1] = head;
    others[slot] = other;
    subjects[slot] = subject;
    VarHandle.storeStoreFence();
    ENDED.setOpaque(this, number + 1);
    return number;
  }

  /// Adds an event in place of the oldest, whose other number has no meaning. Apart from the other
  /// method because most events are turns: what is null already is not written, because of what a
  /// write costs the collector.
  void add(long nanos, long head) {
    long number = ended;
    int slot = (int) number & mask;
    BEGUN.setOpaque(this, number + 1);
    VarHandle.storeStoreFence();
    int place = slot * LONGS;
    numbers[place] = nanos;
    numbers[place + 1] = head;
    if (subjects[slot] != null) {
      subjects[slot] = null;
    }
    VarHandle.storeStoreFence();
    ENDED.setOpaque(this, number + 1);
  }

  /// How many events were added so far. For the writer.
  long count() {
    return ended;
  }

  /// Any thread.
  Copy copy() {
    long end = (long) ENDED.getAcquire(this);
    long[] numbersThen = numbers.clone();
    long[] othersThen = others.clone();
    @Nullable Object[] subjectsThen = subjects.clone();
    VarHandle.loadLoadFence();
    long overwritten = (long) BEGUN.getOpaque(this) - subjects.length;
    return new Copy(Math.max(0, overwritten), end, numbersThen, othersThen, subjectsThen);
  }
}
