package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PhaserTest extends OnEveryBackend {

  private Phaser phaser;

  @BeforeEach
  void makePhaser() {
    phaser = new Phaser(scheduler, "p");
  }

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  @Test
  void arriveAndAwait_partiesComeAndGo_phasesEndWhenAllHaveArrived() {
    for (int i = 1; i <= 3; i++) {
      int rounds = i;
      Phaser.Party party = phaser.register();
      scheduler.spawn(() -> {
        try (party) {
          for (int round = 1; round < rounds; round++) {
            log(rounds + " in " + party.arriveAndAwait());
          }
        }
      });
    }
    assertEquals(3, phaser.parties());
    scheduler.start();
    assertEquals(List.of("2 in 1@0", "3 in 1@0", "3 in 2@0"), log);
    assertTrue(phaser.isOver());
    assertEquals(3, phaser.phase());
    assertEquals(0, phaser.parties());
  }

  @Test
  void arrive_withoutWaiting_countsAndOthersWait() {
    Phaser.Party first = phaser.register();
    Phaser.Party second = phaser.register();
    Task<Long> onlooker = scheduler.spawn(() -> scheduler.await(phaser.phase(0)));
    Task<Long> party = scheduler.spawn(first::arriveAndAwait);
    settle();
    assertEquals(1, phaser.missing());
    assertEquals(2, phaser.waiterCount());
    assertEquals(0, second.arrive());
    assertEquals(1, phaser.phase());
    assertEquals(2, phaser.missing());
    scheduler.start();
    assertEquals(1, onlooker.join());
    assertEquals(1, party.join());
  }

  @Test
  void register_inTheMiddle_thePhaseWaitsForItToo() {
    Phaser.Party first = phaser.register();
    Phaser.Party second = phaser.register();
    first.arrive();
    Phaser.Party third = phaser.register();
    second.arrive();
    assertEquals(0, phaser.phase());
    third.arrive();
    assertEquals(1, phaser.phase());
  }

  @Test
  void close_hasNotArrived_theOthersGoOn() {
    Phaser.Party first = phaser.register();
    Phaser.Party second = phaser.register();
    first.arrive();
    second.close();
    second.close();
    assertEquals(1, phaser.phase());
    assertEquals(1, phaser.parties());
    assertEquals("party of phaser 'p', has left", second.toString());
  }

  @Test
  void close_hasArrived_doesNotCountForAnother() {
    Phaser.Party first = phaser.register();
    Phaser.Party second = phaser.register();
    first.arrive();
    first.close();
    assertEquals(0, phaser.phase());
    assertEquals(1, phaser.missing());
    second.arrive();
    assertEquals(1, phaser.phase());
    assertFalse(phaser.isOver());
    second.close();
    assertTrue(phaser.isOver());
  }

  @Test
  void arriveAndAwait_scheduledDirectly_saysWhatItWaitedFor() {
    Phaser.Party first = phaser.register();
    phaser.register();
    Task<?> task =
        scheduler.spawn(() -> {
          String thrown = message(ScheduledDirectlyException.class, first::arriveAndAwait);
          assertTrue(thrown.contains("phase 0 of phaser 'p'"), thrown);
        });
    run(() -> {
      scheduler.yield();
      scheduler.scheduleTask(task, 1L);
      assertEquals(0, phaser.waiterCount());
    });
    task.join();
  }

  @Test
  void arriveAndAwait_cancelled_hasArrived() {
    Phaser.Party first = phaser.register();
    Phaser.Party second = phaser.register();
    Task<Long> task = scheduler.spawn(first::arriveAndAwait);
    settle();
    task.cancel("test");
    assertEquals(0, phaser.waiterCount());
    second.arrive();
    assertEquals(1, phaser.phase());
    scheduler.start();
  }

  @Test
  void awaitPhase_earlierOne_givesWayOnceAndAnswersTheCurrent() {
    Phaser.Party party = phaser.register();
    party.arrive();
    party.arrive();
    scheduler.spawn(() -> log("0 ended: " + scheduler.await(phaser.phase(0))));
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("other@0", "0 ended: 2@0"), log);
  }

  @Test
  void over_waitersGoOnAndRegisterIsRefused() {
    Phaser.Party party = phaser.register();
    Task<Long> onlooker = scheduler.spawn(() -> scheduler.await(phaser.phase(0)));
    settle();
    party.close();
    scheduler.start();
    assertEquals(1, onlooker.join());
    assertEquals(
        "phaser 'p' is over: no party can register",
        message(IllegalStateException.class, phaser::register));
    run(() -> {
      assertEquals(1, scheduler.await(phaser.phase(1)));
      assertEquals(1, scheduler.await(phaser));
    });
  }

  @Test
  void anyMethod_badInput_saysSo() {
    Phaser.Party party = phaser.register();
    phaser.register();
    party.arrive();
    assertEquals(
        "a party of phaser 'p' arrives in phase 0, but it has arrived in it already",
        message(IllegalStateException.class, party::arrive));
    party.close();
    assertEquals(
        "a party of phaser 'p' arrives in phase 0, but it has left",
        message(IllegalStateException.class, party::arriveAndAwait));
    assertEquals(
        "phaser 'p' is in phase 0, and phase 1 has not begun",
        message(IllegalArgumentException.class, () -> phaser.phase(1)));
    assertThrows(IllegalArgumentException.class, () -> phaser.phase(-1));
    assertEquals(1, phaser.missing());
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    Phaser.Party party = phaser.register();
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, party::arrive);
              assertThrows(WrongThreadException.class, party::close);
              assertThrows(WrongThreadException.class, phaser::register);
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
