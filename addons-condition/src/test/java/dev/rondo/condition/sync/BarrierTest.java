package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BarrierTest extends OnEveryBackend {

  private Barrier barrier;

  @BeforeEach
  void makeBarrier() {
    barrier = new Barrier(scheduler, "b", 3);
  }

  private Task<Void> party(String name, int rounds) {
    return scheduler.spawn(
        name,
        () -> {
          for (int i = 0; i < rounds; i++) {
            log(name + (barrier.await() ? " last" : ""));
          }
        });
  }

  private Task<Void> failing(String name, String because) {
    return scheduler.spawn(
        name,
        () -> {
          var broken = assertThrows(BrokenBarrierException.class, barrier::await);
          assertEquals("barrier 'b' is broken: " + because, broken.getMessage());
          log(name + " failed");
        });
  }

  @Test
  void await_allArrive_goOnInOrderAgainAndAgain() {
    party("a", 2);
    party("b", 2);
    settle();
    assertEquals(2, barrier.waiterCount());
    assertEquals(0, barrier.trips());
    party("c", 2);
    scheduler.start();
    assertEquals(List.of("a@0", "b@0", "c last@0", "a@0", "b@0", "c last@0"), log);
    assertEquals(2, barrier.trips());
  }

  @Test
  void await_oneParty_passesButGivesWay() {
    barrier = new Barrier(scheduler, "b", 1);
    party("a", 2);
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("other@0", "a last@0", "a last@0"), log);
  }

  @Test
  void await_oneIsCancelled_breaksForTheOthersUntilReset() {
    String because = "task 'c' had arrived and stopped waiting";
    failing("a", because);
    Task<Void> cancelled = party("c", 1);
    settle();
    cancelled.cancel("test");
    assertTrue(barrier.isBroken());
    failing("late", because);
    scheduler.start();
    assertEquals(List.of("a failed@0", "late failed@0"), log);
    log.clear();
    assertEquals(0, barrier.reset());
    assertFalse(barrier.isBroken());
    party("a", 1);
    party("b", 1);
    party("c", 1);
    scheduler.start();
    assertEquals(List.of("a@0", "b@0", "c last@0"), log);
  }

  @Test
  void await_oneTimesOut_breaks() {
    failing("a", "task 'main' had arrived and stopped waiting");
    run(() -> assertThrows(TimedOutException.class, () -> scheduler.within(ms(5), barrier::await)));
    assertEquals(List.of("a failed@5"), log);
    assertTrue(barrier.isBroken());
  }

  @Test
  void await_oneIsScheduledDirectly_breaks() {
    Task<?> task =
        scheduler.spawn("s", () -> assertThrows(ScheduledDirectlyException.class, barrier::await));
    settle();
    scheduler.scheduleTask(task);
    failing("a", "task 's' had arrived and stopped waiting");
    scheduler.start();
    task.join();
  }

  @Test
  void await_cancelledAfterAllArrived_isNotBroken() {
    party("a", 1);
    Task<Void> late = party("b", 1);
    settle();
    scheduler.spawn(() -> {
      barrier.await();
      log("c");
    });
    assertTrue(scheduler.step()); // c arrives
    late.cancel("too late");
    scheduler.start();
    assertFalse(barrier.isBroken());
    assertEquals(List.of("a@0", "b@0", "c@0"), log);
  }

  @Test
  void select_losesToATimer_breaksNothingAndHasNotArrived() {
    party("a", 1);
    run(() -> {
      assertEquals(1, scheduler.<Object>select(barrier, time.after(ms(5))).index());
      assertEquals(1, barrier.waiterCount());
      party("b", 1);
      assertFalse(scheduler.await(barrier));
    });
    assertEquals(List.of("a@5", "b last@5"), log);
  }

  @Test
  void reset_someWait_fail() {
    failing("a", "it was reset");
    failing("b", "it was reset");
    settle();
    assertEquals(2, barrier.reset());
    assertFalse(barrier.isBroken());
    scheduler.start();
  }

  @Test
  void make_noParty_saysSo() {
    assertEquals(
        "barrier 'b' needs at least 1 party, parties=0",
        assertThrows(IllegalArgumentException.class, () -> new Barrier(scheduler, "b", 0))
            .getMessage());
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, barrier::await);
              assertThrows(WrongThreadException.class, barrier::reset);
              assertThrows(WrongThreadException.class, barrier::isBroken);
              assertThrows(WrongThreadException.class, barrier::trips);
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
  }
}
