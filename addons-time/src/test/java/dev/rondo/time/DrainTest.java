package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Repeated work begins no new run once a shutdown has begun. docs/inside/semantics.md, rule 43.
final class DrainTest extends OnEveryBackend {

  private static final Duration DRAIN = Duration.ofSeconds(8);

  /// Runs until nothing keeps the shutdown, which begins at 25 ms.
  private void drain() {
    scheduler()
        .spawn(() -> {
          time().sleep(ms(25));
          var _ = scheduler().shutdown(DRAIN, DRAIN);
        });
    scheduler().start();
  }

  @Test
  void periodic_drainBegins_ends() {
    Timer timer = time().periodic(ms(10), () -> log("tick"));
    drain();
    assertEquals(List.of("tick@10", "tick@20"), log);
    assertFalse(timer.isActive());
    assertEquals(ms(25), clock.elapsed());
  }

  @Test
  void periodic_drainBeginsInARun_endsAfterThatRun() {
    time()
        .periodic(
            ms(20),
            () -> {
              time().sleep(ms(30));
              log("done");
            });
    drain();
    assertEquals(List.of("done@50"), log);
    assertEquals(ms(50), clock.elapsed());
  }

  @Test
  void periodic_madeInADrain_doesNotRun() {
    scheduler()
        .spawn(() -> {
          time().sleep(ms(30));
          assertFalse(time().periodic(ms(10), () -> log("tick")).isActive());
          time().sleep(ms(30));
        });
    drain();
    assertEquals(List.of(), log);
  }

  @Test
  void delay_drainBegins_runs() {
    time().delay(ms(40), () -> log("once"));
    drain();
    assertEquals(List.of("once@40"), log);
  }

  @Test
  void recurring_drainBegins_ends() {
    var wall = new WallClock(scheduler());
    Instant begin = wall.now();
    var task =
        wall.recurring(
            after ->
                Optional.of(begin.plusMillis(after.isBefore(begin.plusMillis(20)) ? 20 : 9000)),
            () -> log("run"));
    drain();
    assertEquals(List.of("run@20"), log);
    assertTrue(task.isDone());
    assertEquals(ms(25), clock.elapsed());
  }
}
