package dev.rondo.time;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Timers in no order, in an array. Adding or removing a timer is a write or two, and iterating
/// over all of them waits for memory once, not once for each as in a linked list.
///
/// Confined to the scheduler's thread.
@SuppressWarnings("NullAway") // no entry below `size` is null
final class TimerBucket {

  private static final int INITIAL_CAPACITY = 4;

  /// An array no longer than this is kept when the bucket is emptied.
  private static final int KEPT_CAPACITY = 32;

  /// The bucket's index in the [TimerWheel].
  final int number;

  /// Its level in the wheel; the buckets of level 0 are one tick long.
  final int level;

  /// The binary logarithm of its length in nanoseconds.
  final int shift;

  /// Filled up to `size`; the rest is null.
  private @Nullable TimerEntry[] entries = new @Nullable TimerEntry[INITIAL_CAPACITY];

  int size;

  TimerBucket(int number, int level, int shift) {
    this.number = number;
    this.level = level;
    this.shift = shift;
  }

  void add(TimerEntry entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size << 1);
    }
    entry.bucket = number;
    entry.place = size;
    entries[size++] = entry;
  }

  /// Removes an entry of this bucket; the last one takes its place.
  ///
  /// @return whether it was the only entry
  boolean remove(TimerEntry entry) {
    TimerEntry last = removeLast();
    if (last != entry) {
      entries[entry.place] = last;
      last.place = entry.place;
    }
    return size == 0;
  }

  /// Removes the last entry. The bucket must not be empty.
  TimerEntry removeLast() {
    TimerEntry last = entries[--size];
    entries[size] = null;
    if (size == 0 && entries.length > KEPT_CAPACITY) {
      entries = new @Nullable TimerEntry[INITIAL_CAPACITY];
    }
    return last;
  }

  /// Reads the deadlines of the last entries, in the order in which [#removeLast] removes them.
  ///
  /// @return how many were read: at most as many as the array holds
  int readLast(long[] deadlines) {
    int count = Math.min(size, deadlines.length);
    for (int i = 0; i < count; i++) {
      deadlines[i] = entries[size - 1 - i].deadlineNanos;
    }
    return count;
  }

  /// Returns the earliest entry. The bucket must not be empty.
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
