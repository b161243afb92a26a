package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A crowd of timers moves ahead of its time: see [TimerWheel].
class CrowdAheadTest {

  private static final int CROWD = 1_000;

  private static final Ticker STANDING =
      new Ticker() {
        @Override
        public long read() {
          return 0;
        }
      };

  @Test
  void step_crowdInTheNextBucket_someOfItMoves() {
    try (Scheduler scheduler = Scheduler.builder().ticker(STANDING).build()) {
      WaitForTime time = WaitForTime.on(scheduler);
      for (int i = 0; i < CROWD; i++) {
        time.at((1L << 26) + 60_000L * i, () -> {});
      }
      List<Integer> before = buckets(time);
      assertEquals(CROWD, before.size());
      assertEquals(0, time.step());
      assertNotEquals(before, buckets(time));
    }
  }

  private static List<Integer> buckets(WaitForTime time) {
    return time.alarms().list().stream().map(each -> each.bucket()).sorted().toList();
  }
}
