package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.Coroutine.Pause;
import java.lang.Thread.State;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// Bodies that are interrupted, or block in the JDK.
abstract class CoroutineBlocking extends CoroutineScripts {

  // Interrupts.

  @Test
  void interrupt_ofTheLoopBeforeAResume_isNotLostAndDoesNotSpin() {
    Script made = script(Coroutine::suspend);
    Thread.currentThread().interrupt();
    assertEquals(Pause.SUSPENDED, made.resume());
    assertTrue(Thread.interrupted(), "the interrupt was lost");
    assertEquals(Pause.ENDED, made.resume());
  }

  @Test
  void interrupt_ofTheBodysThreadWhileSuspended_isFoundByTheBody() {
    Script made =
        script(self -> {
          self.suspend();
          trace.append(Thread.interrupted());
        });
    made.go();
    Thread thread = made.coroutine.thread();
    (thread == null ? Thread.currentThread() : thread).interrupt();
    made.toTheEnd();
    assertEquals("true", trace.toString());
    assertFalse(Thread.interrupted());
  }

  @Test
  void interrupt_byTheBody_doesNotKeepItFromSuspending() {
    Script made =
        script(self -> {
          Thread.currentThread().interrupt();
          self.suspend();
          self.suspend();
          trace.append(Thread.interrupted());
        });
    made.toTheEnd();
    assertEquals("true", trace.toString());
  }

  @Test
  void interrupt_ofTheBodysThreadWhileSuspended_leavesItAtRest() {
    Script made = script(Coroutine::suspend);
    made.go();
    Thread thread = made.coroutine.thread();
    if (thread != null && !blocksApart()) { // otherwise it has no thread of its own that could spin
      thread.interrupt();
      while (thread.getState() == State.RUNNABLE) {
        Thread.onSpinWait();
      }
    }
    made.toTheEnd();
  }

  // Blocking in the JDK.

  @Test
  void body_callsThreadYield_goesOn() {
    Script made =
        script(self -> {
          Thread.yield();
          trace.append("a");
          self.suspend();
          Thread.yield();
          trace.append("b");
        });
    assertEquals(Pause.SUSPENDED, made.go());
    assertEquals(Pause.ENDED, made.go());
    assertEquals("ab", trace.toString());
  }

  @Test
  void body_blocksOnAQueue_isReleasedByAnotherThread() {
    var queue = new SynchronousQueue<String>();
    Script made =
        script(self -> {
          trace.append(take(queue));
          self.suspend();
          trace.append(take(queue));
        });
    Thread giver =
        aside(() -> {
          put(queue, "x");
          put(queue, "y");
        });
    made.toTheEnd();
    join(giver);
    assertEquals("xy", trace.toString());
  }

  private static String take(SynchronousQueue<String> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      return "interrupted ";
    }
  }

  private static void put(SynchronousQueue<String> queue, String value) {
    try {
      queue.put(value);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void body_parksWithAPermit_goesOn() {
    Script made =
        script(self -> {
          LockSupport.unpark(Thread.currentThread());
          LockSupport.park();
          trace.append("parked");
        });
    made.toTheEnd();
    assertEquals("parked", trace.toString());
  }

  @Test
  void body_contendsForAMonitorAndALock_getsThem() {
    var monitor = new Object();
    var lock = new ReentrantLock();
    var held = new Semaphore(0);
    var release = new Semaphore(0);
    Thread holder =
        aside(() -> {
          lock.lock();
          try {
            synchronized (monitor) {
              held.release();
              release.acquireUninterruptibly();
            }
          } finally {
            lock.unlock();
          }
        });
    held.acquireUninterruptibly();
    Script made =
        script(self -> {
          synchronized (monitor) {
            trace.append("monitor ");
          }
          lock.lock();
          try {
            trace.append("lock");
          } finally {
            lock.unlock();
          }
        });
    if (blocksApart()) {
      assertEquals(Pause.BLOCKED, made.resume());
      assertEquals("", trace.toString());
    }
    release.release();
    made.toTheEnd();
    join(holder);
    assertEquals("monitor lock", trace.toString());
  }

  @Test
  void blocked_othersGoOn() {
    assumeTrue(blocksApart());
    var queue = new SynchronousQueue<String>();
    Script blocked = script(self -> trace.append(take(queue)));
    assertEquals(Pause.BLOCKED, blocked.resume());
    Script other = script(self -> trace.append("other "));
    other.toTheEnd();
    Thread giver = aside(() -> put(queue, "given"));
    blocked.unblocked.acquireUninterruptibly();
    blocked.toTheEnd();
    join(giver);
    assertEquals("other given", trace.toString());
  }

  @Test
  void interrupt_blocked_leavesTheCall() {
    assumeTrue(blocksApart());
    var queue = new SynchronousQueue<String>();
    Script blocked = script(self -> trace.append(take(queue)));
    assertEquals(Pause.BLOCKED, blocked.resume());
    blocked.coroutine.interrupt();
    blocked.unblocked.acquireUninterruptibly();
    blocked.toTheEnd();
    assertEquals("interrupted ", trace.toString());
  }

  @Test
  void body_startsAVirtualThread_itRuns() {
    var done = new Semaphore(0);
    Script made =
        script(self -> {
          Thread.startVirtualThread(() -> {
            Thread.yield();
            done.release();
          });
          self.suspend();
          done.acquireUninterruptibly();
          trace.append("child ran");
        });
    made.toTheEnd();
    assertEquals("child ran", trace.toString());
    assertNull(made.failure);
  }
}
