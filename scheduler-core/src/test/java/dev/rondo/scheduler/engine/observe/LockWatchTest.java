package dev.rondo.scheduler.engine.observe;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.CapturedLog;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// A lock of the JDK that is held across a suspension: on HANDOFF the loop hangs when another task
/// wants it.
class LockWatchTest {

  private volatile boolean released;

  /// Runs two tasks that both hold a lock while they are suspended, until the hang is reported.
  private void hang(Runnable holding, CapturedLog log) {
    Thread loop =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              Scheduler scheduler =
                  Scheduler.builder().backend(CoroutineBackends.handoff()).build();
              scheduler.spawn("first", holding::run);
              scheduler.spawn("second", holding::run);
              scheduler.spawn("third", () -> released = true);
              scheduler.start();
            });
    while (log.lines().isEmpty() && loop.isAlive()) {
      Thread.onSpinWait();
    }
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

  private static void assertReported(CapturedLog log, String how) {
    String said = log.lines().getFirst();
    assertTrue(said.startsWith("ERROR the loop hangs: 'second' waits for a lock"), said);
    int other = said.indexOf("'first' " + how);
    assertTrue(other > 0, said);
    assertTrue(said.substring(0, other).contains("LockWatchTest.hold"), said);
    assertTrue(said.substring(other).contains("LockWatchTest.hold"), said);
  }

  @Test
  void monitorHeldAcrossASuspension_isReportedWithBothStacks() {
    try (var log = new CapturedLog()) {
      var monitor = new Object();
      hang(() -> holdMonitor(monitor), log);
      assertReported(log, "holds the lock:");
      assertTrue(!released);
    }
  }

  @Test
  void lockHeldAcrossASuspension_isReportedWithBothStacks() {
    try (var log = new CapturedLog()) {
      var lock = new ReentrantLock();
      hang(() -> holdLock(lock), log);
      assertReported(log, "is suspended, and may hold it:");
      assertTrue(!released);
    }
  }
}
