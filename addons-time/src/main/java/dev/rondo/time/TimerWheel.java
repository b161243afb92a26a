package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The armed timers of one scheduler: earliest deadline first, and in arming order among equals.
///
/// A hierarchical timing wheel (G. Varghese, A. Lauck, *Hashed and hierarchical timing wheels*,
/// 1987) keeps the distant timers unsorted, so arming and disarming take a few writes. A wheel
/// alone fires with the precision of its tick. So the *near* timers, which are due up to a horizon,
/// move into a small heap ([TimerHeap]), which sorts them exactly. As in a ladder queue (W. T.
/// Tang, R. S. M. Goh, I. L.-J. Thng, 2005) a timer is sorted only if it lasts until then; a
/// timeout, which is nearly always cancelled, is never sorted.
///
/// **Buckets.** A deadline is a number of ticks of 16 us, which is read as digits of 6 bits. A
/// timer is at the level of the highest digit in which its tick differs from the horizon's, in the
/// bucket of its own digit there. When the clock reaches a bucket, the horizon moves there, and its
/// timers move to lower levels or into the heap: they *cascade*. A timer does so at most nine
/// times, usually three or four.
///
/// **Crowds.** A bucket of 4 s may hold a hundred thousand timers, and a due timer would have to
/// wait until all of them have moved. So the timers of the next bucket move to the level below
/// ahead of their time, one group in each pass: see [#cascadeAhead]. So each level is a ring of two
/// times 64 buckets: 64 for the upper bucket that contains the horizon, and 64 for the upper bucket
/// after it.
///
/// **Why not the heap alone.** With a million timers each comparison in a heap is a cache miss.
/// Measured by `ArmCancelBenchmark` and `ExpireBenchmark`.
///
/// Nothing happens between deadlines: [#firstNanos] returns the exact next one, and the horizon
/// never moves by itself. It is ahead of the clock only if many timers had to be sorted to find the
/// first. A timer that is armed before the horizon goes into the heap, in the right order and at a
/// cost of O(log n).
///
/// Deadlines are compared by subtraction, so the clock may wrap around; any two of them must be
/// less than 2^63 ns apart. Confined to the scheduler's thread.
final class TimerWheel {

  /// The nanoseconds of a tick, as a shift: 16 us, less than the usual lateness of a timer.
  private static final int TICK_BITS = 14;

  private static final long TICK_MASK = (1L << TICK_BITS) - 1;

  private static final int DIGIT_BITS = 6;
  private static final int LEVELS = Math.ceilDiv(Long.SIZE - TICK_BITS, DIGIT_BITS);

  /// The buckets of a level, as places in its ring.
  private static final int RING_BITS = DIGIT_BITS + 1;

  private static final int RING = 1 << RING_BITS;

  /// A bucket with at most this many timers is searched, or moved into the heap as a whole.
  private static final int FEW = 32;

  /// A bucket with more timers than this is moved ahead of its time until this many are left.
  private static final int CROWD = 256;

  /// The number of timers that are read in a row before they are moved. The entries are scattered
  /// in memory, and a processor waits for many of them at once if nothing comes between the reads:
  /// after S. Chen, A. Ailamaki, P. Gibbons, T. Mowry, *Improving hash join performance through
  /// prefetching*, 2004.
  private static final int GROUP = 64;

  /// The bucket number of an entry in the heap.
  private static final int NEAR = -1;

  private final TimerHeap near = new TimerHeap();

  /// The timers that are never due.
  private final TimerBucket never = new TimerBucket(TimerEntry.NEVER, 0, 0);

  /// By level and place; null if the bucket has never held a timer. The buckets that contain the
  /// horizon are empty.
  private final @Nullable TimerBucket[] buckets = new @Nullable TimerBucket[LEVELS * RING];

  /// A bit for each bucket, set if it is not empty: two words for each level.
  private final long[] occupied = new long[LEVELS * RING / Long.SIZE];

  /// A bit for each level, set if it is not empty.
  private int occupiedLevels;

  /// The last nanosecond of a tick. Timers due up to here are in the heap, all others in buckets.
  private long horizonNanos;

  /// Scratch space for cascading.
  private final long[] deadlines = new long[GROUP];

  private int size;
  private long lastArming;

  /// Makes an empty wheel whose horizon is at an instant.
  TimerWheel(long nowNanos) {
    horizonNanos = nowNanos | TICK_MASK;
  }

  /// The number of armed timers, including timers that are never due.
  int size() {
    return size + never.size;
  }

  /// Whether no timer will be due.
  boolean isEmpty() {
    return size == 0;
  }

  /// Adds an entry that is not armed.
  void arm(TimerEntry entry, long deadlineNanos) {
    assert !entry.isArmed() : "armed twice";
    entry.deadlineNanos = deadlineNanos;
    entry.arming(++lastArming);
    size++;
    put(entry, deadlineNanos);
  }

