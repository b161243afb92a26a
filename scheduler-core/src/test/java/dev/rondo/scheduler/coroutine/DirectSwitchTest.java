package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.CoroutineContract;
import java.util.ArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// How CONTINUATION enters its continuations, directly or by the public methods of the JDK.
class DirectSwitchTest {

  /// The contract by the public methods, which [ContinuationBackendTest] has directly.
  @Nested
  class ByPublicMethods extends CoroutineContract {

    @Override
    protected CoroutineBackend backend() {
      return new ContinuationBackend(false);
    }
  }

  @Test
  void available_whereThePackageIsOpen_asInTheseTests() {
    assertTrue(DirectSwitch.isAvailable());
  }

  @Test
  void checked_noNewerReleaseAndNoBuildForDebugging() {
    assertTrue(DirectSwitch.isChecked(25, "25.0.3+9-LTS"));
    assertFalse(DirectSwitch.isChecked(26, "26+1"));
    assertFalse(DirectSwitch.isChecked(25, "25-internal-fastdebug"));
  }

  /// A coroutine that does what its body says.
  private static final class Made implements Coroutine.Body {

    private final Coroutine coroutine = new ContinuationBackend(true).newCoroutine("made", this);
    private final Runnable code;

    Made(Runnable code) {
      this.code = code;
    }

    @Override
    public void run() {
      code.run();
    }

    @Override
    public void unblocked() {}
  }

  @Test
  void resume_insideItself_isRefusedAndItGoesOn() {
    var refused = new ArrayList<String>();
    Made[] self = new Made[1];
    self[0] =
        new Made(() -> {
          var e = assertThrows(IllegalStateException.class, self[0].coroutine::resume);
          refused.add(e.getMessage());
          self[0].coroutine.suspend();
        });
    assertSame(Coroutine.Pause.SUSPENDED, self[0].coroutine.resume());
    assertSame(Coroutine.Pause.ENDED, self[0].coroutine.resume());
    assertEquals(1, refused.size());
  }

  @Test
  void suspend_outside_isRefused() {
    var made = new Made(() -> {});
    assertThrows(IllegalStateException.class, made.coroutine::suspend);
    assertSame(Coroutine.Pause.ENDED, made.coroutine.resume());
    assertThrows(IllegalStateException.class, made.coroutine::suspend);
    assertThrows(IllegalStateException.class, made.coroutine::resume);
  }

  @Test
  void resume_bodyThrows_theCallerReceivesItAndTheCoroutineHasEnded() {
    var failure = new IllegalArgumentException("of the body");
    var made =
        new Made(() -> {
          throw failure;
        });
    assertSame(failure, assertThrows(IllegalArgumentException.class, made.coroutine::resume));
    assertThrows(IllegalStateException.class, made.coroutine::resume);
  }

  @Test
  void bothWays_inOneThread_nest() {
    var trace = new StringBuilder();
    Coroutine[] inner = new Coroutine[1];
    inner[0] =
        new ContinuationBackend(false)
            .newCoroutine(
                "inner",
                new Coroutine.Body() {
                  @Override
                  public void run() {
                    trace.append("in ");
                    inner[0].suspend();
                    trace.append("again ");
                  }

                  @Override
                  public void unblocked() {}
                });
    Made[] outer = new Made[1];
    outer[0] =
        new Made(() -> {
          inner[0].resume();
          outer[0].coroutine.suspend();
          inner[0].resume();
        });
    outer[0].coroutine.resume();
    trace.append("out ");
    assertSame(Coroutine.Pause.ENDED, outer[0].coroutine.resume());
    assertEquals("in out again ", trace.toString());
  }

  @Test
  void scheduler_inThisJvm_hasTheBackendOfThatName() {
    try (Scheduler scheduler =
        Scheduler.builder().backend(new ContinuationBackend(false)).build()) {
      assertEquals("CONTINUATION", scheduler.host().backend().name());
      var task =
          scheduler.spawn(() -> {
            scheduler.yield();
            return "ran";
          });
      scheduler.start();
      assertEquals("ran", task.join());
    }
  }
}
