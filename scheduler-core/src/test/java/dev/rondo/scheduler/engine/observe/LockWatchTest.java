package dev.rondo.scheduler.engine.observe;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.CapturedLog;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// A lock of the JDK that is held across a suspension: on HANDOFF the loop hangs when another task
/// wants it.
class LockWatchTest {

  private volatile boolean released;

  /// Runs two tasks that both hold a lock while they are suspended. Their thread hangs for ever.
  private void hang(Runnable holding) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          Scheduler scheduler = Scheduler.builder().backend(CoroutineBackends.handoff()).build();
          scheduler.spawn("first", holding::run);
          scheduler.spawn("second", holding::run);
          scheduler.spawn("third", () -> released = true);
          scheduler.start();
        });
  }

  private void holdMonitor(Object monitor) {
    synchronized (monitor) {
      Scheduler.current().yield();
    }
  }

  private void holdLock(Lock lock) {
    lock.lock();
    try {
      Scheduler.current().yield();
    } finally {
      lock.unlock();
    }
  }

  private static void assertReported(CapturedLog log, String how) throws InterruptedException {
    String said = log.awaitLine();
    assertTrue(said.startsWith("ERROR the loop hangs: 'second' waits for a lock"), said);
    int other = said.indexOf("'first' " + how);
    assertTrue(other > 0, said);
    assertTrue(said.substring(0, other).contains("LockWatchTest.hold"), said);
    assertTrue(said.substring(other).contains("LockWatchTest.hold"), said);
  }

  @Test
  void monitorHeldAcrossASuspension_isReportedWithBothStacks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var monitor = new Object();
      hang(() -> holdMonitor(monitor));
      assertReported(log, "holds the lock:");
      assertTrue(!released);
    }
  }

  @Test
  void lockHeldAcrossASuspension_isReportedWithBothStacks() throws InterruptedException {
    try (var log = new CapturedLog()) {
      var lock = new ReentrantLock();
      hang(() -> holdLock(lock));
      assertReported(log, "is suspended, and may hold it:");
      assertTrue(!released);
    }
  }

  /// The thread of a loop whose turn belongs to a coroutine that cannot be asked at first.
  @Test
  void checkThatFailsAndCannotBeLogged_theWatchGoesOn() throws Exception {
    var watcher = new CompletableFuture<Thread>();
    var again = new CompletableFuture<Void>();
    var turn =
        new FailingCoroutine(() -> {
          if (watcher.complete(Thread.currentThread())) {
            throw new Unprintable();
          }
          again.complete(null);
        });
    Thread loop = Thread.ofPlatform().daemon().start(() -> parkFor(again, turn));
    LockWatch.watch(loop);
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
    LockWatch.unwatch(loop);
    LockSupport.unpark(loop);
    loop.join();
  }

  private static void parkFor(CompletableFuture<?> end, Coroutine turn) {
    while (!end.isDone()) {
      LockSupport.park(turn);
    }
  }

  /// Runs an action when it is asked for its thread.
  private record FailingCoroutine(Runnable whenAsked) implements Coroutine {

    @Override
    public Pause resume() {
      return Pause.ENDED;
    }

    @Override
    public void suspend() {}

    @Override
    public StackTraceElement[] stackTrace() {
      return new StackTraceElement[0];
    }

    @Override
    public Thread thread() {
      whenAsked.run();
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
