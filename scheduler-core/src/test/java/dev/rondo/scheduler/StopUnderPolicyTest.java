package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// `shutdown(grace)` keeps its promises under every scheduling policy.
class StopUnderPolicyTest extends SchedulerTest {

  private static final int WORKERS = 5;

  private void assertAllCleanUp(Supplier<SchedulingPolicy> policy) {
    try (Scheduler own = configured().policy(policy).build()) {
      time.serve(own);
      for (int i = 0; i < WORKERS; i++) {
        String name = "w" + i;
        own.spawn(
                name,
                () -> {
                  try {
                    own.suspend();
                  } finally {
                    trace(name);
                  }
                })
            .setPriority(Task.MIN_PRIORITY);
      }
      while (own.tasksPending() > 0) {
        own.step();
      }
      var end = own.shutdown(Duration.ZERO, Duration.ZERO);
      own.start();
      assertEquals(List.of(), end.join());
    }
    assertEquals(List.of(), takeReported());
    assertTrace("w4 w3 w2 w1 w0");
  }

  @Test
  void stop_noTimeToCleanUp_roundRobin_eachHasOneTurn() {
    assertAllCleanUp(SchedulingPolicies::roundRobin);
  }

  @Test
  void stop_noTimeToCleanUp_underPriority_eachHasOneTurn() {
    assertAllCleanUp(SchedulingPolicies::priority);
  }

  @Test
  void stop_noTimeToCleanUp_underRandom_eachHasOneTurn() {
    for (int seed = 0; seed < 10; seed++) {
      int each = seed;
      assertAllCleanUp(() -> SchedulingPolicies.random(each));
    }
  }

  @Test
  void stop_aTaskWithADeadlineNeverEnds_underEarliestDeadlineFirst_isGivenUp() {
    Scheduler own = configured().policy(SchedulingPolicies::earliestDeadlineFirst).build();
    time.serve(own);
    boolean[] enough = {false};
    own.spawn(
            "stubborn",
            () -> {
              for (int i = 0; i < 100_000; i++) {
                try {
                  own.yield();
                } catch (TaskCancelled _) {
                  // and goes on
                }
              }
              enough[0] = true;
              return null;
            })
        .setDeadline(Duration.ofSeconds(1));
    own.step();
    var end = own.shutdown(Duration.ZERO, Duration.ZERO);
    own.start();
    assertTrue(end.isDone());
    assertEquals("stubborn", end.join().getFirst().name());
    assertFalse(enough[0], "it was waited for");
    own.close();
    takeReported();
  }
}
