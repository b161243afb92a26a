package dev.rondo.benchmarks.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Few seeds of [Determinism].
final class DeterminismTest {

  private static final int SEEDS = 5;

  @Test
  void trace_sameSeed_isTheSame() {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<String> trace = MixedWorkload.trace(seed);
      assertEquals("", Determinism.difference(trace, MixedWorkload.trace(seed)), "seed " + seed);
    }
  }

  @Test
  void trace_otherSeed_isAnother() {
    assertNotEquals(MixedWorkload.trace(1), MixedWorkload.trace(2));
  }

  @Test
  void trace_someSeed_hasAnswersFailuresAndFaults() {
    List<String> trace = MixedWorkload.trace(3);
    for (String event :
        List.of("is answered at 7", "is answered at 8", "TimedOut", "fault", "Datagram")) {
      assertTrue(trace.stream().anyMatch(each -> each.contains(event)), event);
    }
  }

  @Test
  void difference_ofTraces_isTheFirstEvent() {
    assertEquals(
        "event 1 is 'b' and 'the end'", Determinism.difference(List.of("a", "b"), List.of("a")));
  }
}
