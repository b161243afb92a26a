package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import org.junit.jupiter.api.Test;

/// Netty's selector counts in milliseconds. A deadline that is nearer must not make events late, so
/// the loop blocks where it sees them, and something else ends that wait. Deadlines are in real
/// time: a wait may be longer than they say, and nothing here depends on by how much.
final class NearDeadlineTest {

  private static final long NEAR_NANOS = 900_000;

  /// Ten, with some that a wakeup has ended which came late. In slices there would be 180.
  private static final int MOST_WAITS = 30;

  private static void settle(Scheduler scheduler) {
    while (scheduler.step()) {
      // until the add-on's task idles
    }
  }

  @Test
  void await_lessThanAMillisecondAndATaskWaits_blocksUntilThen() {
    try (Scheduler scheduler = Scheduler.create()) {
      NettyEvents events = WaitForNetty.on(scheduler, NettyTransport.NIO).events();
      events.waitBegun();
      settle(scheduler);
      int waits = 0;
      for (int i = 0; i < 10; i++) {
        long before = scheduler.host().nowNanos();
        while (scheduler.host().nowNanos() - before < NEAR_NANOS) {
          assertFalse(events.await(NEAR_NANOS - (scheduler.host().nowNanos() - before)));
          waits++;
        }
      }
      assertTrue(waits <= MOST_WAITS, "waits=" + waits);
      events.waitEnded();
    }
  }
}
