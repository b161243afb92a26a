package dev.rondo.scheduler.coroutine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.CoroutineContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// How CONTINUATION enters its continuations: directly, or by the public methods of the JDK.
class DirectSwitchTest {

  /// Runs the contract by the public methods; [ContinuationBackendTest] runs it directly.
  @Nested
  class ByPublicMethods extends CoroutineContract {

    @Override
    protected CoroutineBackend backend() {
      return new ContinuationBackend(false);
    }
  }

  /// In these tests the package is open.
  @BeforeEach
  void requireCheckedJvm() {
    assumeTrue(
        DirectSwitch.isChecked(
            Runtime.version().feature(),
            System.getProperty("java.vm.name"),
            System.getProperty("jdk.debug")));
    assertTrue(DirectSwitch.isAvailable());
  }

  @Test
  void checked_noNewerReleaseNoOtherJvmAndNoBuildForDebugging() {
    assertTrue(DirectSwitch.isChecked(25, "OpenJDK 64-Bit Server VM", "release"));
    assertTrue(DirectSwitch.isChecked(25, "Java HotSpot(TM) 64-Bit Server VM", "release"));
    assertFalse(DirectSwitch.isChecked(26, "OpenJDK 64-Bit Server VM", "release"));
    assertFalse(DirectSwitch.isChecked(25, "Eclipse OpenJ9 VM", "release"));
    assertFalse(DirectSwitch.isChecked(25, "OpenJDK 64-Bit Server VM", "fastdebug"));
  }

  @Test
  void reasons_haveTheNamesOfTheJdk() {
    assertEquals("CRITICAL_SECTION", DirectSwitch.reason(2));
    assertEquals("NATIVE", DirectSwitch.reason(3));
    assertEquals("MONITOR", DirectSwitch.reason(4));
    assertEquals("reason 9", DirectSwitch.reason(9));
  }

  /// A coroutine that runs some code.
  private static final class Made implements Coroutine.Body {

    private final Coroutine coroutine;
    private final Runnable code;

    Made(boolean direct, Runnable code) {
      this.code = code;
      this.coroutine = new ContinuationBackend(direct).newCoroutine("made", this);
    }

    @Override
    public void run() {
      code.run();
    }

    @Override
    public void unblocked() {}
  }

  @Test
  void running_theFramesShowWhichWayItWasEntered() {
    String directly = DirectSwitch.class.getName() + ".enter";
    String publicly = "jdk.internal.vm.Continuation.run";
    assertEquals(List.of(true, false), haveFrames(true, directly, publicly));
    assertEquals(List.of(false, true), haveFrames(false, directly, publicly));
  }

  private static List<Boolean> haveFrames(boolean direct, String... methods) {
    var found = new ArrayList<Boolean>();
    var made =
        new Made(
            direct,
            () -> {
              StackTraceElement[] stack = new Throwable().getStackTrace();
              for (String method : methods) {
                found.add(
                    Arrays.stream(stack)
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .anyMatch(method::equals));
              }
            });
    made.coroutine.resume();
    return found;
  }

  @Test
  void resume_insideItself_isRefusedAndItGoesOn() {
    for (boolean direct : new boolean[] {true, false}) {
      var refused = new ArrayList<String>();
      Made[] self = new Made[1];
      self[0] =
          new Made(
              direct,
              () -> {
                var e = assertThrows(IllegalStateException.class, self[0].coroutine::resume);
                refused.add(e.getMessage());
                self[0].coroutine.suspend();
              });
      assertSame(Coroutine.Pause.SUSPENDED, self[0].coroutine.resume());
      assertSame(Coroutine.Pause.ENDED, self[0].coroutine.resume());
      assertEquals(List.of("resume() of a coroutine that is running"), refused);
    }
  }

