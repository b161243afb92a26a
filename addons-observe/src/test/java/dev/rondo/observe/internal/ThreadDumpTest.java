package dev.rondo.observe.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {

  private static final String TEXT =
      """
      #1 "owner" 2026-11-22T19:24:04Z
          at app.Work.hold(Work.java:5)
          - locked <java.lang.Object@1>

      #2 "blocked" 2026-11-22T19:24:04Z
          at app.Work.enter(Work.java:7)
          - waiting to lock <java.lang.Object@1>

      #3 "polling" 2026-11-22T19:24:04Z
          at app.Libc.epollWait(Libc.java:150)
      """;

  @Test
  void mayWaitForLock_onlyWhereTheDumpSaysSo() {
    var dump = new ThreadDump(TEXT);
    assertTrue(dump.mayWaitForLock(2));
    assertFalse(dump.mayWaitForLock(3));
    assertTrue(dump.mayWaitForLock(4), "not in the dump");
  }

  @Test
  void ownerOfLockAwaitedBy_isTheOneThatHasLockedIt() {
    var dump = new ThreadDump(TEXT);
    assertEquals("owner", dump.ownerOfLockAwaitedBy(2).name());
  }

  /// The form is that of the JDK, which may change.
  @Test
  void take_aThreadInAMonitor_waitsForItsLock() throws InterruptedException {
    var monitor = new Object();
    var begun = new CountDownLatch(1);
    Thread blocked;
    synchronized (monitor) {
      blocked =
          Thread.ofPlatform()
              .start(() -> {
                begun.countDown();
                synchronized (monitor) {
                  assertTrue(Thread.holdsLock(monitor));
                }
              });
      begun.await();
      while (blocked.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      var dump = ThreadDump.take();
      assertTrue(dump.mayWaitForLock(blocked.threadId()));
      assertFalse(dump.mayWaitForLock(Thread.currentThread().threadId()));
    }
    blocked.join();
  }
}
