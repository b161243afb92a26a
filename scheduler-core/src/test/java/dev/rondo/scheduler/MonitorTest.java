package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tasks that wait while they hold a monitor that no other task wants.
class MonitorTest extends SchedulerTest {

  /// A waitable that `synchronized` library code awaits.
  private static final class Event implements Waitable<Integer> {

    private final WaitQueue<Integer> waiting = new WaitQueue<>();

    @Override
    public void arm(Waiter<? super Integer> waiter) {
      waiting.add(waiter);
    }

    @Override
    public void disarm(Waiter<? super Integer> waiter) {
      waiting.remove(waiter);
    }
  }

  @Test
  void await_underAMonitorOfOnesOwn_severalTasksGoOn() {
    runTask(() -> {
      List<Task<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        var lock = new Object();
        tasks.add(
            scheduler.spawn(() -> {
              int sum = 0;
              for (int round = 0; round < 1_000; round++) {
                var event = new Event();
                scheduler.execute(() -> event.waiting.fireFirst(1));
                synchronized (lock) {
                  sum += scheduler.await(round % 2 == 0 ? event : event.map(n -> n));
                }
              }
              return sum;
            }));
      }
      for (Task<Integer> each : tasks) {
        assertEquals(1_000, each.join());
      }
    });
  }
}
