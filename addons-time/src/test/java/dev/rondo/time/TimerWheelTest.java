package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [TimerWheel] against a sorted set as its model.
final class TimerWheelTest {

  /// The number of operations for all origins together.
  private static final long OPERATIONS = Long.getLong("rondo.time.modelOperations", 1_000_000);

  private static final int ORIGINS = 5;

  /// Half the range of a long: no two deadlines of the model may be further apart.
  private static final long FOREVER = Long.MAX_VALUE >> 1;

  private static final class Entry extends TimerEntry {

    /// Its deadline and sequence in the model.
    private long expectedNanos;

    private long armed;

    @Override
    void fire() {
      throw new AssertionError("the wheel fires nothing");
    }

    @Override
    String describe() {
      return "an entry";
    }

    private static int compare(Entry one, Entry other) {
      int byDeadline = Long.signum(one.expectedNanos - other.expectedNanos);
      return byDeadline == 0 ? Long.compare(one.armed, other.armed) : byDeadline;
    }
  }

  private final TimerWheel wheel = new TimerWheel(0);

  private Entry armed(long deadline) {
    var entry = new Entry();
    wheel.arm(entry, deadline);
    return entry;
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1_000_000, 1_000_000_000_000L})
  void pollDue_equalDeadlines_armingOrder(long deadline) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(armed(deadline));
      assertNull(wheel.pollDue(i)); // moves the horizon on
    }
    assertEquals(deadline, wheel.firstNanos());
    for (Entry each : entries) {
      assertSame(each, wheel.pollDue(deadline));
    }
    assertNull(wheel.pollDue(deadline));
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 16_383, 16_384, 16_385, 1L << 20, (1L << 20) - 1, 1L << 61, 1L << 62})
  void pollDue_beforeTheDeadline_null(long deadline) {
    Entry entry = armed(deadline);
    assertNull(wheel.pollDue(deadline - 1));
    assertEquals(deadline, wheel.firstNanos());
    assertSame(entry, wheel.pollDue(deadline));
    assertTrue(wheel.isEmpty());
  }

  @Test
  void pollDue_longAfterTheDeadlines_deadlineOrderAllTheSame() {
    var random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      armed(random.nextLong(3_600_000_000_000L));
    }
    long last = 0;
    for (TimerEntry each; (each = wheel.pollDue(FOREVER)) != null; ) {
      assertTrue(each.deadlineNanos - last >= 0);
      last = each.deadlineNanos;
    }
    assertEquals(0, wheel.size());
  }

  @Test
  void firstNanos_crowdFarAway_exactAndEarlierOnesStillComeFirst() {
    long crowd = 3_600_000_000_000L;
    for (int i = 0; i < 1_000; i++) {
      armed(crowd + 1_000 - i);
    }
    assertEquals(crowd + 1, wheel.firstNanos()); // the horizon moved there
    Entry early = armed(5_000_000);
    Entry earlier = armed(4_999_999);
    assertEquals(4_999_999, wheel.firstNanos());
    assertSame(earlier, wheel.pollDue(5_000_000));
    assertSame(early, wheel.pollDue(5_000_000));
    assertNull(wheel.pollDue(5_000_000));
    assertEquals(crowd + 1, wheel.firstNanos());
  }

  /// Each step has a timer that is due, and no timer has to wait until a crowd has moved.
  @ParameterizedTest
  @ValueSource(ints = {26, 32})
  void cascadeAhead_crowdInTheNextBucket_noStepMovesManyAndOrderIsExact(int bucketBits) {
    int size = 2_000;
    long begin = 1L << bucketBits;
    var random = new Random(2);
    var model = new TreeSet<Entry>(Entry::compare);
    while (model.size() < size) {
      Entry entry = armed(begin + random.nextLong(begin));
      entry.expectedNanos = entry.deadlineNanos;
      entry.armed = model.size();
      model.add(entry);
    }
    List<Entry> all = List.copyOf(model);
    int[] before = buckets(all);
    long step = begin / size;
    for (long now = 0; now < 2 * begin; now += step) {
      while (!model.isEmpty() && model.first().expectedNanos <= now) {
        assertSame(model.pollFirst(), wheel.pollDue(now));
      }
      assertNull(wheel.pollDue(now));
      wheel.cascadeAhead();
      int[] after = buckets(all);
      int moved = 0;
      for (int i = 0; i < size; i++) {
        moved += before[i] == after[i] ? 0 : 1;
      }
      assertTrue(moved < 500, moved + " moved at " + now);
      before = after;
    }
    for (Entry last : model) {
      assertSame(last, wheel.pollDue(2 * begin));
    }
    assertTrue(wheel.isEmpty());
  }

  /// Most of a crowd is disarmed after some of it has moved ahead, so that few are left anywhere.
  @Test
  void firstNanos_fewLeftOfACrowdThatMovedAhead_exact() {
    for (int seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      var wheel = new TimerWheel(0);
      var model = new TreeSet<Entry>(Entry::compare);
      long begin = 1L << 26;
      while (model.size() < 600) {
        var entry = new Entry();
        entry.expectedNanos = begin + random.nextLong(random.nextBoolean() ? begin : begin >> 6);
        entry.armed = model.size();
        model.add(entry);
        wheel.arm(entry, entry.expectedNanos);
      }
      for (int groups = random.nextInt(8); groups > 0; groups--) {
        wheel.cascadeAhead();
      }
      List<Entry> all = new ArrayList<>(model);
      Collections.shuffle(all, random);
      int left = 1 + random.nextInt(60);
      for (Entry each : all.subList(left, all.size())) {
        assertTrue(wheel.disarm(each));
        model.remove(each);
      }
      for (Entry each : model) {
        assertEquals(each.expectedNanos, wheel.firstNanos(), "seed " + seed);
        assertNull(wheel.pollDue(each.expectedNanos - 1), "seed " + seed);
        assertSame(each, wheel.pollDue(each.expectedNanos), "seed " + seed);
      }
    }
  }

  @Test
  void firstNanos_clockAboutToWrap_earlierThanBehindTheWrap() {
    long now = -(1L << 62) - 100;
    var wheel = new TimerWheel(now);
    var before = new Entry();
    var behind = new Entry();
    wheel.arm(behind, now + (1L << 62) + 300);
    wheel.arm(before, now + 200);
    assertEquals(now + 200, wheel.firstNanos());
    assertSame(before, wheel.pollDue(now + 200));
    assertSame(behind, wheel.pollDue(now + (1L << 62) + 300));
  }

  private static int[] buckets(List<Entry> entries) {
    return entries.stream().mapToInt(each -> each.bucket()).toArray();
  }

  @Test
  void disarm_twice_falseTheSecondTime() {
    for (long deadline : new long[] {7, 1_000_000_000}) {
      Entry entry = armed(deadline);
      assertTrue(wheel.disarm(entry));
      assertFalse(wheel.disarm(entry));
      assertEquals(0, wheel.size());
      assertNull(wheel.pollDue(1_000_000_000));
    }
  }

  @Test
  void list_nearAndFar_all() {
    var all = new TreeSet<>(Entry::compare);
    for (int i = 0; i < 10; i++) {
      Entry entry = armed(i * 10_000_000L);
      entry.armed = i;
      all.add(entry);
    }
    assertEquals(10, wheel.list().size());
    assertTrue(wheel.list().containsAll(all));
  }

  /// Deadlines that are close together, so that many are equal, and far apart; around origins where
  /// `<` would fail because the clock wraps on the way; polled at every step, or late.
  @ParameterizedTest
  @ValueSource(
      longs = {0, Long.MAX_VALUE - 500, Long.MIN_VALUE + 3, -500, 4_611_686_018_427_387_000L})
  void anyOperations_besideASortedSet_sameOrder(long origin) {
    long left = OPERATIONS / ORIGINS;
    for (int seed = 0; left > 0; seed++) {
      long count = Math.min(left, 20_000);
      new Model(origin, seed).run(count);
      left -= count;
    }
  }

  private static final class Model {

    private final TreeSet<Entry> model = new TreeSet<>(Entry::compare);
    private final List<Entry> armed = new ArrayList<>();
    private final List<Entry> idle = new ArrayList<>();
    private final Random random;
    private final TimerWheel wheel;
    private final String message;
    private final int magnitude;
    private final int crowd;
    private long now;
    private long armings;

    Model(long origin, int seed) {
      this.random = new Random(seed);
      this.wheel = new TimerWheel(origin);
      this.message = "origin " + origin + ", seed " + seed;
      this.magnitude = 4 + random.nextInt(58); // bits of the longest delay
      this.crowd = random.nextInt(6) * 300;
      this.now = origin;
    }

    void run(long operations) {
      for (long i = 0; i < operations; i++) {
        int dice = random.nextInt(12);
        if (dice < 5 || armed.size() < crowd) {
          arm(delay());
        } else if (dice < 8) {
          disarmOne();
        } else if (dice == 8) {
          disarmFirst();
        } else if (dice == 9) {
          rearmOne();
        } else {
          pass();
        }
        if (random.nextInt(4) == 0) {
          wheel.cascadeAhead();
        }
        check();
      }
    }

    /// A delay of any magnitude: near deadlines are as likely as far ones, some are past, many are
    /// equal.
    private long delay() {
      long bits = random.nextLong() >>> (64 - 1 - random.nextInt(magnitude));
      return Math.min(FOREVER, random.nextInt(8) == 0 ? -(bits & 0xFFFF) : bits);
    }

    private void arm(long delay) {
      Entry entry = idle.isEmpty() ? new Entry() : idle.removeLast();
      armAt(entry, now + delay);
      armed.add(entry);
    }

    private void armAt(Entry entry, long deadline) {
      entry.expectedNanos = deadline;
      entry.armed = ++armings;
      wheel.arm(entry, deadline);
      assertTrue(model.add(entry), message);
    }

    private void disarm(Entry entry) {
      assertTrue(wheel.disarm(entry), message);
      assertFalse(wheel.disarm(entry), message);
      assertTrue(model.remove(entry), message);
    }

    private void disarmOne() {
      if (!armed.isEmpty()) {
        Entry entry = takeAny();
        disarm(entry);
        idle.add(entry);
      }
    }

    private Entry takeAny() {
      int place = random.nextInt(armed.size());
      Entry entry = armed.get(place);
      armed.set(place, armed.getLast());
      armed.removeLast();
      return entry;
    }

    private void disarmFirst() {
      if (!model.isEmpty() && random.nextInt(4) == 0) {
        Entry entry = model.first();
        disarm(entry);
        armed.remove(entry);
        idle.add(entry);
      }
    }

    private void rearmOne() {
      if (!armed.isEmpty()) {
        Entry entry = takeAny();
        disarm(entry);
        armAt(entry, random.nextBoolean() ? entry.expectedNanos : now + delay());
        armed.add(entry);
      }
    }

    /// Advances the clock: a little, exactly to the next deadline, to just before it, or far.
    private void pass() {
      switch (random.nextInt(8)) {
        case 0 -> now += Math.min(FOREVER >> 8, delay() & Long.MAX_VALUE >> 2);
        case 1, 2 -> now += random.nextInt(20_000);
        case 3 -> goTo(-1);
        default -> goTo(0);
      }
      while (!model.isEmpty() && model.first().expectedNanos - now <= 0) {
        Entry expected = model.pollFirst();
        assertSame(expected, wheel.pollDue(now), message);
        armed.remove(expected);
        idle.add(expected);
        if (random.nextInt(16) == 0) {
          arm(delay()); // as a callback does in the middle of a step
        }
      }
      assertNull(wheel.pollDue(now), message);
    }

    private void goTo(long distance) {
      if (!model.isEmpty()) {
        long then = model.first().expectedNanos + distance;
        now = then - now > 0 ? then : now;
      }
    }

    private void check() {
      assertEquals(model.size(), wheel.size(), message);
      if (!model.isEmpty() && random.nextInt(4) == 0) {
        assertEquals(model.first().expectedNanos, wheel.firstNanos(), message);
      }
    }
  }
}
