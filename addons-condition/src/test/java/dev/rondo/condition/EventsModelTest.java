package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Phaser;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Signals, promises, latches, barriers and phasers against sequential models.
final class EventsModelTest extends RandomRuns {

  /// Who waits for a signal, what is kept of it, and what was promised to whom.
  private final class Model implements Waitable<Integer> {

    private final Waitable<Integer> real;
    private final boolean keeps;
    private final Deque<Task<?>> queue = new ArrayDeque<>();
    private final Deque<Integer> kept = new ArrayDeque<>();
    private final Map<Task<?>, Integer> delivered = new HashMap<>();

    Model(Waitable<Integer> real, boolean keeps) {
      this.real = real;
      this.keeps = keeps;
    }

    /// Returns how many it wakes.
    int send(int payload, boolean all) {
      int woken = 0;
      do {
        Task<?> first = queue.poll();
        if (first == null) {
          break;
        }
        deliver(first, payload);
        woken++;
      } while (all);
      if (woken == 0 && keeps) {
        kept.add(payload);
      }
      return woken;
    }

    private void deliver(Task<?> task, int payload) {
      assertEquals(null, delivered.put(task, payload), () -> where() + ": woken twice");
    }

    void got(Task<?> task, Object payload) {
      assertEquals(delivered.remove(task), payload, () -> where() + ": " + task.name());
    }

    @Override
    public boolean poll(Waiter<? super Integer> waiter) {
      if (!kept.isEmpty()) {
        deliver(waiter.task(), kept.remove());
      }
      return real.poll(waiter);
    }

    @Override
    public void arm(Waiter<? super Integer> waiter) {
      queue.add(waiter.task());
      real.arm(waiter);
    }

    @Override
    public void disarm(Waiter<? super Integer> waiter) {
      assertTrue(queue.remove(waiter.task()), () -> where() + ": a signal is lost");
      real.disarm(waiter);
    }
  }

  private Runnable beginSignals(Random random, int users, int operations) {
    Signal<Integer> signal = Signal.create(scheduler, "signal");
    QueuedSignal<Integer> queued = QueuedSignal.create(scheduler, "queued");
    var passing = new Model(signal, false);
    var keeping = new Model(queued, true);
    int[] sent = {0};
    for (int i = 0; i < users; i++) {
      long seed = random.nextLong();
      spawn("w" + i, () -> waitOften(passing, keeping, new Random(seed), operations));
    }
    long seed = random.nextLong();
    spawn(
        "sender",
        () -> {
          var chance = new Random(seed);
          for (int i = 0; i < users * operations; i++) {
            int payload = ++sent[0];
            switch (chance.nextInt(5)) {
              case 0 -> assertEquals(passing.send(payload, false) > 0, signal.signalOne(payload));
              case 1 -> assertEquals(passing.send(payload, true), signal.signalAll(payload));
              case 2 ->
                  assertEquals(passing.send(payload, true), signal.signalAllImmediate(payload));
              case 3 -> assertEquals(keeping.send(payload, false) > 0, queued.signalOne(payload));
              default -> assertEquals(keeping.send(payload, true), queued.signalAll(payload));
            }
            pause(chance);
          }
        });
    return () -> {
      assertEquals(passing.queue.size(), signal.waiterCount(), this::where);
      assertEquals(keeping.queue.size(), queued.waiterCount(), this::where);
      assertEquals(keeping.kept.size(), queued.kept(), this::where);
      if (tasks.stream().allMatch(Task::isDone)) {
        assertEquals(Map.of(), passing.delivered, () -> where() + ": lost");
        assertEquals(Map.of(), keeping.delivered, () -> where() + ": lost");
      }
    };
  }

  private void waitOften(Model passing, Model keeping, Random random, int operations) {
    Task<?> me = scheduler.currentTask();
    for (int i = 0; i < operations; i++) {
      Model model = random.nextBoolean() ? passing : keeping;
      try {
        Object got;
        if (random.nextInt(3) == 0) {
          Selection<Object> won = scheduler.select(passing, keeping, time.after(ms(4)));
          model = won != null && won.index() == 0 ? passing : keeping;
          got = won == null ? null : won.value();
        } else {
          got = scheduler.await(model, ms(1 + random.nextInt(5)));
        }
        trace(me, "got " + got);
        if (got != null) {
          model.got(me, got);
        }
      } catch (TimedOutException e) {
        trace(me, "timeout");
      }
      pause(random);
    }
  }

  private void pause(Random random) {
    switch (random.nextInt(3)) {
      case 0 -> scheduler.yield();
      case 1 -> time.sleep(ms(random.nextInt(3)));
      default -> {}
    }
  }

  @Test
  void signals_disturbedByChance_areAsTheModel() {
    often("signals", random -> beginSignals(random, 6, 8));
  }

  @Test
  void signals_disturbedAtEveryPoint_areAsTheModel() {
    everyPoint("signals", 3, random -> beginSignals(random, 3, 4));
  }

  // Promises and latches.

  private Runnable beginPromise(Random random, int users) {
    var promise = Promise.<Integer>create(scheduler, "p");
    var latch = Latch.create(scheduler, "l", 2);
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
                  latch.await(ms(3));
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
            time.sleep(ms(20));
          } finally {
            if (promise.fulfill(-1)) {
              winners.add(-1);
            }
            assertFalse(promise.fulfill(-2));
          }
        });
    return () -> {
      if (tasks.stream().allMatch(Task::isDone)) {
        assertTrue(winners.size() <= 1, this::where); // none if the last never ran
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
    var barrier = Barrier.create(scheduler, "b", parties);
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
                last[0] += barrier.await(ms(4)) ? 1 : 0;
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
  void barrier_disturbedByChance_allPassOrNobody() {
    often("barrier", random -> beginBarrier(random, 4, 5));
  }

  @Test
  void barrier_disturbedAtEveryPoint_allPassOrNobody() {
    everyPoint("barrier", 5, random -> beginBarrier(random, 3, 4));
  }

  private Runnable beginPhaser(Random random, int parties, int rounds) {
    var phaser = Phaser.create(scheduler, "p");
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
      return; // the others have left before this one came
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
  void phaser_disturbedByChance_nobodyIsLeftBehind() {
    often("phaser", random -> beginPhaser(random, 4, 5));
  }

  @Test
  void phaser_disturbedAtEveryPoint_nobodyIsLeftBehind() {
    everyPoint("phaser", 7, random -> beginPhaser(random, 3, 4));
  }
}
