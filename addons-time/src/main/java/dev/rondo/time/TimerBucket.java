package dev.rondo.time;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An unordered array of timers. Adding or removing a timer takes a write or two. An iteration over
/// all timers waits for memory once; in a linked list it would wait once for each.
///
/// A removed timer leaves a hole, because moving another timer there would cost another cache miss.
/// The next timer fills the last hole, so a timer that is restarted within its bucket leaves none.
/// All holes are closed when a new timer needs the space, and when most of the array is holes.
///
/// Confined to the scheduler's thread.
@SuppressWarnings("NullAway") // the last used place is not a hole when an entry is read there
final class TimerBucket {

  private static final int INITIAL_CAPACITY = 4;

  /// An array no longer than this is kept when the bucket is emptied, and may be mostly holes.
  private static final int KEPT_CAPACITY = 32;

  /// Holes are closed when fewer than one in this many places has a timer.
  private static final int SPARSE = 4;

  /// The bucket's index in the [TimerWheel].
  final int number;

  /// Its level in the wheel; the buckets of level 0 are one tick long.
  final int level;

  /// The binary logarithm of its length in nanoseconds.
  final int shift;

  /// A hole is null; so are the places from `end` on.
  private @Nullable TimerEntry[] entries = new @Nullable TimerEntry[INITIAL_CAPACITY];

  /// The number of places that are used, holes included.
  private int end;

  /// The place of the hole that was made last. It may have been filled since, or be behind the end.
  private int lastHole = TimerEntry.NOWHERE;

  /// The number of timers.
  int size;

  TimerBucket(int number, int level, int shift) {
    this.number = number;
    this.level = level;
    this.shift = shift;
  }

  void add(TimerEntry entry) {
    entry.bucket(number);
    int hole = lastHole;
    if (hole >= 0 && hole < end && entries[hole] == null) {
      lastHole = TimerEntry.NOWHERE;
      entry.place = hole;
      entries[hole] = entry;
    } else {
      if (end == entries.length) {
        makeRoom();
      }
      entry.place = end;
      entries[end++] = entry;
    }
    size++;
  }

  private void makeRoom() {
    if (size <= end / 2) {
      closeHoles();
    } else {
      entries = Arrays.copyOf(entries, end << 1);
    }
  }

  /// Removes an entry of this bucket.
  ///
  /// @return whether it was the only entry
  boolean remove(TimerEntry entry) {
    int place = entry.place;
    entries[place] = null;
    if (place == end - 1) {
      end = place;
    } else {
      lastHole = place;
    }
    size--;
    boolean isSparse = end > KEPT_CAPACITY && size < end / SPARSE;
    if (size == 0 ? end > 0 || entries.length > KEPT_CAPACITY : isSparse) {
      closeHoles();
    }
    entry.place = TimerEntry.NOWHERE;
    return size == 0;
  }

  /// Removes the last entry. The bucket must not be empty.
  TimerEntry removeLast() {
    TimerEntry last;
    do {
      last = entries[--end];
    } while (last == null);
    entries[end] = null;
    if (--size == 0) {
      closeHoles();
    }
    return last;
  }

  private void closeHoles() {
    int count = 0;
    for (int i = 0; count < size; i++) {
      TimerEntry each = entries[i];
      if (each != null) {
        entries[i] = null;
        entries[count] = each;
        each.place = count++;
      }
    }
    end = count;
    lastHole = TimerEntry.NOWHERE;
    if (count == 0 && entries.length > KEPT_CAPACITY) {
      entries = new @Nullable TimerEntry[INITIAL_CAPACITY];
    }
  }

  /// Reads the deadlines of the last entries, in the order in which [#removeLast] removes them.
  ///
  /// @return the number of deadlines read, at most the length of the array
  int readLast(long[] deadlines) {
    int count = 0;
    int most = Math.min(size, deadlines.length);
    for (int i = end; count < most; ) {
      TimerEntry each = entries[--i];
      if (each != null) {
        deadlines[count++] = each.deadlineNanos;
      }
    }
    return count;
  }

  /// Returns the earliest entry. The bucket must not be empty.
  TimerEntry earliest() {
    TimerEntry earliest = null;
    for (int i = 0; i < end; i++) {
      TimerEntry each = entries[i];
      if (each != null && (earliest == null || each.isBefore(earliest))) {
        earliest = each;
      }
    }
    return earliest;
  }

  /// Adds its timers to a list.
  void addTo(List<TimerEntry> all) {
    int _ = visit(0, end, all::add);
  }

  /// Visits the timers in some of its places.
  ///
  /// @param most the most places to visit, holes included
  /// @return the place at which to continue
  int visit(int from, int most, Consumer<TimerEntry> visitor) {
    int to = (int) Math.min(end, (long) from + most);
    for (int i = from; i < to; i++) {
      TimerEntry each = entries[i];
      if (each != null) {
        visitor.accept(each);
      }
    }
    return Math.max(from, to);
  }
}
