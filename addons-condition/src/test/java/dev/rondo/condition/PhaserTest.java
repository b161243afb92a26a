package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimeoutException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PhaserTest extends OnEveryBackend {

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  @Test
  void arriveAndAwait_partiesComeAndGo_phasesEndWhenAllHaveArrived() {
    var phaser = new Phaser(scheduler, "p", 0);
    for (int i = 1; i <= 3; i++) {
      int rounds = i;
      assertEquals(0, phaser.register());
      scheduler.spawn(() -> {
        for (int round = 1; round < rounds; round++) {
          log(rounds + " in " + phaser.arriveAndAwait());
        }
        phaser.arriveAndDeregister();
      });
    }
    scheduler.start();
    assertEquals(List.of("2 in 1@0", "3 in 1@0", "3 in 2@0"), log);
    assertTrue(phaser.isOver());
    assertEquals(3, phaser.phase());
    assertEquals(0, phaser.parties());
  }

  @Test
  void arrive_withoutWaiting_countsAndOthersWait() {
    var phaser = new Phaser(scheduler, "p", 2);
    Task<Long> onlooker = scheduler.spawn(() -> phaser.awaitPhase(0));
    Task<Long> party = scheduler.spawn(phaser::arriveAndAwait);
    settle();
    assertEquals(1, phaser.missing());
    assertEquals(2, phaser.tasksPending());
    assertEquals(0, phaser.arrive());
    assertEquals(1, phaser.phase());
    assertEquals(2, phaser.missing());
    scheduler.start();
    assertEquals(1, onlooker.join());
    assertEquals(1, party.join());
  }

  @Test
  void register_inTheMiddle_thePhaseWaitsForItToo() {
    var phaser = new Phaser(scheduler, "p", 1);
    phaser.register();
    phaser.arrive();
    assertEquals(0, phaser.phase());
    phaser.arrive();
    assertEquals(1, phaser.phase());
    phaser.arriveAndDeregister();
    assertEquals(1, phaser.parties());
    phaser.arrive();
    assertEquals(2, phaser.phase());
    assertFalse(phaser.isOver());
  }

  @Test
  void arriveAndAwait_cancelled_hasArrived() {
    var phaser = new Phaser(scheduler, "p", 2);
    Task<Long> task = scheduler.spawn(phaser::arriveAndAwait);
    settle();
    task.cancel("test");
    assertEquals(0, phaser.tasksPending());
    phaser.arrive();
    assertEquals(1, phaser.phase());
    scheduler.start();
  }

  @Test
  void awaitPhase_earlierOne_giveWayOnceAndAnswersTheCurrent() {
    var phaser = new Phaser(scheduler, "p", 1);
    phaser.arrive();
    phaser.arrive();
    scheduler.spawn(() -> log("0 ended: " + phaser.awaitPhase(0)));
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("other@0", "0 ended: 2@0"), log);
  }

  @Test
  void awaitPhase_endsOtherwise_saysSo() {
    var phaser = new Phaser(scheduler, "p", 1);
    Task<?> task =
        scheduler.spawn(() -> {
          String told = message(IllegalStateException.class, () -> phaser.awaitPhase(0));
          assertTrue(told.contains("phase 0 of phaser 'p'"), told);
        });
    run(() -> {
      assertThrows(TimeoutException.class, () -> phaser.awaitPhase(0, ms(5)));
      scheduler.scheduleTask(task, 1L);
      assertEquals(0, phaser.tasksPending());
    });
    task.join();
  }

  @Test
  void over_waitersGoOnAndNobodyCanRegister() {
    var phaser = new Phaser(scheduler, "p", 1);
    Task<Long> onlooker = scheduler.spawn(() -> phaser.awaitPhase(0));
    settle();
    assertEquals(0, phaser.arriveAndDeregister());
    scheduler.start();
    assertEquals(1, onlooker.join());
    assertEquals(
        "phaser 'p' is over: nobody can register",
        message(IllegalStateException.class, phaser::register));
    assertEquals(
        "arrive() of phaser 'p', which is over",
        message(IllegalStateException.class, phaser::arrive));
    run(() -> assertEquals(1, phaser.awaitPhase(1)));
  }

  @Test
  void anyMethod_badInput_saysSo() {
    assertEquals(
        "phaser 'p' needs at least 0 parties, parties=-1",
        message(IllegalArgumentException.class, () -> new Phaser(scheduler, "p", -1)));
    var phaser = new Phaser(scheduler, "p", 0);
    assertEquals(
        "arrive() of phaser 'p', which has no party: register() first",
        message(IllegalStateException.class, phaser::arrive));
    assertEquals(
        "arriveAndDeregister() of phaser 'p', which has no party: register() first",
        message(IllegalStateException.class, phaser::arriveAndDeregister));
    assertEquals(
        "phaser 'p' is in phase 0, and phase 1 has not begun",
        message(IllegalArgumentException.class, () -> phaser.phase(1)));
    assertThrows(IllegalArgumentException.class, () -> phaser.phase(-1));
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var phaser = new Phaser(scheduler, "p", 1);
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, phaser::arrive);
              assertThrows(WrongThreadException.class, phaser::register);
              assertThrows(WrongThreadException.class, phaser::arriveAndDeregister);
              assertThrows(WrongThreadException.class, phaser::phase);
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
    assertEquals(0, phaser.phase());
    assertEquals(1, phaser.parties());
  }
}
