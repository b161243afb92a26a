package dev.rondo.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The armed timers of one scheduler: earliest deadline first, and in arming order among equals.
///
/// A hierarchical timing wheel (G. Varghese, A. Lauck, *Hashed and hierarchical timing wheels*,
/// 1987) keeps the timers that are still far away, unsorted: arming and disarming are a few writes.
/// A wheel alone fires by its tick. So what is about to be due moves on into a small heap
/// ([TimerHeap]), which sorts it exactly: the *near* timers, those up to a horizon. As in a ladder
/// queue (W. T. Tang, R. S. M. Goh, I. L.-J. Thng, 2005) a timer is sorted only if it lives to see
/// its time; a timeout, which is nearly always cancelled, never is.
///
/// **Buckets.** A deadline is a number of ticks of 16 us, which is read as digits of 6 bits. A
/// timer is at the level of the highest digit in which its tick differs from the horizon's, in the
/// bucket of its own digit there. So all of a lower level comes before all of a higher one, and a
/// bucket is earlier than those with a greater digit. When time comes to a bucket the horizon moves
/// there, and its timers move to lower levels or into the heap: at most nine times in a timer's
/// life, usually three or four.
///
/// **Why not the heap alone.** With a million timers each comparison in a heap is a cache miss.
/// Measured by `TimerBenchmark`.
///
/// Nothing happens between deadlines: [#firstNanos] names the exact one, and the horizon never
/// moves by itself. It is ahead of the clock only if a crowd of timers had to be told apart to name
/// the first; what is armed before it then goes into the heap, which costs O(log n) and no order.
///
/// Deadlines are compared by subtraction, so the clock may wrap; any two of them must be less than
/// 2^63 ns apart. Confined to the scheduler's thread.
final class TimerWheel {

  /// Nanoseconds of a tick, as a shift: 16 us, less than a timer's usual lateness.
  private static final int TICK_BITS = 14;

  private static final long TICK_MASK = (1L << TICK_BITS) - 1;

  private static final int DIGIT_BITS = 6;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int LEVELS = Math.ceilDiv(Long.SIZE - TICK_BITS, DIGIT_BITS);

  /// A bucket with no more timers than these is looked through, or moved into the heap as a whole.
  private static final int FEW = 32;

  /// So many timers are looked at in a row before they are moved. The entries are anywhere in memory,
  /// and a processor waits for many of them at once if nothing else is between: after S. Chen, A.
  /// Ailamaki, P. Gibbons, T. Mowry, *Improving hash join performance through prefetching*, 2004.
  private static final int GROUP = 64;

  /// In place of a bucket's number: it is in the heap.
  private static final int NEAR = -1;

  private final TimerHeap near = new TimerHeap();

  /// By level and digit; null if there never was a timer in it.
  private final @Nullable TimerBucket[] buckets = new @Nullable TimerBucket[LEVELS * DIGITS];

  /// By level: a bit for each bucket that is not empty.
  private final long[] occupied = new long[LEVELS];

  /// A bit for each level that is not empty.
  private int occupiedLevels;

  /// The last nanosecond of a tick. What is due up to here is in the heap, all else in buckets.
  private long horizonNanos;

  /// For [#open].
  private final long[] deadlines = new long[GROUP];

  private int size;
  private long lastSequence;

