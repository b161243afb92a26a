package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.Coroutine.Pause;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.PinnedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What every [CoroutineBackend] must do. Extend it and say which backend.
///
/// The tests are the loop: they resume on their own thread. Where a body blocks in the JDK, a
/// backend that can suspend just that body answers [Pause#BLOCKED]; others block the test's thread,
/// which is why each such body is released by another thread.
@ExtendWith(HangGuard.class)
public abstract class CoroutineContract {

  private final StringBuilder trace = new StringBuilder();
  private final List<Script> scripts = new ArrayList<>();

  /// For subclasses.
  protected CoroutineContract() {}

  /// The backend to prove.
  protected abstract CoroutineBackend backend();

  /// Whether a frame that cannot be moved makes `suspend` throw. The default says it does.
  protected boolean pins() {
    return true;
  }

  /// Whether a body that blocks in the JDK leaves the loop free. The default says it does not.
  protected boolean blocksApart() {
    return false;
  }

  /// Whether a body may be the loop of other coroutines. The default says it may.
  protected boolean nests() {
    return true;
  }

  /// A body that is driven to its end.
  private final class Script implements Coroutine.Body {

    private final Consumer<Coroutine> code;
    private final Coroutine coroutine;
    private final Semaphore unblocked = new Semaphore(0);
    private @Nullable Throwable failure;
    private boolean ended;

    Script(String name, Consumer<Coroutine> code) {
      this.code = code;
      this.coroutine = backend().newCoroutine(name, this);
      scripts.add(this);
    }

    @Override
    public void run() {
      try {
        code.accept(coroutine);
      } catch (Throwable e) {
        failure = e;
      }
    }

    @Override
    public void unblocked() {
      unblocked.release();
    }

    Pause resume() {
      Pause pause = coroutine.resume();
      ended = pause == Pause.ENDED;
      return pause;
    }

    /// Resumes until it suspends or ends, waiting where it is blocked.
    Pause go() {
      Pause pause;
      while ((pause = resume()) == Pause.BLOCKED) {
        unblocked.acquireUninterruptibly();
      }
      return pause;
    }

    void toTheEnd() {
      while (!ended) {
        go();
      }
      if (failure != null) {
        throw new AssertionError("the body failed", failure);
      }
    }
  }

  private Script script(Consumer<Coroutine> code) {
    return new Script("script", code);
  }

