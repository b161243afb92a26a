package dev.rondo.examples.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the programs with the words of time say.
final class TimeProgramsTest {

  private final List<String> told = new ArrayList<>();
  private final VirtualClock clock = new VirtualClock();

  private void run(Application.Main main) {
    Application.builder().bare().clock(clock).run(main);
  }

  @Test
  void flakyService_limitedAndRetried_answers() {
    run(app -> FlakyService.use(app, told::add));
    assertEquals(
        List.of(
            "2 pages",
            "4 pages",
            "6 pages",
            "7 pages",
            "9 pages",
            "10 pages",
            "12 pages by 15 calls; a last line is left out: true",
            "search for rondo",
            "the window is closed, and a search with it: true",
            "3 calls are allowed at once",
            "status 200"),
        told);
  }

  @Test
  void alarms_wallClock_ring() {
    clock.startAt(Instant.parse("2026-01-01T08:30:00Z"));
    run(app -> Alarms.ring(app, new WallClock(app.scheduler()), told::add));
    assertEquals(
        List.of(
            "bell at 09:00",
            "bell at 10:00",
            "the meeting begins",
            "bell at 11:00",
            "an hour was over after 4 s"),
        told);
    assertEquals(Duration.ofHours(3).plusSeconds(4), clock.elapsed());
  }

  @Test
  void byHand_clock_isMoved() {
    ByHand.run(told::add);
    assertEquals(
        List.of(
            "after 1 s: PT1S",
            "at 2 s: PT2S",
            "time left: PT5S",
            "at 3 s: PT3S",
            "cancelled by its handler: true",
            "4 s by hand: 2 ticks",
            "late at PT10S",
            "6 s at once: 3 ticks, 2 missed",
            "it is 2026-01-01T08:00:10Z"),
        told);
  }
}
