package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [TimerHeap] beside a sorted list.
final class TimerHeapTest {

  private static final class Entry extends TimerHeap.Entry {
    @Override
    void fire() {
      throw new AssertionError("the heap fires nothing");
    }
  }

  private final TimerHeap heap = new TimerHeap();

  private Entry armed(long deadline) {
    var entry = new Entry();
    heap.arm(entry, deadline);
    return entry;
  }

  @Test
  void pollDue_equalDeadlines_armingOrder() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(armed(7));
    }
    for (Entry each : entries) {
      assertSame(each, heap.pollDue(7));
    }
    assertNull(heap.pollDue(7));
  }

  @Test
  void pollDue_beforeTheDeadline_null() {
    Entry entry = armed(7);
    assertNull(heap.pollDue(6));
    assertSame(entry, heap.pollDue(8));
  }

  @Test
  void disarm_twice_falseTheSecondTime() {
    Entry entry = armed(7);
    assertTrue(heap.disarm(entry));
    assertFalse(heap.disarm(entry));
    assertEquals(0, heap.size());
    assertNull(heap.first());
  }

  /// Deadlines close together, so that many are equal, around an origin where `<` would fail.
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 500, Long.MIN_VALUE + 3, -500})
  void anyOperations_besideASortedList_sameOrder(long origin) {
    for (int seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var heap = new TimerHeap();
      var model = new ArrayList<Entry>(); // by deadline, then by arming
      long now = origin;
      for (int i = 0; i < 2_000; i++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3, 4 -> {
            var entry = new Entry();
            heap.arm(entry, now + random.nextInt(64) - 8);
            insert(model, entry);
          }
          case 5, 6, 7 -> {
            if (!model.isEmpty()) {
              Entry entry = model.remove(random.nextInt(model.size()));
              assertTrue(heap.disarm(entry));
              assertFalse(heap.disarm(entry));
            }
          }
          default -> {
            now += random.nextInt(4);
            while (!model.isEmpty() && model.getFirst().deadlineNanos() - now <= 0) {
              assertSame(model.removeFirst(), heap.pollDue(now), "seed " + seed);
            }
            assertNull(heap.pollDue(now), "seed " + seed);
          }
        }
        assertEquals(model.size(), heap.size());
        assertSame(model.isEmpty() ? null : model.getFirst(), heap.first(), "seed " + seed);
      }
    }
  }

  private static void insert(List<Entry> model, Entry entry) {
    int at = model.size();
    while (at > 0 && model.get(at - 1).deadlineNanos() - entry.deadlineNanos() > 0) {
      at--;
    }
    model.add(at, entry);
  }
}
