package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The last task to arrive wakes all others while it is being armed.
class BarrierCrowdTest extends SchedulerTest {

  private static final int CROWD = 40;

  private final WaitQueue<@Nullable Object> arrived = new WaitQueue<>();

  private final Waitable<@Nullable Object> barrier =
      new Waitable<>() {
        @Override
        public void arm(Waiter<? super @Nullable Object> waiter) {
          arrived.add(waiter);
          if (arrived.size() == CROWD) {
            arrived.fireAll("!");
          }
        }

        @Override
        public void disarm(Waiter<? super @Nullable Object> waiter) {
          arrived.remove(waiter);
        }
      };

  private void gather(int size) {
    for (int i = 0; i < size; i++) {
      String name = "w" + i;
      scheduler.spawn(name, () -> trace(name + scheduler.await(barrier)));
    }
    drive();
  }

  private static String all() {
    return IntStream.range(0, CROWD - 1)
        .mapToObj(i -> "w" + i + "!")
        .collect(Collectors.joining(" "));
  }

  @Test
  void await_theLastToArrive_runsBehindTheOthers() {
    gather(CROWD);
    assertTrace(all() + " w" + (CROWD - 1) + "!");
  }

  @Test
  void scheduleOn_theLastToArriveIsNew_hasOnePlaceBehindTheOthers() {
    gather(CROWD - 1);
    var last = scheduler.newTask("last", () -> trace("last" + scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(last, barrier));
    assertEquals(CROWD, scheduler.tasksPending());
    assertEquals(CROWD, scheduler.queue().readyTasks().size());
    scheduler.start();
    assertTrace(all() + " last!");
    assertEquals(0, scheduler.tasksPending());
  }

  @Test
  void scheduleOn_theLastToArriveWasSuspended_hasOnePlaceBehindTheOthers() {
    gather(CROWD - 1);
    var last = scheduler.spawn("last", () -> trace("last" + scheduler.suspend()));
    drive();
    assertTrue(scheduler.queue().scheduleOn(last, barrier));
    scheduler.start();
    assertTrace(all() + " last!");
    assertEquals(0, scheduler.tasksPending());
  }
}
