package dev.rondo.simulation.threads.internal.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HappensBeforeTest {

  private static final Thread ONE = new Thread("one");
  private static final Thread OTHER = new Thread("other");

  private final HappensBefore<String> order = new HappensBefore<>();
  private final Object data = new Object();

  private @Nullable String write(Thread by, String access) {
    return order.accesses(by, data, "field", true, access);
  }

  private @Nullable String read(Thread by, String access) {
    return order.accesses(by, data, "field", false, access);
  }

  @Test
  void reads_doNotRace() {
    assertNull(read(ONE, "first"));
    assertNull(read(OTHER, "second"));
  }

  @Test
  void write_racesWithARead_alsoBehindAnOrderedOne() {
    assertNull(read(ONE, "read of one"));
    assertNull(read(OTHER, "read of other"));
    order.releases(ONE, data);
    order.acquires(OTHER, data);
    order.releases(OTHER, data);
    assertEquals("read of other", write(ONE, "write"));
  }

  @Test
  void release_ordersWhatWasBefore_andNothingAfter() {
    assertNull(write(ONE, "before"));
    order.releases(ONE, "lock");
    order.acquires(OTHER, "lock");
    assertNull(read(OTHER, "read"));
    order.releases(OTHER, "lock");
    order.acquires(ONE, "lock");
    order.releases(ONE, "lock");
    order.acquires(OTHER, "lock");
    assertNull(write(ONE, "after"));
    assertEquals("after", write(OTHER, "write"));
  }

  @Test
  void startAndInterrupt_order() {
    assertNull(write(ONE, "write"));
    order.starts(ONE, OTHER);
    assertNull(write(OTHER, "write of other"));
    order.interrupts(OTHER, ONE);
    assertNull(write(ONE, "again"));
  }

  /// Of too many elements the first ones are forgotten.
  @Test
  void largeArray_isKnownInPart() {
    for (int i = 0; i < 10_000; i++) {
      assertNull(order.accesses(ONE, data, i, true, "write"));
    }
    assertNull(order.accesses(OTHER, data, 0, true, "write of other"));
    assertEquals("write", order.accesses(OTHER, data, 9_999, true, "write of other"));
  }

  /// Of too many objects some are forgotten: what they order is no race then.
  @Test
  void manyObjects_stillOrder() {
    assertNull(write(ONE, "write"));
    List<Object> locks = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      locks.add(new Object());
      order.releases(ONE, locks.get(i));
    }
    order.acquires(OTHER, locks.get(5_000));
    assertNull(write(OTHER, "write of other"));
  }
}
