package dev.rondo.time;

import dev.rondo.time.internal.ArmedTimer;
import dev.rondo.time.internal.ArmedTimers;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The search of a [TimerWheel]. Confined to the scheduler's thread.
final class TimerSearch implements ArmedTimers.Search {

  /// The most timers that one look visits: some 50 us of the loop's time.
  private static final int TIMERS_PER_LOOK = 1_024;

  /// Finding a group takes as long as looking at this many timers.
  private static final int TIMERS_PER_GROUP = 32;

  /// A timer as it was when it was found.
  private record Found(TimerEntry entry, long deadlineNanos, long arming)
      implements Comparable<Found> {

    static Found of(TimerEntry entry) {
      return new Found(entry, entry.deadlineNanos, entry.arming());
    }

    boolean isThere() {
      return entry.isArmed() && entry.arming() == arming;
    }

    @Override
    public int compareTo(Found other) {
      long distance = deadlineNanos - other.deadlineNanos;
      return distance == 0 ? Long.compare(arming, other.arming) : Long.signum(distance);
    }
  }

  private final Alarms alarms;
  private final TimerWheel wheel;
  private final ArmedTimer.@Nullable Place after;
  private final int most;
  private final TreeSet<Found> earliest = new TreeSet<>();

  /// Null while the search is among the timers that are sorted already, which are due first.
  private @Nullable TimerBucket bucket;

  /// The first instant of the bucket. When that instant has come, the wheel uses the bucket for a
  /// later one.
  private long bucketBegin;

  /// The place at which to continue, in the bucket or among the sorted timers.
  private int place;

  private boolean ended;

  TimerSearch(Alarms alarms, TimerWheel wheel, ArmedTimer.@Nullable Place after, int most) {
    this.alarms = alarms;
    this.wheel = wheel;
    this.after = after;
    this.most = most;
    this.ended = most == 0;
  }

  @Override
  public boolean look() {
    alarms.host.checkThread();
    int left = TIMERS_PER_LOOK;
    while (!ended && left > 0) {
      int from = place;
      place = visit(from, left);
      left -= place - from;
      if (left > 0) {
        enter(wheel.bucketAfter(bucket, bucketBegin));
        left -= TIMERS_PER_GROUP;
      }
    }
    return !ended;
  }

  /// @return the place at which to continue
  private int visit(int from, int many) {
    TimerBucket current = bucket;
    if (current == null) {
      return wheel.near().visit(from, many, this::see);
    }
    return wheel.beginNanos(current) == bucketBegin ? current.visit(from, many, this::see) : from;
  }

  private void enter(@Nullable TimerBucket next) {
    bucket = next;
    place = 0;
    if (next == null) {
      ended = true;
      return;
    }
    bucketBegin = wheel.beginNanos(next);
    ended = earliest.size() == most && bucketBegin - earliest.last().deadlineNanos > 0;
    if (after != null && bucketBegin + (1L << next.shift) - after.deadlineNanos() <= 0) {
      place = Integer.MAX_VALUE; // all of its timers come before
    }
  }

  private void see(TimerEntry timer) {
    if (after != null && !isAfter(timer, after)) {
      return;
    }
    var seen = Found.of(timer);
    if (earliest.size() < most) {
      earliest.add(seen);
    } else if (seen.compareTo(earliest.last()) < 0 && earliest.add(seen)) {
      earliest.pollLast();
    }
  }

  private static boolean isAfter(TimerEntry timer, ArmedTimer.Place place) {
    long distance = timer.deadlineNanos - place.deadlineNanos();
    return distance > 0 || (distance == 0 && timer.arming() > place.number());
  }

  @Override
  public List<ArmedTimer> found() {
    alarms.host.checkThread();
    long now = alarms.host.nowNanos();
    return earliest.stream()
        .filter(Found::isThere)
        .map(each ->
            new ArmedTimer(
                Duration.ofNanos(Math.max(0, each.deadlineNanos - now)),
                each.entry.describe(),
                new ArmedTimer.Place(each.deadlineNanos, each.arming)))
        .toList();
  }

  @Override
  public ArmedTimer.@Nullable Place next() {
    if (most == 0 || earliest.size() < most) {
      return null;
    }
    Found last = earliest.last();
    return new ArmedTimer.Place(last.deadlineNanos, last.arming);
  }

  /// {@return the number of timers found so far}
  @Override
  public String toString() {
    return earliest.size() + " timers found";
  }
}
