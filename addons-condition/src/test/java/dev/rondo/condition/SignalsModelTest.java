package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Signals and queued signals against a sequential model.
final class SignalsModelTest extends RandomRuns {

  /// The tasks that wait for a signal, the signals that are kept, and those in delivery.
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

    /// Returns how many tasks it wakes.
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
    Signal<Integer> signal = new Signal<>(scheduler, "signal");
    QueuedSignal<Integer> queued = new QueuedSignal<>(scheduler, "queued");
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
          model = won.index() == 0 ? passing : keeping;
          got = won.value();
        } else {
          got = scheduler.await(model, ms(1 + random.nextInt(5)));
        }
        trace(me, "got " + got);
        if (got != null) {
          model.got(me, got);
        }
      } catch (TimedOutException e) {
        trace(me, "timeout");
      } catch (ScheduledDirectlyException e) {
        trace(me, "scheduled");
      }
      pause(random);
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
}