  /// An empty wheel, at an instant.
  TimerWheel(long nowNanos) {
    horizonNanos = nowNanos | TICK_MASK;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// Puts an entry in.
  ///
  /// @param entry not armed
  void arm(TimerEntry entry, long deadlineNanos) {
    assert !entry.isArmed() : "armed twice";
    entry.deadlineNanos = deadlineNanos;
    entry.sequence = ++lastSequence;
    size++;
    put(entry, deadlineNanos);
  }

  /// Takes an entry out.
  ///
  /// @return whether it was in
  boolean disarm(TimerEntry entry) {
    if (!entry.isArmed()) {
      return false;
    }
    if (entry.bucket == NEAR) {
      near.remove(entry);
    } else {
      TimerBucket bucket = bucket(entry.bucket);
      bucket.remove(entry);
      if (bucket.size() == 0) {
        vacate(bucket);
      }
    }
    entry.setIdle();
    size--;
    return true;
  }

  /// Takes out the earliest if it is due.
  @Nullable TimerEntry pollDue(long nowNanos) {
    while (near.isEmpty()) {
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
      long last = begin + lengthNanos(bucket) - 1;
      open(bucket, bucket.size() > FEW ? begin : nowNanos - last < 0 ? nowNanos : last);
    }
    TimerEntry first = near.first();
    if (nowNanos - first.deadlineNanos < 0) {
      return null;
    }
    near.remove(first);
    first.setIdle();
    size--;
    return first;
  }

  /// The earliest deadline; there is one.
  long firstNanos() {
    while (near.isEmpty()) {
      TimerBucket bucket = earliestBucket();
      if (bucket.size() <= FEW) {
        return bucket.earliest().deadlineNanos;
      }
      open(bucket, beginNanos(bucket));
    }
    return near.first().deadlineNanos;
  }

  /// All that are armed, in no order.
  List<TimerEntry> list() {
    var all = new ArrayList<TimerEntry>(size);
    near.addTo(all);
    for (TimerBucket bucket : buckets) {
      if (bucket != null) {
        bucket.addTo(all);
      }
    }
    return all;
  }

  // Buckets.

  private void put(TimerEntry entry, long deadline) {
    if (deadline - horizonNanos <= 0) {
      entry.bucket = NEAR;
      near.add(entry);
      return;
    }
    long tick = deadline >>> TICK_BITS;
    long difference = tick ^ (horizonNanos >>> TICK_BITS);
    int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(difference)) / DIGIT_BITS;
    int digit = digit(tick, level);
    bucket((level << DIGIT_BITS) + digit).add(entry);
    occupied[level] |= 1L << digit;
    occupiedLevels |= 1 << level;
  }

  private TimerBucket bucket(int number) {
    TimerBucket bucket = buckets[number];
    if (bucket == null) {
      bucket = new TimerBucket(number);
      buckets[number] = bucket;
    }
    return bucket;
  }

  private static int digit(long tick, int level) {
    return (int) (tick >>> (level * DIGIT_BITS)) & (DIGITS - 1);
  }

  private void vacate(TimerBucket bucket) {
    int level = bucket.number >> DIGIT_BITS;
    occupied[level] &=
        ~(1L << bucket.number); // a shift looks at the last six bits alone: the digit
    if (occupied[level] == 0) {
      occupiedLevels &= ~(1 << level);
    }
  }

  /// There is one. Digits count from the horizon's on, and around: so does the clock.
  private TimerBucket earliestBucket() {
    int level = Integer.numberOfTrailingZeros(occupiedLevels);
    int origin = digit(horizonNanos >>> TICK_BITS, level);
    int distance = Long.numberOfTrailingZeros(Long.rotateRight(occupied[level], origin));
    return bucket((level << DIGIT_BITS) + ((origin + distance) & (DIGITS - 1)));
  }

  private static long lengthNanos(TimerBucket bucket) {
    int level = bucket.number >> DIGIT_BITS;
    return 1L << (level * DIGIT_BITS + TICK_BITS);
  }

  /// The first nanosecond of a bucket: the horizon's higher digits, the bucket's own, zeros.
  private long beginNanos(TimerBucket bucket) {
    long length = lengthNanos(bucket);
    long above = -(length << DIGIT_BITS); // zero at a level without digits above
    return (horizonNanos & above) + (bucket.number & (DIGITS - 1)) * length;
  }

  /// Moves the horizon into the earliest bucket and spreads its timers anew: none of them comes
  /// back into this one.
  private void open(TimerBucket bucket, long instant) {
    horizonNanos = instant | TICK_MASK;
    vacate(bucket);
    int count;
    while ((count = bucket.readLast(deadlines)) > 0) {
      for (int i = 0; i < count; i++) {
        put(bucket.removeLast(), deadlines[i]);
      }
    }
  }

  /// Moves the horizon up to an instant before the earliest bucket: then all stay where they are.
  private void advance(long instant) {
    if (instant - horizonNanos > 0) {
      horizonNanos = instant | TICK_MASK;
    }
  }
}
