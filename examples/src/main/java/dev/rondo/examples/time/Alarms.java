package dev.rondo.examples.time;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Task;
import dev.rondo.time.Recurrence;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Consumer;

/// Alarms by the wall clock: a meeting, a bell at each full hour, and a clock in another place that
/// is set while a task waits for it.
final class Alarms {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofSeconds(1);

  private Alarms() {}

  static void main() {
    var clock = new VirtualClock(); // three hours are over at once
    Application.builder()
        .clock(clock)
        .run(app -> ring(app, new WallClock(app.scheduler()), IO::println));
  }

  static void ring(Application app, WallClock clock, Consumer<String> out) {
    Instant begin = clock.now();
    Recurrence hourly = last -> Optional.of(nextHour(last));
    Task<Void> bell = clock.recurring(hourly, () -> out.accept("bell at " + time(clock.now())));
    Task<Void> meeting =
        clock.alarm(begin.plus(HOUR.multipliedBy(2)), () -> out.accept("the meeting begins"));
    Task<Void> lunch = clock.alarm(begin.plus(HOUR.multipliedBy(9)), () -> out.accept("lunch"));
    meeting.join();
    lunch.cancel("the meeting goes on");
    app.await(clock.at(begin.plus(HOUR.multipliedBy(3))));
    bell.cancel("silence");
    setTheClock(app, out);
  }

  /// When a clock is set forwards, a wait ends at the next reading.
  private static void setTheClock(Application app, Consumer<String> out) {
    Instant[] shown = {Instant.EPOCH};
    InstantSource station = () -> shown[0];
    var clock = new WallClock(app.scheduler(), station, OFTEN);
    app.delay(OFTEN.multipliedBy(3), () -> shown[0] = Instant.EPOCH.plus(HOUR));
    Duration before = app.runningTime();
    app.await(clock.at(Instant.EPOCH.plus(HOUR)));
    Duration waited = app.runningTime().minus(before);
    out.accept("an hour was over after %d s".formatted(waited.toSeconds()));
  }

  private static Instant nextHour(Instant after) {
    long hours = after.getEpochSecond() / HOUR.toSeconds();
    return Instant.ofEpochSecond((hours + 1) * HOUR.toSeconds());
  }

  private static String time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC).toLocalTime().toString();
  }
}