  @Test
  void suspend_outside_isRefused() {
    for (boolean direct : new boolean[] {true, false}) {
      var made = new Made(direct, () -> {});
      assertThrows(IllegalStateException.class, made.coroutine::suspend);
      assertSame(Coroutine.Pause.ENDED, made.coroutine.resume());
      assertThrows(IllegalStateException.class, made.coroutine::suspend);
      var ended = assertThrows(IllegalStateException.class, made.coroutine::resume);
      assertEquals("resume() of a coroutine that has ended", ended.getMessage());
    }
  }

  @Test
  void resume_bodyThrows_theCallerReceivesItAndTheCoroutineHasEnded() {
    for (boolean direct : new boolean[] {true, false}) {
      var failure = new IllegalArgumentException("of the body");
      var made =
          new Made(
              direct,
              () -> {
                throw failure;
              });
      assertSame(failure, assertThrows(IllegalArgumentException.class, made.coroutine::resume));
      assertThrows(IllegalStateException.class, made.coroutine::resume);
    }
  }

  /// A program that enters coroutines until the stack is exhausted, and then the last one again.
  static final class Exhausting {

    private static final int WARM_UP = 20_000;
    private static final int THREADS = 60;
    private static final int STACK = 256 * 1024;
    private static final int STEP = 4096;
    private static final int DEEPEST = 20_000;

    private static final ArrayDeque<Made> prepared = new ArrayDeque<>();
    private static Made last = suspending(true);

    public static void main(String[] args) throws InterruptedException {
      for (boolean direct : new boolean[] {true, false}) {
        for (int i = 0; i < WARM_UP; i++) {
          Made made = suspending(direct);
          made.coroutine.resume();
          made.coroutine.resume();
        }
        for (int i = 0; i < THREADS; i++) {
          while (prepared.size() < DEEPEST) {
            prepared.add(suspending(direct));
          }
          Thread loop = new Thread(null, Exhausting::exhaust, "loop", STACK + i * STEP);
          loop.start();
          loop.join();
        }
        prepared.clear();
      }
      System.out.println("whole");
    }

    private static Made suspending(boolean direct) {
      Made[] made = new Made[1];
      made[0] = new Made(direct, () -> made[0].coroutine.suspend());
      return made[0];
    }

    private static void exhaust() {
      try {
        dive(0);
      } catch (StackOverflowError _) {
        try {
          last.coroutine.resume();
        } catch (IllegalStateException _) {
          // Refused: that is what the JVM does not do.
        }
      }
    }

    private static void dive(int depth) {
      enterNext();
      if (depth % 2 == 0) {
        dive(depth + 1);
      } else {
        diveFurther(depth + 1, depth, depth);
      }
    }

    /// Another size of frame, so that the stack ends at other places.
    private static void diveFurther(int depth, long one, long other) {
      enterNext();
      if (one + other < 0) {
        System.out.println(one);
      }
      dive(depth);
    }

    private static void enterNext() {
      last = prepared.remove();
      last.coroutine.resume();
    }
  }

  /// The JVM would crash if a coroutine that was never entered were resumed as one that has
  /// suspended.
  @Test
  void resume_afterTheStackWasExhausted_isRefusedAndTheJvmIsWhole() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Exhausting.class.getName())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.endsWith("whole" + System.lineSeparator()), output);
  }

  @Test
  void bothWays_inOneThread_nest() {
    for (boolean direct : new boolean[] {true, false}) {
      var trace = new StringBuilder();
      Made[] inner = new Made[1];
      Made[] outer = new Made[1];
      inner[0] =
          new Made(
              !direct,
              () -> {
                trace.append("in ");
                inner[0].coroutine.suspend();
                trace.append("again ");
              });
      outer[0] =
          new Made(
              direct,
              () -> {
                inner[0].coroutine.resume();
                outer[0].coroutine.suspend();
                inner[0].coroutine.resume();
              });
      outer[0].coroutine.resume();
      trace.append("out ");
      assertSame(Coroutine.Pause.ENDED, outer[0].coroutine.resume());
      assertEquals("in out again ", trace.toString());
    }
  }
}
