package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// In which passes of a busy loop Netty polls.
final class PollPaceTest {

  private static final long START_NANOS = Long.MAX_VALUE - 5_000; // it wraps
  private static final long PASS_NANOS = 50_000;

  private final PollPace pace = new PollPace();
  private long nowNanos = START_NANOS;

  private boolean pass(int ready) {
    nowNanos += PASS_NANOS;
    boolean due = pace.isDue(nowNanos, ready);
    if (due) {
      pace.polled(nowNanos);
    }
    return due;
  }

  private int polls(int passes, int ready, int fewerInEachPass) {
    pace.polled(nowNanos);
    int left = ready;
    int polls = 0;
    for (int i = 0; i < passes; i++) {
      left -= fewerInEachPass;
      polls += pass(left) ? 1 : 0;
    }
    return polls;
  }

  @Test
  void isDue_sameTasksInEachPass_each100Micros() {
    assertEquals(20, polls(40, 3, 0));
  }

  @Test
  void isDue_moreAndMoreTasks_each100Micros() {
    assertEquals(20, polls(40, 3, -1));
  }

  @Test
  void isDue_fewerAndFewerTasks_eachMillisecond() {
    assertEquals(2, polls(40, 1_000, 10));
  }

  /// They are answered before Netty polls again.
  @Test
  void isDue_tasksThatTheLastPollHasWoken_whenAllHadTheirTurns() {
    assertEquals(0, polls(9, 64, 7));
    assertTrue(pass(0));
  }

  @Test
  void isDue_queueNoShorterAnyMore_atOnce() {
    pace.polled(nowNanos);
    assertFalse(pass(40));
    assertFalse(pass(20));
    assertTrue(pass(20));
  }
}
