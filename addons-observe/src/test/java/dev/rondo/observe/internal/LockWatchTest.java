package dev.rondo.observe.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A lock of the JDK that is held across a suspension: on CONTINUATION and HANDOFF the loop hangs
/// when another task wants it.
class LockWatchTest {

  private volatile boolean released;

  /// Runs two tasks that both hold a lock while they are suspended. Their thread hangs for ever.
  private void hang(CoroutineBackend backend, Runnable holding) {
    hang(backend, holding, holding);
  }

  private void hang(CoroutineBackend backend, Runnable first, Runnable second) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          Scheduler scheduler = Scheduler.builder().backend(backend).build();
          scheduler.spawn("other", scheduler::suspend);
          scheduler.spawn("first", first::run);
          scheduler.spawn("second", second::run);
          scheduler.spawn("third", () -> released = true);
          scheduler.start();
        });
  }

  private void holdMonitor(Object monitor) {
    synchronized (monitor) {
      Scheduler.current().yield();
    }
  }

  private void holdEntry(ConcurrentHashMap<String, String> cache) {
    cache.computeIfAbsent(
        "key",
        key -> {
          Scheduler.current().yield();
          return "value";
        });
  }

  private void holdLock(Lock lock) {
    lock.lock();
    try {
      Scheduler.current().yield();
    } finally {
      lock.unlock();
    }
  }

  private static String assertReported(CapturedLog log, String how) throws InterruptedException {
    String said = log.awaitLine();
    assertTrue(said.startsWith("ERROR the loop hangs: 'second' waits for a lock"), said);
    int other = said.indexOf("'first' " + how);
    assertTrue(other > 0, said);
    assertTrue(said.substring(0, other).contains("LockWatchTest.hold"), said);
    assertTrue(said.substring(other).contains("LockWatchTest.hold"), said);
    return said;
  }

  @Test
  void monitorHeldAcrossASuspension_isReportedWithBothStacks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var monitor = new Object();
      hang(CoroutineBackends.handoff(), () -> holdMonitor(monitor));
      assertReported(log, "holds the lock:");
      assertTrue(!released);
    }
  }

  /// The JVM does not tell which of the tasks that share a thread holds a lock.
  @Test
  void monitorOnContinuation_isReportedWithBothTasks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var monitor = new Object();
      hang(CoroutineBackends.continuation(), () -> holdMonitor(monitor));
      String said = assertReported(log, "is suspended, and may hold it:");
      assertTrue(said.indexOf("'other' is suspended") > said.indexOf("'first' is"), said);
      assertTrue(
          said.endsWith(
              "use a Mutex, or the BOUND backend. -Drondo.debug=true finds the suspension"),
          said);
      assertTrue(!released);
    }
  }

  @Test
  void cacheOnContinuation_isReportedWithBothTasks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var cache = new ConcurrentHashMap<String, String>();
      hang(CoroutineBackends.continuation(), () -> holdEntry(cache));
      assertReported(log, "is suspended, and may hold it:");
    }
  }

  /// A thread that has the read lock waits for ever for the write lock.
  @Test
  void readLockOnContinuation_isReportedWithBothTasks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var lock = new ReentrantReadWriteLock();
      hang(
          CoroutineBackends.continuation(),
          () -> holdLock(lock.readLock()),
          () -> holdLock(lock.writeLock()));
      assertReported(log, "is suspended, and may hold it:");
    }
  }

  @Test
  void stampedLockOnContinuation_isReportedWithBothTasks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var lock = new StampedLock();
      hang(CoroutineBackends.continuation(), () -> holdLock(lock.asWriteLock()));
      assertReported(log, "is suspended, and may hold it:");
    }
  }

  /// A suspended task keeps all others of the loop from a class that it initializes. The test lets
  /// it go on afterwards: both virtual threads keep their carriers.
  @Test
  void classThatASuspendedTaskInitializes_isReportedWithBothStacks() throws Exception {
    try (var log = new CapturedLog()) {
      Thread first = Thread.ofVirtual().name("first").start(() -> Slow.touch());
      Slow.BEGUN.await();
      Thread second = Thread.ofVirtual().name("second").start(() -> Slow.touch());
      Thread loop = loopOf(body -> new TurnOf(body, second));
      String said;
      try {
        said = log.awaitLine();
      } finally {
        Slow.END.countDown();
      }
      first.join();
      second.join();
      loop.join();
      assertTrue(
          said.startsWith(
              "ERROR the loop hangs: 'second' waits for the class " + Slow.Held.class.getName()),
          said);
      assertTrue(said.contains("'first' initializes it:\n"), said);
      assertTrue(said.contains("LockWatchTest$Slow$Held.<clinit>("), said);
      assertTrue(said.endsWith("start such work from a task"), said);
    }
  }

  /// Has a class that takes its time to be initialized.
  private static final class Slow {
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch END = new CountDownLatch(1);

    static final class Held {
      static int value = slowly();

      private static int slowly() {
        BEGUN.countDown();
        try {
          END.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        return 1;
      }
    }

    static void touch() {
      assertEquals(1, Held.value);
    }
  }

  /// Runs a task on a coroutine of the test, on a thread of its own.
  private static Thread loopOf(Function<Coroutine.Body, Coroutine> coroutines) {
    var backend =
        new CoroutineBackend() {
          @Override
          public String name() {
            return "TEST";
          }

          @Override
          public Coroutine newCoroutine(String name, Coroutine.Body body) {
            return coroutines.apply(body);
          }
        };
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (Scheduler scheduler = Scheduler.builder().backend(backend).build()) {
            scheduler.spawn(() -> {});
            scheduler.start();
          }
        });
  }

  /// A turn that lasts as long as a thread, and seems to be on that thread.
  private record TurnOf(Coroutine.Body body, Thread other) implements Coroutine {

    @Override
    public Pause resume() {
      while (other.isAlive()) {
        LockSupport.parkNanos(this, 1_000_000);
      }
      body.run();
      return Pause.ENDED;
    }

    @Override
    public void suspend() {}

    @Override
    public StackTraceElement[] stackTrace() {
      return new StackTraceElement[0];
    }

    @Override
    public @Nullable Thread thread() {
      return other.isAlive() ? other : null;
    }
  }

  @Test
  void lockHeldAcrossASuspension_isReportedWithBothStacks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var lock = new ReentrantLock();
      hang(CoroutineBackends.handoff(), () -> holdLock(lock));
      assertReported(log, "is suspended, and may hold it:");
      assertTrue(!released);
    }
  }

  /// The thread of a loop whose turn belongs to a coroutine that cannot be asked at first.
  @Test
  void checkThatFailsAndCannotBeLogged_theWatchGoesOn() throws Exception {
    var watcher = new CompletableFuture<Thread>();
    var again = new CompletableFuture<Void>();
    Runnable whenAsked =
        () -> {
          if (watcher.complete(Thread.currentThread())) {
            throw new Unprintable();
          }
          again.complete(null);
        };
    Thread loop = loopOf(body -> new FailingCoroutine(body, again, whenAsked));
    Thread watching = watcher.get();
    Thread.ofVirtual()
        .start(() -> {
          try {
            watching.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          } finally {
            again.completeExceptionally(new AssertionError("the watch has ended"));
          }
        });
    again.get();
    LockSupport.unpark(loop);
    loop.join();
  }

  /// Runs an action when another thread asks for its thread.
  private record FailingCoroutine(
      Body body, CompletableFuture<?> end, Runnable whenAsked, Thread loop) implements Coroutine {

    FailingCoroutine(Body body, CompletableFuture<?> end, Runnable whenAsked) {
      this(body, end, whenAsked, Thread.currentThread());
    }

    @Override
    public Pause resume() {
      while (!end.isDone()) {
        LockSupport.park(this);
      }
      body.run();
      return Pause.ENDED;
    }

    @Override
    public void suspend() {}

    @Override
    public StackTraceElement[] stackTrace() {
      return new StackTraceElement[0];
    }

    @Override
    public @Nullable Thread thread() {
      if (Thread.currentThread() != loop) {
        whenAsked.run();
      }
      return null;
    }
  }

  @Test
  void schedulerThatIsClosed_isNotWatched() {
    Thread thread = Thread.currentThread();
    try (var outer = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
      outer.spawn("task", () -> {});
      try (var inner = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
        inner.spawn("task", () -> {});
      }
      assertTrue(LockWatch.isWatched(thread));
    }
    assertFalse(LockWatch.isWatched(thread));
  }
}
