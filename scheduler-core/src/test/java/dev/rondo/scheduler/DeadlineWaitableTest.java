package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineWaitableTest extends SchedulerTest {

  @Test
  void await_twice_theSpanBeginsWithTheWait() {
    Deadline deadline = Deadline.after(Duration.ofMillis(20));
    runTask(() -> {
      scheduler.await(deadline);
      trace(time.elapsed().toMillis());
      scheduler.await(deadline);
      trace(time.elapsed().toMillis());
    });
    assertTrace("20 40");
  }

  @Test
  void await_byTwoTasksOneCancelled_theOtherIsNotTouched() {
    Deadline deadline = Deadline.after(Duration.ofMillis(20));
    Task<?> first = scheduler.spawn(() -> scheduler.await(deadline));
    scheduler.spawn(() -> {
      scheduler.await(deadline);
      trace(time.elapsed().toMillis());
    });
    runTask(() -> {
      scheduler.yield();
      first.cancel("test");
      scheduler.select(deadline, Waitable.always(1));
    });
    assertTrace("20");
  }

  @Test
  void await_schedulerWithoutTimer_saysWhatToDo() {
    try (Scheduler other = newScheduler()) {
      Task<?> task = other.spawn(() -> other.await(Deadline.after(Duration.ZERO)));
      other.start();
      assertThrows(TaskFailedException.class, task::join);
    }
    takeReported();
  }

  @Test
  void after_negative_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Deadline.after(Duration.ofNanos(-1)));
  }
}
