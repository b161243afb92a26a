package dev.rondo.benchmarks;

import java.util.Arrays;

/// The limit of timers: a wheel of one level with its lists in flat arrays, made for a fixed number
/// of timers and a fixed range. A timer is an index.
final class FlatWheel {
  private static final int NONE = -1;
  private static final int TICK_SHIFT = 20;

  private final int[] first = new int[RandomTimers.TICKS];
  private final int[] next;
  private final int[] previous;
  private final long[] deadlines;
  private final Runnable[] actions;
  private long[] due = new long[64];
  private long tick;

  FlatWheel(int timers) {
    Arrays.fill(first, NONE);
    next = new int[timers];
    previous = new int[timers];
    deadlines = new long[timers];
    actions = new Runnable[timers];
  }

  private static int slot(long deadline) {
    return (int) (deadline >> TICK_SHIFT) & RandomTimers.TICKS - 1;
  }

  void arm(int timer, long deadline, Runnable action) {
    int slot = slot(deadline);
    int behind = first[slot];
    deadlines[timer] = deadline;
    actions[timer] = action;
    next[timer] = behind;
    previous[timer] = NONE;
    if (behind != NONE) {
      previous[behind] = timer;
    }
    first[slot] = timer;
  }

  void cancel(int timer) {
    int behind = next[timer];
    int before = previous[timer];
    if (behind != NONE) {
      previous[behind] = before;
    }
    if (before == NONE) {
      first[slot(deadlines[timer])] = behind;
    } else {
      next[before] = behind;
    }
  }

  /// Fires all timers whose tick is over, in the order of their deadlines.
  void advance(long now) {
    for (; tick < now >> TICK_SHIFT; tick++) {
      int slot = (int) tick & RandomTimers.TICKS - 1;
      int count = 0;
      for (int timer = first[slot]; timer != NONE; timer = next[timer]) {
        if (count == due.length) {
          due = Arrays.copyOf(due, 2 * count);
        }
        // Within a tick the low bits of the deadline give the order.
        due[count++] = (deadlines[timer] & (1L << TICK_SHIFT) - 1) << Integer.SIZE | timer;
      }
      first[slot] = NONE;
      Arrays.sort(due, 0, count);
      for (int i = 0; i < count; i++) {
        actions[(int) due[i]].run();
      }
    }
  }
}
