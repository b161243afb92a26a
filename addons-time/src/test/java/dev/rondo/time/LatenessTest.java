package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The lateness of a timer beside tasks that are always ready. The timer's task is ready after the
/// turn in which the deadline passes, and has its turn within a round, whatever ran before.
final class LatenessTest extends OnEveryBackend {

  private static final Duration TURN = ms(10);

  /// Checks, at the beginning of each turn of the busy tasks, that no task sleeps past its
  /// deadline.
  private final class Sleeper {

    private final Task<Void> task;
    private long dueNanos;
    private boolean sleeps;
    private long latestTurn = Long.MAX_VALUE;

    Sleeper(int count, Supplier<Duration> durations) {
      task =
          scheduler()
              .spawn(() -> {
                for (int i = 0; i < count; i++) {
                  sleepFor(durations.get());
                }
                sleepers.remove(this);
              });
    }

    private void sleepFor(Duration duration) {
      dueNanos = clock.read() + duration.toNanos();
      sleeps = true;
      time().sleep(duration);
      sleeps = false;
      assertTrue(clock.read() - dueNanos >= 0, "early");
      assertTrue(turns <= latestTurn, "waited longer than a round");
      latestTurn = Long.MAX_VALUE;
    }

    void check() {
      if (sleeps && clock.read() - dueNanos >= 0) {
        assertEquals(TaskState.READY, task.taskState(), "its deadline has passed");
        latestTurn = Math.min(latestTurn, turns + scheduler().tasksPending());
      }
    }
  }

  private static Duration anyDuration(Random random) {
    return Duration.ofNanos(random.nextInt(6) == 0 ? 3_000_000_000L : random.nextInt(30_000_000));
  }

  private final List<Sleeper> sleepers = new ArrayList<>();

  /// How many turns busy tasks have had.
  private long turns;

  private void busyTurn(Duration length) {
    turns++;
    sleepers.forEach(Sleeper::check);
    clock.skip(length);
    scheduler().yield();
  }

  private void busy(int count, Duration length) {
    for (int i = 0; i < count; i++) {
      scheduler()
          .spawn(() -> {
            while (!sleepers.isEmpty()) {
              busyTurn(length);
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1_000, 10_000})
  void sleep_besideLongTurns_isReadyAfterTheTurnUnderWay(int shortTurnsBefore) {
    run(() -> {
      for (int i = 0; i < shortTurnsBefore; i++) {
        scheduler().yield();
      }
    });
    for (int n : new int[] {1, 3, 100}) {
      sleepers.add(new Sleeper(4, () -> ms(20)));
      busy(n, TURN);
      scheduler().start();
    }
  }

  /// The deadline is armed, and turns are short, long before they become long.
  @Test
  void sleep_turnsBecomeLongMeanwhile_isReadyAfterTheTurnUnderWay() {
    for (int shortTurns : new int[] {0, 10, 1_000, 10_000}) {
      sleepers.add(new Sleeper(1, () -> ms(25)));
      scheduler()
          .spawn(() -> {
            for (int i = 0; i < shortTurns; i++) {
              scheduler().yield();
            }
            while (!sleepers.isEmpty()) {
              busyTurn(TURN);
            }
          });
      scheduler().start();
    }
  }

  @Test
  void sleeps_besideTurnsOfAnyLength_areReadyAfterTheTurnUnderWay() {
    long seed = new Random().nextLong();
    System.out.println("LatenessTest seed " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      sleepers.add(new Sleeper(20, () -> anyDuration(random)));
    }
    for (int i = 0; i < 10; i++) {
      scheduler()
          .spawn(() -> {
            while (!sleepers.isEmpty()) {
              boolean isLong = random.nextInt(50) == 0;
              busyTurn(Duration.ofNanos(isLong ? random.nextInt(20_000_000) : random.nextInt(300)));
            }
          });
    }
    scheduler().start();
  }
}