  /// Adds an entry that is not armed, and will never be due.
  void armForEver(TimerEntry entry) {
    assert !entry.isArmed() : "armed twice";
    never.add(entry);
  }

  /// Removes an entry.
  ///
  /// @return whether it was armed
  boolean disarm(TimerEntry entry) {
    if (entry.place < 0) { // not armed
      return false;
    }
    int number = entry.bucket();
    if (number == TimerEntry.NEVER) {
      var _ = never.remove(entry);
      return true;
    }
    if (number == NEAR) {
      near.remove(entry);
    } else {
      TimerBucket bucket = requireNonNull(buckets[number]);
      if (bucket.remove(entry)) {
        vacate(bucket);
      }
    }
    size--;
    return true;
  }

  /// Removes the earliest entry if it is due, to be fired; otherwise returns null.
  @Nullable TimerEntry pollDue(long nowNanos) {
    TimerEntry first;
    while ((first = near.first()) == null) {
      if (occupiedLevels == 0) {
        advance(nowNanos);
        return null;
      }
      TimerBucket bucket = earliestBucket();
      long begin = beginNanos(bucket);
      if (nowNanos - begin < 0) {
        advance(nowNanos);
        return null;
      }
      boolean isLowest = Integer.numberOfTrailingZeros(occupiedLevels) == bucket.level;
      if (bucket.size == 1 && isLowest) { // no other is earlier, and it need not move to the heap
        TimerEntry only = bucket.earliest();
        if (nowNanos - only.deadlineNanos < 0) {
          return null;
        }
        var _ = bucket.remove(only);
        vacate(bucket);
        only.setFiring();
        size--;
        return only;
      }
      long last = begin + (1L << bucket.shift) - 1;
      enter(!isSmall(bucket) ? begin : nowNanos - last < 0 ? nowNanos : last);
    }
    if (nowNanos - first.deadlineNanos < 0) {
      return null;
    }
    near.remove(first);
    first.setFiring();
    size--;
    return first;
  }

  /// Returns the earliest deadline. The wheel must not be empty.
  long firstNanos() {
    TimerEntry first;
    while ((first = near.first()) == null) {
      TimerBucket bucket = earliestBucket();
      if (isSmall(bucket)) {
        return bucket.earliest().deadlineNanos;
      }
      enter(beginNanos(bucket));
    }
    return first.deadlineNanos;
  }

  /// Whether [#firstNanos()] takes constant time: no timer has to move for it. The wheel must not
  /// be empty.
  boolean isFirstAtHand() {
    return !near.isEmpty() || isSmall(earliestBucket());
  }

  /// Moves one group of each level's next crowd to the bucket where the wheel will look for it.
  /// Must be called regularly: otherwise the whole crowd has to move when its first timer is due.
  void cascadeAhead() {
    for (int rest = occupiedLevels & ~1; rest != 0; rest &= rest - 1) {
      int level = Integer.numberOfTrailingZeros(rest);
      int entered = number(horizonNanos, level);
      TimerBucket next = buckets[(entered & -RING) + ((entered + 1) & (RING - 1))];
      if (next != null && next.size > CROWD) {
        int count = next.readLast(deadlines);
        for (int i = 0; i < count; i++) {
          put(next.removeLast(), deadlines[i], level - 1);
        }
      }
    }
  }

  /// Returns all armed entries, in no order.
  List<TimerEntry> list() {
    var all = new ArrayList<TimerEntry>(size());
    near.addTo(all);
    never.addTo(all);
    for (TimerBucket bucket : buckets) {
      if (bucket != null) {
        bucket.addTo(all);
      }
    }
    return all;
  }

  // For an observer.

  /// The near timers.
  TimerHeap near() {
    return near;
  }

  /// Returns the bucket that follows another in the order of first instants. Among buckets that
  /// begin at the same instant, the longest comes first, because its timers move to the others.
  /// Returns null if there is none.
  ///
  /// @param last null for the first bucket
  /// @param lastBegin the first instant of the last bucket when it was returned; it may have
  ///   changed since
  @Nullable TimerBucket bucketAfter(@Nullable TimerBucket last, long lastBegin) {
    TimerBucket next = null;
    long begin = 0;
    for (TimerBucket each : buckets) {
      if (each == null || each.size == 0) {
        continue;
      }
      long own = beginNanos(each);
      boolean comes = last == null || isBefore(lastBegin, last.shift, own, each.shift);
      if (comes && (next == null || isBefore(own, each.shift, begin, next.shift))) {
        next = each;
        begin = own;
      }
    }
    return next;
  }

  private static boolean isBefore(long begin, int shift, long otherBegin, int otherShift) {
    long distance = begin - otherBegin;
    return distance == 0 ? shift > otherShift : distance < 0;
  }

