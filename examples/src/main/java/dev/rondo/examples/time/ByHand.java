package dev.rondo.examples.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.time.Deadline;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.Timer;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.VirtualClock.Autojump;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/// The add-on for time without an application, like TINN's test programs, with a clock that the
/// program moves by hand.
final class ByHand {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private ByHand() {}

  static void main() {
    run(IO::println);
  }

  static void run(Consumer<String> out) {
    var clock = new VirtualClock().startAt(Instant.parse("2026-01-01T08:00:00Z"));
    clock.autojump(Autojump.NEVER);
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder())) {
      WaitForTime time = WaitForTime.on(scheduler);
      scheduler.spawn("sleeper", () -> sleep(scheduler, time, out));
      Task<Void> late = scheduler.spawn("late", () -> out.accept("late at " + time.runningTime()));
      time.postpone(late, time.now().plus(SECOND.multipliedBy(7)));
      Timer ticks = time.periodic(SECOND, SECOND.multipliedBy(2), TickPolicy.SKIP, () -> {});
      time.periodic(SECOND.multipliedBy(4), tick -> last(tick, out));
      clock.advanceBy(SECOND.multipliedBy(4));
      out.accept("4 s by hand: %d ticks".formatted(ticks.fired()));
      clock.skip(SECOND.multipliedBy(6)); // as if a turn took so long
      clock.advanceBy(Duration.ZERO);
      out.accept("6 s at once: %d ticks, %d missed".formatted(ticks.fired(), ticks.missed()));
      ticks.cancel();
      out.accept("it is " + clock.instant());
    }
  }

  private static void last(Timer tick, Consumer<String> out) {
    out.accept("cancelled by its handler: " + tick.cancel());
  }

  private static void sleep(Scheduler scheduler, WaitForTime time, Consumer<String> out) {
    Deadline wake = time.now().plus(SECOND.multipliedBy(2));
    time.yield(SECOND);
    out.accept("after 1 s: " + time.runningTime());
    time.yieldUntilTime(wake);
    out.accept("at 2 s: " + time.runningTime());
    Deadline end = time.now().plus(SECOND);
    scheduler.within(
        SECOND.multipliedBy(5),
        () -> {
          Duration left = time.currentDeadline().orElseThrow().minus(time.now());
          out.accept("time left: " + left);
          scheduler.await(time.at(end));
        });
    out.accept("at 3 s: " + time.runningTime());
  }
}
