package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// [Delay]: the time begins with each wait.
class DelayWaitableTest extends SchedulerTest {

  @Test
  void await_twice_theSpanBeginsWithTheWait() {
    Delay pause = Delay.of(Duration.ofMillis(20));
    runTask(() -> {
      scheduler.await(pause);
      trace(time.elapsed().toMillis());
      scheduler.await(pause);
      trace(time.elapsed().toMillis());
    });
    assertTrace("20 40");
  }

  @Test
  void await_byTwoTasksOneCancelled_theOtherIsNotTouched() {
    Delay pause = Delay.of(Duration.ofMillis(20));
    Task<?> first = scheduler.spawn(() -> scheduler.await(pause));
    scheduler.spawn(() -> {
      scheduler.await(pause);
      trace(time.elapsed().toMillis());
    });
    runTask(() -> {
      scheduler.yield();
      first.cancel("test");
      scheduler.select(pause, Waitable.always(1));
    });
    assertTrace("20");
  }

  @Test
  void await_schedulerWithoutTimer_saysWhatToDo() {
    try (Scheduler other = newScheduler()) {
      Task<?> task = other.spawn(() -> other.await(Delay.of(Duration.ZERO)));
      other.start();
      assertThrows(TaskFailedException.class, task::join);
    }
    takeReported();
  }

  @Test
  void of_negative_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Delay.of(Duration.ofNanos(-1)));
  }
}
