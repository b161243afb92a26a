package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Tests what every [CoroutineBackend] must do. A subclass names the backend.
///
/// The tests are the loop: they resume on their own thread. If a body blocks in the JDK, a backend
/// that can suspend only that body returns [Pause#BLOCKED]. Other backends block the test's thread,
/// so another thread releases each such body.
public abstract class CoroutineContract extends CoroutineBlocking {

  /// For subclasses.
  protected CoroutineContract() {}

  // Entering and leaving.

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

  // Properties.

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
}
