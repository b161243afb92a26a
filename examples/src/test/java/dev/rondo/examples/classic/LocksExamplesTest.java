package dev.rondo.examples.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Tests of the classic programs with locks, in virtual time.
@EveryBackend
final class LocksExamplesTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();
  private final List<String> log = new ArrayList<>();

  private void run(Application.Main main) {
    var builder = Application.builder().backend(backend).clock(clock).bare();
    builder.run(main);
  }

  private void log(String text) {
    log.add(clock.elapsed().toMillis() + " " + text);
  }

  @Test
  void philosophers_eachTakesTheLeftForkFirst_areFoundInACycle() {
    var told =
        assertThrows(
            DeadlockException.class,
            () ->
                run(app ->
                    DiningPhilosophers.dine(
                        app, DiningPhilosophers.Manners.LEFT_FIRST, this::log)));
    assertEquals(
        Set.of("Aristotle", "Buddha", "Confucius", "Diogenes", "Epicurus"),
        new HashSet<>(told.cycle()));
    assertTrue(
        told.getMessage().contains("'Buddha' WAITING for mutex 'fork 2', held by 'Confucius'"),
        told::getMessage);
    assertEquals(List.of(), log);
  }

  @Test
  void philosophers_oneTakesTheRightForkFirst_allEat() {
    run(app -> DiningPhilosophers.dine(app, DiningPhilosophers.Manners.LOWER_FIRST, this::log));
    assertEquals(
        List.of(
            "60 Diogenes has eaten",
            "110 Confucius has eaten",
            "160 Buddha has eaten",
            "210 Aristotle has eaten",
            "270 Epicurus has eaten"),
        log);
  }

  @Test
  void barber_moreCustomersThanChairs_someGoAwayAndTheOthersAreServedInOrder() {
    run(app -> SleepingBarber.openShop(app, this::log));
    assertEquals(
        List.of(
            "30 customer 1 has it short",
            "40 customer 5 finds no chair",
            "50 customer 6 finds no chair",
            "60 customer 2 has it short",
            "70 customer 8 finds no chair",
            "80 customer 9 finds no chair",
            "90 customer 3 has it short",
            "120 customer 4 has it short",
            "150 customer 7 has it short"),
        log);
  }

  @Test
  void readersAndWriters_nobodySeesHalfAChangeAndNobodyStarves() {
    run(app -> ReadersWriters.work(app, this::log));
    assertFalse(log.stream().anyMatch(line -> line.contains("torn")), log::toString);
    assertEquals(4 * 3 + 2 * 3, log.size());
    assertTrue(
        log.subList(0, 4).stream().allMatch(line -> line.startsWith("10 reader")), log::toString);
    assertTrue(log.get(4).startsWith("30 writer 1 sees 1"), log::toString);
  }
}
