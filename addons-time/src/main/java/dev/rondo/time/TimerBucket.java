package dev.rondo.time;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Timers in no order, in an array: putting one in and taking one out is a write or two, and who
/// goes through all of them waits for the memory once, not once for each as in a linked list.
///
/// Confined to the scheduler's thread.
final class TimerBucket {

  private static final int INITIAL_CAPACITY = 4;

  /// An array no longer than this is kept when the bucket is emptied.
  private static final int KEPT_CAPACITY = 32;

  /// In [TimerWheel].
  final int number;

  /// Filled up to `size`, null behind.
  private @Nullable TimerEntry[] entries = new @Nullable TimerEntry[INITIAL_CAPACITY];

  private int size;

  TimerBucket(int number) {
    this.number = number;
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
  void remove(TimerEntry entry) {
    TimerEntry last = at(--size);
    entries[size] = null;
    if (last != entry) {
      entries[entry.place] = last;
      last.place = entry.place;
    } else if (size == 0) {
      shrink();
    }
  }

  /// Takes out the last; there is one.
  TimerEntry removeLast() {
    TimerEntry last = at(--size);
    entries[size] = null;
    if (size == 0) {
      shrink();
    }
    return last;
  }

  /// Reads the deadlines of the last ones, in the order that [#removeLast] takes them out.
  ///
  /// @return how many were read: as many as there are or fit
  int readLast(long[] deadlines) {
    int count = Math.min(size, deadlines.length);
    for (int i = 0; i < count; i++) {
      deadlines[i] = at(size - 1 - i).deadlineNanos;
    }
    return count;
  }

  /// There is one.
  TimerEntry earliest() {
    TimerEntry earliest = at(0);
    for (int i = 1; i < size; i++) {
      if (at(i).isBefore(earliest)) {
        earliest = at(i);
      }
    }
    return earliest;
  }

  private void shrink() {
    if (entries.length > KEPT_CAPACITY) {
      entries = new @Nullable TimerEntry[INITIAL_CAPACITY];
    }
  }

  void addTo(List<TimerEntry> all) {
    for (int i = 0; i < size; i++) {
      all.add(at(i));
    }
  }

  /// The entry of a place below `size`: there is one.
  @SuppressWarnings("NullAway")
  private TimerEntry at(int place) {
    return entries[place];
  }
}
