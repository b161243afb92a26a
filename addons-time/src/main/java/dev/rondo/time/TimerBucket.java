package dev.rondo.time;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Timers in no order, in an array: putting one in and taking one out is a write or two, and who
/// goes through all of them waits for the memory once, not once for each as in a linked list.
///
/// Confined to the scheduler's thread.
@SuppressWarnings("NullAway") // no entry below `size` is null
final class TimerBucket {

  private static final int INITIAL_CAPACITY = 4;

  /// An array no longer than this is kept when the bucket is emptied.
  private static final int KEPT_CAPACITY = 32;

  /// In [TimerWheel].
  final int number;

  /// Of the wheel, counted from the buckets of one tick.
  final int level;

  /// How long it is: two to the power of this, in nanoseconds.
  final int shift;

  /// Filled up to `size`, null behind.
  private @Nullable TimerEntry[] entries = new @Nullable TimerEntry[INITIAL_CAPACITY];

  private int size;

  TimerBucket(int number, int level, int shift) {
    this.number = number;
    this.level = level;
    this.shift = shift;
  }

  int size() {
    return size;
  }

  void add(TimerEntry entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size << 1);
    }
    entry.bucket = number;
    entry.place = size;
    entries[size++] = entry;
  }

  /// Takes out one that is in: the last takes its place.
  ///
  /// @return whether it was the only one
  boolean remove(TimerEntry entry) {
    TimerEntry last = removeLast();
    if (last != entry) {
      entries[entry.place] = last;
      last.place = entry.place;
    }
    return size == 0;
  }

  /// Takes out the last; there is one.
  TimerEntry removeLast() {
    TimerEntry last = entries[--size];
    entries[size] = null;
    if (size == 0 && entries.length > KEPT_CAPACITY) {
      entries = new @Nullable TimerEntry[INITIAL_CAPACITY];
    }
    return last;
  }

  /// Reads the deadlines of the last ones, in the order that [#removeLast] takes them out.
  ///
  /// @return how many were read: as many as there are or fit
  int readLast(long[] deadlines) {
    int count = Math.min(size, deadlines.length);
    for (int i = 0; i < count; i++) {
      deadlines[i] = entries[size - 1 - i].deadlineNanos;
    }
    return count;
  }

  /// There is one.
  TimerEntry earliest() {
    TimerEntry earliest = entries[0];
    for (int i = 1; i < size; i++) {
      if (entries[i].isBefore(earliest)) {
        earliest = entries[i];
      }
    }
    return earliest;
  }

  void addTo(List<TimerEntry> all) {
    for (int i = 0; i < size; i++) {
      all.add(entries[i]);
    }
  }
}
