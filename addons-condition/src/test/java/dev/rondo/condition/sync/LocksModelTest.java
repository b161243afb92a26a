package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.RandomRuns;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Mutexes, read-write locks and semaphores against one sequential model: units, and tasks that
/// wait for a number of them, first come, first served. A mutex is one unit; a reader takes one of
/// very many, a writer takes all of them.
final class LocksModelTest extends RandomRuns {

  private static final int ALL = 1_000;

  /// The model of one lock, updated by the calls that the real one receives and makes.
  private final class Model {

    private record Wanted(Task<?> task, int units) {}

    private final String name;
    private final int total;
    private final Deque<Wanted> queue = new ArrayDeque<>();
    private final Map<Task<?>, Integer> granted = new HashMap<>();
    private final IntSupplier realQueue;
    private int available;

    Model(String name, int total, IntSupplier realQueue) {
      this.name = name;
      this.total = total;
      this.available = total;
      this.realQueue = realQueue;
    }

    void want(Task<?> task, int units) {
      queue.add(new Wanted(task, units));
      grant();
    }

    /// Returns whether the task took them at once.
    boolean tryWant(Task<?> task, int units) {
      if (!queue.isEmpty() || available < units) {
        return false;
      }
      want(task, units);
      return true;
    }

    void leave(Task<?> task) {
      assertTrue(queue.removeIf(each -> each.task == task), where() + ": a grant is lost");
      grant();
    }

    void release(Task<?> task) {
      available += granted.remove(task);
      grant();
    }

    private void grant() {
      for (Wanted first; (first = queue.peek()) != null && first.units <= available; ) {
        queue.remove();
        available -= first.units;
        assertEquals(null, granted.put(first.task, first.units));
      }
    }

    void got(Task<?> task) {
      assertTrue(granted.containsKey(task), () -> where() + ": " + task + " overtook at " + name);
    }

    void check() {
      assertEquals(queue.size(), realQueue.getAsInt(), () -> where() + ": waiters of " + name);
      assertTrue(available >= 0);
    }

    void checkAllIsBack() {
      assertEquals(total, available, () -> where() + ": units of " + name);
      assertEquals(Map.of(), granted);
    }
  }

  /// One way to take units, which also updates the model.
  private record Way(
      Model model,
      int units,
      Waitable<? extends AutoCloseable> event,
      Supplier<? extends @Nullable AutoCloseable> tryIt) {}

  private final class Tracked implements Waitable<AutoCloseable> {

    private final Way way;
    private boolean queued;

    Tracked(Way way) {
      this.way = way;
    }

    @Override
    public boolean poll(Waiter<? super AutoCloseable> waiter) {
      way.model.want(waiter.task(), way.units);
      queued = true;
      return pollOn(way.event, waiter);
    }

    private <T extends AutoCloseable> boolean pollOn(
        Waitable<T> event, Waiter<? super AutoCloseable> waiter) {
      return event.poll(waiter);
    }

    @Override
    public void arm(Waiter<? super AutoCloseable> waiter) {
      assertTrue(queued);
      armOn(way.event, waiter);
    }

    private <T extends AutoCloseable> void armOn(
        Waitable<T> event, Waiter<? super AutoCloseable> waiter) {
      event.arm(waiter);
    }

    @Override
    public void disarm(Waiter<? super AutoCloseable> waiter) {
      way.model.leave(waiter.task());
      disarmOn(way.event, waiter);
    }

    private <T extends AutoCloseable> void disarmOn(
        Waitable<T> event, Waiter<? super AutoCloseable> waiter) {
      event.disarm(waiter);
    }
  }

  private Runnable begin(Random random, int users, int operations) {
    var mutex = new Mutex(scheduler, "m");
    var inner = new Mutex(scheduler, "inner");
    var lock = new ReadWriteLock(scheduler, "rw");
    var semaphore = new Semaphore(scheduler, "s", 3);
    var mutexModel = new Model("m", 1, mutex::waiterCount);
    var innerModel = new Model("inner", 1, inner::waiterCount);
    var lockModel = new Model("rw", ALL, lock::waiterCount);
    var semaphoreModel = new Model("s", 3, semaphore::waiterCount);
    List<Model> models = List.of(mutexModel, innerModel, lockModel, semaphoreModel);
    var ways =
        List.of(
            new Way(mutexModel, 1, mutex, mutex::tryLock),
            new Way(lockModel, 1, lock.readLock(), lock.readLock()::tryLock),
            new Way(lockModel, ALL, lock.writeLock(), lock.writeLock()::tryLock),
            new Way(semaphoreModel, 1, semaphore, () -> semaphore.tryAcquire(1)),
            new Way(semaphoreModel, 3, semaphore.permits(3), () -> semaphore.tryAcquire(3)));
    var second = new Way(innerModel, 1, inner, inner::tryLock);
    for (int i = 0; i < users; i++) {
      spawn("u" + i, user(ways, second, random.nextLong(), operations));
    }
    return () -> {
      models.forEach(Model::check);
      assertEquals(mutexModel.available == 0, mutex.isLocked());
      assertEquals(semaphoreModel.available, semaphore.available());
      assertEquals(lockModel.available == 0, lock.writeLock().isLocked());
      if (tasks.stream().allMatch(Task::isDone)) {
        models.forEach(Model::checkAllIsBack);
      }
    };
  }

  private TaskAction<?> user(List<Way> ways, Way second, long seed, int operations) {
    var random = new Random(seed);
    return () -> {
      for (int i = 0; i < operations; i++) {
        try {
          take(ways.get(random.nextInt(ways.size())), random, second);
        } catch (TimedOutException | IllegalStateException e) {
          trace(scheduler.currentTask(), e.getClass().getSimpleName());
        }
        pause(random);
      }
    };
  }

  private void take(Way way, Random random, @Nullable Way second) throws Exception {
    Task<?> me = scheduler.currentTask();
    var event = new Tracked(way);
    AutoCloseable taken =
        switch (random.nextInt(6)) {
          case 0 -> {
            boolean could = way.model.tryWant(me, way.units);
            AutoCloseable got = way.tryIt.get();
            assertEquals(could, got != null, () -> where() + ": try of " + way.model.name);
            yield got;
          }
          case 1 -> awaited(scheduler.await(event, ms(1 + random.nextInt(3))));
          case 2 -> {
            Selection<Object> won = scheduler.select(event, time.after(ms(1 + random.nextInt(3))));
            yield awaited(won == null ? null : won.value());
          }
          default -> awaited(scheduler.await(event));
        };
    if (taken == null) {
      trace(me, "nothing of " + way.model.name);
      return;
    }
    way.model.got(me);
    trace(me, "got " + way.units + " of " + way.model.name);
    try {
      pause(random);
      if (second != null && random.nextInt(3) == 0) {
        take(second, random, null);
      }
    } finally {
      trace(me, "releases " + way.model.name);
      way.model.release(me);
      taken.close();
      taken.close();
    }
  }

  /// Null if something else ended the wait.
  private static @Nullable AutoCloseable awaited(@Nullable Object result) {
    return result instanceof LockGuard || result instanceof SemaphorePermit
        ? (AutoCloseable) result
        : null;
  }

  @Test
  void locks_anyProgramDisturbedByChance_areAsTheModel() {
    often("locks", random -> begin(random, 7, 8));
  }

  @Test
  void locks_disturbedAtEveryPoint_areAsTheModel() {
    for (long seed : new long[] {1, 2}) {
      everyPoint("locks", seed, random -> begin(random, 4, 3));
    }
  }
}
