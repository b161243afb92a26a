package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Items that are dealt to loops which open, take, close and end meanwhile.
final class DealingTest {

  private final List<Integer> dropped = new ArrayList<>();
  private int settled;
  private final Dealing<Integer> dealing = new Dealing<>(dropped::add, () -> settled++);

  /// A loop whose actions run when the test says so.
  private final class Loop {

    private final ArrayDeque<Runnable> posted = new ArrayDeque<>();
    private final ArrayDeque<Integer> arrived = new ArrayDeque<>();
    private final Dealing.Share<Integer> share;
    private boolean open = true;

    Loop() {
      share = dealing.join(action -> open && posted.add(action), arrived::add);
    }

    boolean step() {
      Runnable action = posted.poll();
      if (action != null) {
        action.run();
      }
      return action != null;
    }

    List<Integer> run() {
      while (step()) {}
      return List.copyOf(arrived);
    }

    void closeListener() {
      share.close(List.copyOf(arrived));
      arrived.clear();
    }

    /// Actions that the loop has accepted still run.
    void end() {
      open = false;
      run();
      closeListener();
    }

    void take(List<Integer> taken) {
      Integer item = arrived.poll();
      if (item != null) {
        taken.add(item);
        share.taken();
      }
    }
  }

  @Test
  void deal_loopsTakeNothing_getEquallyMany() {
    List<Loop> loops = List.of(new Loop(), new Loop(), new Loop());
    IntStream.range(0, 6).forEach(dealing::deal);
    assertEquals(List.of(0, 3), loops.get(0).run());
    assertEquals(List.of(1, 4), loops.get(1).run());
    assertEquals(List.of(2, 5), loops.get(2).run());
    assertEquals(0, settled);
  }

  @Test
  void deal_oneLoopTakesThem_getsTheNext() {
    var slow = new Loop();
    var fast = new Loop();
    IntStream.range(0, 2).forEach(dealing::deal);
    fast.run();
    fast.take(new ArrayList<>());
    dealing.deal(2);
    assertEquals(List.of(2), fast.run());
    assertEquals(List.of(0), slow.run());
    assertEquals(1, settled);
  }

  @Test
  void close_itemsArrivedAndUnderWay_goToTheOthers() {
    var first = new Loop();
    var second = new Loop();
    IntStream.range(0, 4).forEach(dealing::deal);
    first.step();
    first.closeListener();
    first.run();
    assertEquals(List.of(1, 3, 0, 2), second.run());
    assertTrue(dealing.isShared());
    second.closeListener();
    assertFalse(dealing.isShared());
    assertEquals(List.of(1, 3, 0, 2), dropped);
    assertEquals(4, settled);
  }

  @Test
  void deal_loopHasEnded_goesToAnother() {
    var first = new Loop();
    var second = new Loop();
    first.open = false;
    dealing.deal(0);
    dealing.deal(1);
    assertEquals(List.of(0, 1), second.run());
    second.open = false;
    dealing.deal(2);
    assertEquals(List.of(2), dropped);
    assertFalse(dealing.isShared());
  }

  /// No item is lost or dealt twice, in any order of events.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void deal_anyOrderOfEvents_eachItemIsTakenOrDroppedOnce(long seed) {
    var random = new Random(seed);
    var loops = new ArrayList<Loop>();
    var taken = new ArrayList<Integer>();
    int items = 0;
    for (int i = 0; i < 20_000; i++) {
      Loop any = loops.isEmpty() ? new Loop() : loops.get(random.nextInt(loops.size()));
      if (loops.isEmpty()) {
        loops.add(any);
      }
      switch (random.nextInt(32)) {
        case 0 -> {
          if (loops.size() < 5) {
            loops.add(new Loop());
          }
        }
        case 1 -> any.closeListener();
        case 2 -> {
          any.end();
          loops.remove(any);
        }
        case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 -> dealing.deal(items++);
        default -> {
          any.step();
          any.take(taken);
        }
      }
    }
    List.copyOf(loops).forEach(Loop::end);
    var all = new ArrayList<>(taken);
    all.addAll(dropped);
    Collections.sort(all);
    assertEquals(IntStream.range(0, items).boxed().toList(), all);
    assertEquals(items, settled);
  }
}