  private static Thread aside(Runnable action) {
    return Thread.ofPlatform().name("aside").daemon().start(action);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Every coroutine was brought to its end. Called by JUnit.
  @AfterEach
  public final void allEnded() {
    assertEquals(List.of(), scripts.stream().filter(each -> !each.ended).toList());
  }

  // In and out.

  @Test
  void newCoroutine_notResumed_runsNothing() {
    Script made = script(self -> trace.append("ran"));
    assertEquals("", trace.toString());
    assertEquals(0, made.coroutine.stackTrace().length);
    made.toTheEnd();
  }

  @Test
  void resume_bodyReturns_ended() {
    Script made = script(self -> trace.append("ran"));
    assertEquals(Pause.ENDED, made.resume());
    assertEquals("ran", trace.toString());
  }

  @Test
  void suspend_severalTimes_alternatesWithResume() {
    Script made =
        script(self -> {
          for (int i = 0; i < 3; i++) {
            trace.append("in").append(i).append(' ');
            self.suspend();
          }
        });
    for (int i = 0; i < 3; i++) {
      assertEquals(Pause.SUSPENDED, made.resume());
      trace.append("out").append(i).append(' ');
    }
    assertEquals(Pause.ENDED, made.resume());
    assertEquals("in0 out0 in1 out1 in2 out2 ", trace.toString());
  }

  @Test
  void resume_ended_isRefused() {
    Script made = script(self -> {});
    made.toTheEnd();
    assertThrows(IllegalStateException.class, made.coroutine::resume);
  }

  @Test
  void suspend_fieldsWrittenOnEachSide_areSeenOnTheOther() {
    int[] cell = new int[1];
    Script made =
        script(self -> {
          for (int i = 0; i < 1_000; i++) {
            cell[0]++;
            self.suspend();
          }
        });
    int seen = 0;
    while (made.resume() == Pause.SUSPENDED) {
      seen++;
      assertEquals(2 * seen - 1, cell[0]);
      cell[0]++;
    }
    assertEquals(2_000, cell[0]);
  }

  @Test
  void suspend_atDepth_keepsEveryFrame() {
    Script made = script(self -> trace.append(sumAtDepth(self, 2_000)));
    assertEquals(Pause.SUSPENDED, made.resume());
    assertEquals(Pause.ENDED, made.resume());
    assertEquals("" + 2_000 * 2_001 / 2, trace.toString());
  }

  private static long sumAtDepth(Coroutine self, int depth) {
    if (depth == 0) {
      self.suspend();
      return 0;
    }
    return depth + sumAtDepth(self, depth - 1);
  }

  @Test
  void suspend_insideTryCatchFinally_unwindsInside() {
    Script made =
        script(self -> {
          try {
            self.suspend();
            throw new IllegalStateException("inside");
          } catch (IllegalStateException e) {
            self.suspend();
            trace.append(e.getMessage());
          } finally {
            self.suspend();
            trace.append(" finally");
          }
        });
    made.toTheEnd();
    assertEquals("inside finally", trace.toString());
  }

  @Test
  void coroutines_many_interleave() {
    var made = new ArrayList<Script>();
    int[] turns = new int[1];
    for (int i = 0; i < 500; i++) {
      made.add(
          script(self -> {
            for (int j = 0; j < 3; j++) {
              turns[0]++;
              self.suspend();
            }
          }));
    }
    for (int round = 1; round <= 3; round++) {
      made.forEach(each -> assertEquals(Pause.SUSPENDED, each.resume()));
      assertEquals(500 * round, turns[0]);
    }
    made.forEach(Script::toTheEnd);
  }

  @Test
  void resume_insideAnotherCoroutine_nests() {
    assumeTrue(nests());
    Script inner =
        script(self -> {
          trace.append("i1 ");
          self.suspend();
          trace.append("i2 ");
        });
    Script outer =
        script(self -> {
          inner.go();
          trace.append("o1 ");
          self.suspend();
          inner.go();
          trace.append("o2 ");
        });
    outer.toTheEnd();
    assertEquals("i1 o1 i2 o2 ", trace.toString());
  }

  // What it is.

  @Test
  void thread_insideTheBody_isTheOneItNames() {
    Thread loop = Thread.currentThread();
    Thread[] seen = new Thread[2];
    Script made =
        script(self -> {
          seen[0] = Thread.currentThread();
          self.suspend();
          seen[1] = Thread.currentThread();
        });
    made.go();
    Thread named = made.coroutine.thread();
    made.toTheEnd();
    assertSame(named == null ? loop : named, seen[0]);
    assertSame(seen[0], seen[1]);
    assertSame(loop, Thread.currentThread());
    if (named != null) {
      assertEquals("script", named.getName());
    }
  }

  @Test
  void stackTrace_suspended_showsTheBody() {
    Script made = script(self -> sumAtDepth(self, 3));
    made.go();
    long frames =
        Arrays.stream(made.coroutine.stackTrace())
            .filter(frame -> frame.getMethodName().equals("sumAtDepth"))
            .count();
    assertEquals(4, frames);
    made.toTheEnd();
    assertEquals(0, made.coroutine.stackTrace().length);
  }

  @Test
  void stackTrace_running_throwsNothing() {
    script(self -> assertNotNull(self.stackTrace())).toTheEnd();
  }

  @Test
  void name_isUpperCase() {
    assertEquals(backend().name().toUpperCase(Locale.ROOT), backend().name());
    assertFalse(backend().name().isBlank());
  }

  // Pinned stacks.

  @Test
  void suspend_underANativeFrame_throwsOrWorksAndTheBodyGoesOn() {
    Script made =
        script(self -> {
          PinnedFrame.run(() -> {
            if (pins()) {
              var told = assertThrows(PinnedException.class, self::suspend);
              assertTrue(told.getMessage().contains("<clinit>"), told.getMessage());
              assertTrue(told.getMessage().contains("blocking("), told.getMessage());
            } else {
              self.suspend();
            }
            trace.append("still running");
          });
          self.suspend();
          trace.append(", and suspends");
        });
    made.toTheEnd();
    assertEquals("still running, and suspends", trace.toString());
  }

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
          synchronized (monitor) {
            held.release();
            release.acquireUninterruptibly();
          }
          lock.unlock();
        });
    held.acquireUninterruptibly();
    Script made =
        script(self -> {
          synchronized (monitor) {
            trace.append("monitor ");
          }
          lock.lock();
          trace.append("lock");
          lock.unlock();
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
