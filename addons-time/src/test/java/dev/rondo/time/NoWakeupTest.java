package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.IdleStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The loop never wakes up between deadlines: counts its sleeps, with deadlines of all magnitudes,
/// so that every part of the wheel is used.
final class NoWakeupTest extends OnEveryBackend {

  /// The deadline of each sleep of the loop.
  private final class Counting implements IdleStrategy {

    private final List<Long> deadlines = new ArrayList<>();

    @Override
    public void idleUntil(long deadlineNanos) {
      deadlines.add(deadlineNanos);
      clock.idleUntil(deadlineNanos);
    }

    @Override
    public void idle() {
      throw new AssertionError("there is a deadline");
    }

    @Override
    public void wakeup() {
      clock.wakeup();
    }
  }

  private final Counting idler = new Counting();

  private List<Long> start() {
    scheduler().host().idleStrategy(idler);
    scheduler().start();
    return idler.deadlines;
  }

  @Test
  void sleepers_allMagnitudes_oneSleepForEachDeadline() {
    var random = new Random(3);
    var deadlines = new TreeSet<Long>((a, b) -> Long.signum(a - b));
    for (int i = 0; i < 300; i++) {
      long deadline = clock.read() + 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
      deadlines.add(deadline);
      scheduler().spawn(() -> time().yieldUntilTime(new Deadline(deadline)));
    }
    assertEquals(List.copyOf(deadlines), start());
  }

  @Test
  void crowdInOneInstantFarAway_oneSleep() {
    long deadline = scheduler().host().deadlineAfter(ms(3_600_000));
    for (int i = 0; i < 1_000; i++) {
      time().at(deadline, () -> log.add("fired"));
    }
    scheduler().spawn(() -> time().yieldUntilTime(new Deadline(deadline)));
    assertEquals(List.of(deadline), start());
    assertEquals(1_000, log.size());
  }

  @Test
  void timersCancelledMeanwhile_noSleepForThem() {
    long begin = clock.read();
    scheduler()
        .spawn(() -> {
          for (int i = 1; i <= 100; i++) {
            Timer timeout = time().delay(ms(500), () -> log.add("never"));
            sleep(1);
            assertTrue(timeout.cancel());
          }
        });
    List<Long> deadlines = start();
    assertEquals(100, deadlines.size());
    assertEquals(begin + 100_000_000, deadlines.getLast());
    assertEquals(List.of(), log);
  }

  @Test
  void periodic_oneSleepForEachTick() {
    Timer[] timer = new Timer[1];
    timer[0] =
        time()
            .periodic(
                ms(10),
                () -> {
                  if (timer[0].fired() == 1_000) {
                    timer[0].cancel();
                  }
                });
    assertEquals(1_000, start().size());
  }
}
