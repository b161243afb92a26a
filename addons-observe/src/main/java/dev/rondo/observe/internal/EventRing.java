package dev.rondo.observe.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The last events of a recorder, in arrays that are made once, so an event allocates nothing here.
///
/// One thread at a time adds events, each handing over to the next. Any thread may copy them. The
/// writer publishes the number of complete events before it overwrites an old one. So a copy that
/// reads this number again at the end knows which of its events may be torn, and leaves them out.
/// This is a sequence lock in which neither side waits.
final class EventRing {

  /// The number of longs of each event: its time and its head. A few events have a third long in a
  /// separate array, which most events do not touch.
  private static final int LONGS = 2;

  private static final VarHandle ENDED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ENDED = lookup.findVarHandle(EventRing.class, "ended", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The events that were in the ring at one moment.
  static final class Copy {

    /// The number of the first event.
    final long first;

    final long end;

    private final int slots;
    private final long[] numbers;
    private final long[] others;
    private final @Nullable Object[] subjects;

    private Copy(long first, long end, long[] numbers, long[] others, @Nullable Object[] subjects) {
      this.first = Math.min(first, end);
      this.end = end;
      this.slots = subjects.length;
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
      return others[(int) (number % slots)];
    }

    @Nullable Object subject(long number) {
      return subjects[(int) (number % slots)];
    }

    private int place(long number) {
      return (int) (number % slots) * LONGS;
    }
  }

  private final long[] numbers;
  private final long[] others;
  private final @Nullable Object[] subjects;

  /// The number of places is a power of two. The place of an event is in the lowest bits of its
  /// number.
  private final int mask;

  /// The number of events that are complete. Written by the writer, with opaque writes and fences;
  /// read by [#copy()].
  private long ended;

  /// @param least the number of events that it keeps at least
  EventRing(int least) {
    int slots = Integer.highestOneBit(least) << 1;
    this.mask = slots - 1;
    this.numbers = new long[slots * LONGS];
    this.others = new long[slots];
    this.subjects = new Object[slots];
  }

  /// The number of events that it keeps: one less than its places, because one event may be half
  /// written.
  int capacity() {
    return mask;
  }

  /// Adds an event in place of the oldest.
  ///
  /// @return its number
  long add(long nanos, long head, long other, @Nullable Object subject) {
    long number = ended;
    int slot = (int) number & mask;
    VarHandle.storeStoreFence(); // the number is published before its place is overwritten
    int place = slot * LONGS;
    numbers[place] = nanos;
    numbers[place + 1] = head;
    others[slot] = other;
    subjects[slot] = subject;
    VarHandle.storeStoreFence();
    ENDED.setOpaque(this, number + 1);
    return number;
  }

  /// Adds an event without other number and subject, in place of the oldest. This is a separate
  /// method because most events are turns. It does not write a subject that is already null, since
  /// a write costs a barrier.
  void add(long nanos, long head) {
    long number = ended;
    int slot = (int) number & mask;
    VarHandle.storeStoreFence(); // the number is published before its place is overwritten
    int place = slot * LONGS;
    numbers[place] = nanos;
    numbers[place + 1] = head;
    if (subjects[slot] != null) {
      subjects[slot] = null;
    }
    VarHandle.storeStoreFence();
    ENDED.setOpaque(this, number + 1);
  }

  /// The number of events that were added so far. For the writer.
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
    long halfWritten = (long) ENDED.getOpaque(this);
    long first = Math.max(0, halfWritten - capacity());
    return new Copy(first, end, numbersThen, othersThen, subjectsThen);
  }
}
