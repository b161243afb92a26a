package dev.rondo.benchmarks.bugs;

import static dev.rondo.benchmarks.bugs.BugRun.require;

import dev.rondo.condition.Signal;
import dev.rondo.condition.sync.LockGuard;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.ReadWriteLock;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.condition.sync.SemaphorePermit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Locks and permits.
final class LockBugs {

  private static final int PHILOSOPHERS = 3;
  private static final int TRIES = 3;

  private LockBugs() {}

  static List<Bug> all() {
    return List.of(
        new Bug("lock order", LockBugs::lockOrder),
        new Bug("dining philosophers", LockBugs::philosophers),
        new Bug("double release", LockBugs::doubleRelease),
        new Bug("permit leaks on an exception", LockBugs::leak),
        new Bug("double-checked initialisation", LockBugs::doubleChecked),
        new Bug("readers starve a writer", LockBugs::starvation),
        new Bug("two readers upgrade", LockBugs::upgrade),
        new Bug("lock given up in the middle", LockBugs::givenUp));
  }

  private static void lockOrder(BugRun run) {
    Mutex one = new Mutex(run.scheduler(), "one");
    Mutex other = new Mutex(run.scheduler(), "other");
    run.spawn("there", () -> both(run, one, other));
    run.spawn(
        "back",
        () -> {
          run.pause(2);
          both(run, run.mended() ? one : other, run.mended() ? other : one);
        });
  }

  private static void both(BugRun run, Mutex first, Mutex second) {
    try (var _ = first.lock()) {
      run.pause();
      try (var _ = second.lock()) {
        run.pause();
      }
    }
  }

  private static void philosophers(BugRun run) {
    var forks = new ArrayList<Mutex>();
    for (int i = 0; i < PHILOSOPHERS; i++) {
      forks.add(new Mutex(run.scheduler(), "fork " + i));
    }
    for (int i = 0; i < PHILOSOPHERS; i++) {
      int left = i;
      int right = (i + 1) % PHILOSOPHERS;
      run.spawn(
          "philosopher " + i,
          () -> {
            run.pause(2 * left);
            int first = run.mended() ? Math.min(left, right) : left;
            both(run, forks.get(first), forks.get(left + right - first));
          });
    }
  }

  private static void doubleRelease(BugRun run) {
    Semaphore semaphore = new Semaphore(run.scheduler(), "connections", 1);
    boolean[] released = {false};
    run.spawn(
        "use",
        () -> {
          SemaphorePermit _ = semaphore.acquire();
          run.pause();
          release(run, semaphore, released);
        });
    run.spawn(
        "clean up",
        () -> {
          run.pause(4);
          if (semaphore.available() == 0) {
            release(run, semaphore, released);
          }
        });
    run.atTheEnd("one permit", () -> semaphore.available() == 1);
  }

  private static void release(BugRun run, Semaphore semaphore, boolean[] released) {
    if (released[0]) {
      return;
    }
    if (run.mended()) {
      released[0] = true;
    }
    run.pause(); // says goodbye to the peer
    released[0] = true;
    semaphore.release(1);
  }

  private static void leak(BugRun run) {
    Semaphore semaphore = new Semaphore(run.scheduler(), "connections", 1);
    boolean[] broken = {false};
    run.spawn(
        "first",
        () -> {
          SemaphorePermit permit = semaphore.acquire();
          try {
            run.pause();
            if (broken[0]) {
              throw new IllegalStateException("broken");
            }
            permit.close();
          } catch (IllegalStateException _) {
            if (run.mended()) {
              permit.close();
            }
          }
        });
    run.spawn(
        "break",
        () -> {
          run.pause(2);
          broken[0] = true;
        });
    run.spawn(
        "second",
        () -> {
          try (var _ = semaphore.acquire()) {
            run.pause();
          }
        });
  }

  private static void doubleChecked(BugRun run) {
    Mutex mutex = new Mutex(run.scheduler(), "connection");
    int[] opened = {0};
    for (int late : List.of(0, 3)) {
      run.spawn(
          "use",
          () -> {
            run.pause(late);
            if (opened[0] == 0) {
              try (var _ = mutex.lock()) {
                if (!run.mended() || opened[0] == 0) {
                  run.pause();
                  opened[0]++;
                }
              }
            }
          });
    }
    run.atTheEnd("opened once", () -> opened[0] == 1);
  }

  private static void starvation(BugRun run) {
    int[] readers = {0};
    ReadWriteLock lock = new ReadWriteLock(run.scheduler(), "page");
    for (int late : List.of(0, 2)) {
      run.spawn(
          "reader",
          () -> {
            run.pause(late);
            LockGuard guard = run.mended() ? lock.readLock().lock() : null;
            readers[0]++;
            run.pause();
            readers[0]--;
            if (guard != null) {
              guard.close();
            }
          });
    }
    run.spawn(
        "writer",
        () -> {
          run.pause(3);
          if (run.mended()) {
            try (var _ = lock.writeLock().lock()) {
              require("no readers", readers[0] == 0);
            }
          } else {
            awaitNoReaders(run, readers);
          }
        });
  }

  private static void awaitNoReaders(BugRun run, int[] readers) {
    for (int i = 0; i < TRIES; i++) {
      if (readers[0] == 0) {
        return;
      }
      run.pause();
    }
    throw new AssertionError("the writer has starved");
  }

  private static void upgrade(BugRun run) {
    int[] readers = {0};
    var gone = new Signal<@Nullable Void>(run.scheduler(), "reader gone");
    Mutex writer = new Mutex(run.scheduler(), "writer");
    for (int late : List.of(0, 3)) {
      run.spawn(
          "reader that writes",
          () -> {
            run.pause(late);
            LockGuard guard = run.mended() ? writer.lock() : null;
            readers[0]++;
            run.pause();
            while (readers[0] > 1) {
              var _ = run.scheduler().await(gone);
            }
            readers[0]--;
            gone.signalAll(null);
            if (guard != null) {
              guard.close();
            }
          });
    }
  }

  private static void givenUp(BugRun run) {
    Mutex mutex = new Mutex(run.scheduler(), "stock");
    int[] stock = {1};
    for (int late : List.of(0, 3)) {
      run.spawn(
          "buyer",
          () -> {
            run.pause(late);
            boolean there;
            try (var _ = mutex.lock()) {
              there = stock[0] > 0;
              if (there && run.mended()) {
                stock[0]--;
              }
            }
            run.pause(); // asks the bank
            if (there && !run.mended()) {
              try (var _ = mutex.lock()) {
                stock[0]--;
              }
            }
          });
    }
    run.atTheEnd("the stock is not negative", () -> stock[0] >= 0);
  }
}