  // Buckets.

  private void put(TimerEntry entry, long deadline) {
    if (deadline - horizonNanos <= 0) {
      entry.bucket(NEAR);
      near.add(entry);
      return;
    }
    long difference = (deadline ^ horizonNanos) >>> TICK_BITS;
    put(entry, deadline, (Long.SIZE - 1 - Long.numberOfLeadingZeros(difference)) / DIGIT_BITS);
  }

  private void put(TimerEntry entry, long deadline, int level) {
    int number = number(deadline, level);
    TimerBucket bucket = buckets[number];
    if (bucket == null) {
      bucket = new TimerBucket(number, level, TICK_BITS + level * DIGIT_BITS);
      buckets[number] = bucket;
    }
    bucket.add(entry);
    occupied[number / Long.SIZE] |= 1L << number; // a shift uses the last six bits only
    occupiedLevels |= 1 << level;
  }

  private void vacate(TimerBucket bucket) {
    int level = bucket.level;
    occupied[bucket.number / Long.SIZE] &= ~(1L << bucket.number);
    if ((occupied[2 * level] | occupied[2 * level + 1]) == 0) {
      occupiedLevels &= ~(1 << level);
    }
  }

  // Where buckets are.

  /// Returns the number of the bucket that contains an instant at a level. Its place within the
  /// level consists of the instant's digit there and the last bit of the digit above.
  private static int number(long nanos, int level) {
    long digits = nanos >>> (TICK_BITS + level * DIGIT_BITS);
    return (level << RING_BITS) + ((int) digits & (RING - 1));
  }

  /// Returns the first instant of a bucket; for an empty bucket, the first instant of its next use.
  long beginNanos(TimerBucket bucket) {
    long now = horizonNanos >>> bucket.shift;
    int distance = (bucket.number - (int) now) & (RING - 1);
    return (now + distance) << bucket.shift;
  }

  /// Returns the earliest bucket; at least one is occupied. If a bucket begins at the same instant
  /// as one to which its timers moved ahead of time, the former is returned.
  private TimerBucket earliestBucket() {
    int rest = occupiedLevels;
    TimerBucket earliest = earliestBucket(Integer.numberOfTrailingZeros(rest));
    while ((rest &= rest - 1) != 0) {
      TimerBucket each = earliestBucket(Integer.numberOfTrailingZeros(rest));
      if (beginNanos(each) - beginNanos(earliest) <= 0) {
        earliest = each;
      }
    }
    return earliest;
  }

  /// Returns the earliest bucket of an occupied level. Places count from the horizon's place and
  /// wrap around, as the clock does.
  private TimerBucket earliestBucket(int level) {
    int first = level << RING_BITS;
    int origin = (int) (horizonNanos >>> (TICK_BITS + level * DIGIT_BITS)) & (RING - 1);
    int half = origin / Long.SIZE;
    long begun = occupied[2 * level + half] >>> origin << origin; // from the origin on
    long other = occupied[2 * level + 1 - half];
    int place =
        begun != 0
            ? half * Long.SIZE + Long.numberOfTrailingZeros(begun)
            : other != 0
                ? (1 - half) * Long.SIZE + Long.numberOfTrailingZeros(other)
                : half * Long.SIZE + Long.numberOfTrailingZeros(occupied[2 * level + half]);
    return requireNonNull(buckets[first + place]);
  }

  /// Whether the earliest bucket is cheaper to search, or to move into the heap, as a whole. It is
  /// if it has few timers, and none of them has moved ahead.
  private boolean isSmall(TimerBucket earliest) {
    return earliest.size <= FEW && Integer.numberOfTrailingZeros(occupiedLevels) == earliest.level;
  }

  // The horizon.

  /// Moves the horizon into the earliest bucket and cascades the buckets that contain it now: no
  /// timer returns to the bucket that it was in.
  private void enter(long instant) {
    horizonNanos = instant | TICK_MASK;
    for (int rest = occupiedLevels; rest != 0; ) {
      int level = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rest);
      TimerBucket bucket = buckets[number(horizonNanos, level)];
      if (bucket != null && bucket.size > 0) {
        open(bucket);
      }
      rest = occupiedLevels & ((1 << level) - 1); // opened timers have come to lower levels
    }
  }

  private void open(TimerBucket bucket) {
    vacate(bucket);
    int count;
    do {
      count = bucket.readLast(deadlines);
      for (int i = 0; i < count; i++) {
        put(bucket.removeLast(), deadlines[i]);
      }
    } while (count == GROUP);
  }

  /// Moves the horizon to an instant before the earliest bucket, so that no timer has to move.
  private void advance(long instant) {
    if (instant - horizonNanos > 0) {
      horizonNanos = instant | TICK_MASK;
    }
  }
}
