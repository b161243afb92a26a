package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.NullArguments;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class TimeNullArgumentTest {

  private static final Duration MS = Duration.ofMillis(1);

  @Test
  void null_anywhere_isRefusedByName() throws Exception {
    var arguments =
        new NullArguments(() -> new VirtualClock().scheduler(Scheduler.builder()))
            .sample(Task.class, Scheduler::currentTask)
            .sample(SchedulerBuilder.class, scheduler -> Scheduler.builder())
            .sample(WaitForTime.class, WaitForTime::on)
            .sample(Deadline.class, scheduler -> WaitForTime.on(scheduler).now())
            .sample(Backoff.class, scheduler -> Backoff.exponential(1, MS))
            .sample(VirtualClock.class, scheduler -> new VirtualClock())
            .anyTime("VirtualClock.advanceBy") // the clock has no scheduler yet
            .sample(WallClock.class, WallClock::new)
            .sample(Timer.class, scheduler -> WaitForTime.on(scheduler).delay(MS, () -> {}))
            .sample(
                Retry.class,
                scheduler -> new Retry(scheduler, Backoff.exponential(1, MS), new Random(1)));
    assertEquals(List.of(), arguments.notRefused(WaitForTime.class));
  }
}
