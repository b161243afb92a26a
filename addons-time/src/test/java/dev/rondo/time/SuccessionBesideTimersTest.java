package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tasks that follow each other on one coroutine while a timer is about to be due: the loop looks
/// at the clock between any two of them.
class SuccessionBesideTimersTest extends OnEveryBackend {

  private static final int MANY = 20_000;

  private int ran;

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /// The bytes that a run allocates for each of many turns, once the scheduler's tables have grown.
  private long bytesPerTurn(Runnable scheduleOne) {
    long bytes = 0;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < MANY; i++) {
        scheduleOne.run();
      }
      var _ = time().delay(ms(1_100), () -> {});
      long before = allocated();
      scheduler().start();
      bytes = allocated() - before;
    }
    assertEquals(3 * MANY, ran);
    return bytes / MANY;
  }

  private void assumeShared() {
    assumeTrue(
        LoopControl.of(scheduler().host()).backend().sharesThread(),
        "elsewhere a task has a thread");
  }

  @Test
  void tasksThatNeverWait_shareACoroutine() {
    assumeShared();
    long each = bytesPerTurn(() -> scheduler().spawn(() -> ran++));
    assertTrue(each < 40, () -> each + " bytes for the turn of a task"); // its result has 16
  }

  @Test
  void delaysThatNeverWait_shareACoroutine() {
    assumeShared();
    long each =
        bytesPerTurn(() -> {
          var _ = time().delay(Duration.ofSeconds(1), () -> ran++);
        });
    assertTrue(each < 40, () -> each + " bytes for the firing of a delay");
  }

  private void longTurn() {
    log("long");
    clock.skip(ms(100));
  }

  @Test
  void timerThatIsDueDuringATask_comesBeforeThoseBehindIt() {
    run(() -> {
      time().at(scheduler().host().nowNanos() + ms(10).toNanos(), () -> log("due"));
      scheduler().yield(); // for the add-on, which sets its deadline
      scheduler().spawn(() -> log("a"));
      scheduler().spawn(this::longTurn);
      scheduler().spawn(() -> log("b"));
    });
    assertEquals(List.of("a@0", "long@0", "due@100", "b@100"), log);
  }

  @Test
  void timerThatIsDueDuringADelay_comesBeforeThoseBehindIt() {
    run(() -> {
      time().delay(ms(10), () -> log("a"));
      time().delay(ms(10), this::longTurn);
      time().delay(ms(10), () -> log("b"));
      time().at(scheduler().host().nowNanos() + ms(20).toNanos(), () -> log("due"));
    });
    assertEquals(List.of("a@10", "long@10", "due@110", "b@110"), log);
  }
}
