package dev.rondo.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FlatWheelTest {

  private static final long TICK = 1L << 20;

  private final List<Integer> fired = new ArrayList<>();
  private final FlatWheel wheel = new FlatWheel(5);

  private void arm(int timer, long deadline) {
    wheel.arm(timer, deadline, () -> fired.add(timer));
  }

  @Test
  void advance_sameTick_firesInTheOrderOfDeadlines() {
    arm(0, TICK + 3);
    arm(1, TICK + 1);
    arm(2, 2);
    arm(3, TICK + 2);

    wheel.advance(TICK);
    assertEquals(List.of(2), fired);
    wheel.advance(2 * TICK);
    assertEquals(List.of(2, 1, 3, 0), fired);
  }

  @Test
  void cancel_firstMiddleAndLastOfATick_othersFire() {
    for (int i = 0; i < 5; i++) {
      arm(i, 10 + i);
    }
    wheel.cancel(4);
    wheel.cancel(2);
    wheel.cancel(0);

    wheel.advance(TICK);
    assertEquals(List.of(1, 3), fired);
  }
}
