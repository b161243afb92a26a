package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The places in a bucket; [TimerWheelTest] has the rest.
final class TimerBucketTest {

  private static final int TIMERS = 10;

  private final TimerBucket bucket = new TimerBucket(0, 0, 0);
  private final List<TimerEntry> entries = new ArrayList<>();

  private static final class Entry extends TimerEntry {

    @Override
    void fire() {
      throw new AssertionError("a bucket fires nothing");
    }

    @Override
    String describe() {
      return "an entry";
    }
  }

  private void fill() {
    for (int i = 0; i < TIMERS; i++) {
      var entry = new Entry();
      entries.add(entry);
      bucket.add(entry);
    }
  }

  private int places() {
    return bucket.visit(0, Integer.MAX_VALUE, entry -> {});
  }

  @Test
  void timersThatAreRestarted_fillTheHolesThatTheyLeave() {
    fill();
    for (int round = 0; round < 100; round++) {
      for (TimerEntry each : entries) {
        assertFalse(bucket.remove(each));
        bucket.add(each);
        assertEquals(TIMERS, places());
      }
    }
    var all = new ArrayList<TimerEntry>();
    bucket.addTo(all);
    assertEquals(new HashSet<>(entries), new HashSet<>(all));
    assertEquals(TIMERS, all.size());
  }

  @Test
  void aHoleThatWasFilledOtherwise_isNotFilledAgain() {
    fill();
    assertFalse(bucket.remove(entries.get(TIMERS - 3))); // a hole
    var removed = new ArrayList<TimerEntry>();
    for (int i = 0; i < 3; i++) {
      removed.add(bucket.removeLast()); // the end is before the hole
    }
    for (TimerEntry each : removed) {
      bucket.add(each); // the hole is filled
    }
    bucket.add(entries.get(TIMERS - 3));
    var all = new ArrayList<TimerEntry>();
    bucket.addTo(all);
    assertEquals(new HashSet<>(entries), new HashSet<>(all));
  }
}
