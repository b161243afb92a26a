package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.RandomRuns;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Invariants of promises, latches, barriers and phasers, in random runs.
final class SynchronizersModelTest extends RandomRuns {

  // Promises and latches.

  private Runnable beginPromise(Random random, int users) {
    var promise = new Promise<Integer>(scheduler, "p");
    var latch = new Latch(scheduler, "l", 2);
    List<Integer> winners = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      int id = i;
      var chance = new Random(random.nextLong());
      spawn(
          "u" + i,
          () -> {
            pause(chance);
            try {
              switch (chance.nextInt(6)) {
                case 0, 1 -> {
                  if (promise.fulfill(id)) {
                    winners.add(id);
                  }
                  latch.countDown();
                }
                case 2 -> {
                  scheduler.within(ms(3), latch::await);
                  assertEquals(0, latch.count(), this::where);
                }
                case 3 -> assertEquals(promise, Promise.awaitAny(List.of(promise)), this::where);
                default -> {
                  Object got = scheduler.await(promise.map(x -> x), ms(5));
                  if (got != null) {
                    assertEquals(winners, List.of(got), this::where);
                  }
                  trace(scheduler.currentTask(), "got " + got);
                }
              }
            } catch (TimedOutException | IllegalStateException e) {
              trace(scheduler.currentTask(), e.getClass().getSimpleName());
            }
          });
    }
    spawn(
        "last",
        () -> {
          try {
            rest(ms(20));
          } finally {
            if (promise.fulfill(-1)) {
              winners.add(-1);
            }
            assertFalse(promise.fulfill(-2));
          }
        });
    return () -> {
      if (tasks.stream().allMatch(Task::isDone)) {
        assertTrue(winners.size() <= 1, this::where); // nobody wins if "last" did not run
        assertEquals(0, promise.waiterCount(), this::where);
        assertEquals(0, latch.waiterCount(), this::where);
        promise.close();
      }
    };
  }

  @Test
  void promise_disturbedByChance_oneFulfilmentForAll() {
    often("promise", random -> beginPromise(random, 8));
  }

  @Test
  void promise_disturbedAtEveryPoint_oneFulfilmentForAll() {
    for (long seed = 1; seed < 6; seed++) {
      everyPoint("promise", seed, random -> beginPromise(random, 5));
    }
  }

  // Barriers and phasers.

  private Runnable beginBarrier(Random random, int parties, int rounds) {
    var barrier = new Barrier(scheduler, "b", parties);
    int[] passed = {0};
    int[] last = {0};
    for (int i = 0; i < parties; i++) {
      var chance = new Random(random.nextLong());
      spawn(
          "p" + i,
          () -> {
            for (int round = 0; round < rounds; round++) {
              pause(chance);
              try {
                last[0] += scheduler.within(ms(4), barrier::await) ? 1 : 0;
                passed[0]++;
                trace(scheduler.currentTask(), "passed " + barrier.trips());
              } catch (TimedOutException | IllegalStateException e) {
                trace(scheduler.currentTask(), e.getClass().getSimpleName());
                assertTrue(barrier.isBroken(), this::where);
                return;
              }
            }
          });
    }
    return () -> {
      if (tasks.stream().allMatch(Task::isDone)) {
        assertEquals(parties * barrier.trips(), passed[0], this::where);
        assertEquals(barrier.trips(), last[0], this::where);
        assertEquals(0, barrier.waiterCount(), this::where);
      }
    };
  }

  @Test
  void barrier_disturbedByChance_allPassOrNone() {
    often("barrier", random -> beginBarrier(random, 4, 5));
  }

  @Test
  void barrier_disturbedAtEveryPoint_allPassOrNone() {
    everyPoint("barrier", 5, random -> beginBarrier(random, 3, 4));
  }

  private Runnable beginPhaser(Random random, int parties, int rounds) {
    var phaser = new Phaser(scheduler, "p");
    Map<Integer, Long> arrivedIn = new HashMap<>();
    for (int i = 0; i < parties; i++) {
      int id = i;
      var chance = new Random(random.nextLong());
      spawn("p" + i, () -> party(phaser, arrivedIn, id, chance, rounds));
    }
    return () -> {
      if (tasks.stream().allMatch(Task::isDone)) {
        assertEquals(0, phaser.parties(), this::where);
        assertEquals(0, phaser.waiterCount(), this::where);
      }
    };
  }

  private void party(
      Phaser phaser, Map<Integer, Long> arrivedIn, int id, Random chance, int rounds) {
    @Nullable Task<?> me = scheduler.currentTask();
    if (phaser.isOver()) {
      return; // the others had left before
    }
    arrivedIn.put(id, phaser.phase() - 1);
    try (var party = phaser.register()) {
      for (int round = 0; round < rounds; round++) {
        pause(chance);
        arrivedIn.put(id, phaser.phase());
        long begun = party.arriveAndAwait();
        trace(me, "in " + begun);
        arrivedIn.forEach(
            (other, phase) -> assertTrue(phase >= begun - 1, () -> where() + ": left behind"));
      }
    } catch (IllegalStateException e) {
      trace(me, "woken");
    } finally {
      arrivedIn.remove(id);
    }
  }

  @Test
  void phaser_disturbedByChance_noneIsLeftBehind() {
    often("phaser", random -> beginPhaser(random, 4, 5));
  }

  @Test
  void phaser_disturbedAtEveryPoint_noneIsLeftBehind() {
    everyPoint("phaser", 7, random -> beginPhaser(random, 3, 4));
  }
}
