package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/// The context that a library keeps with the thread stays with the task.
class ContextPropagationTest extends SchedulerTest {

  private @Nullable Scheduler own;

  private Scheduler withMdc() {
    own = configured().contextPropagation(ContextPropagation.mdc()).build();
    return own;
  }

  @AfterEach
  void close() {
    MDC.clear();
    if (own != null) {
      own.close();
    }
  }

  private void traceMdc(String who) {
    trace(who + ":" + MDC.get("id"));
  }

  @Test
  void mdc_tasksTakeTurns_eachSeesItsOwn() {
    Scheduler s = withMdc();
    for (String name : List.of("a", "b")) {
      s.spawn(() -> {
        traceMdc(name);
        MDC.put("id", name);
        s.yield();
        traceMdc(name);
        MDC.put("id", name + "2");
        s.yield();
        traceMdc(name);
      });
    }
    s.start();
    assertNull(MDC.get("id"), "on the loop's thread");
    assertTrace("a:null b:null a:a b:b a:a2 b:b2");
  }

  @Test
  void mdc_child_inheritsWhatItsMakerHadThen() {
    Scheduler s = withMdc();
    s.spawn(() -> {
      MDC.put("id", "early");
      Task<Void> child =
          s.spawn(() -> {
            traceMdc("child");
            MDC.put("id", "child's");
            s.yield();
            traceMdc("child");
          });
      MDC.put("id", "late");
      child.join();
      traceMdc("parent");
    });
    s.start();
    assertTrace("child:early child:child's parent:late");
  }

  @Test
  void mdc_madeOutsideOfTasks_inheritsTheThreadsAndLeavesItAlone() {
    Scheduler s = withMdc();
    MDC.put("id", "main");
    s.spawn(() -> {
      traceMdc("task");
      MDC.put("id", "changed");
      s.yield();
    });
    MDC.put("id", "main2");
    s.start();
    traceMdc("main");
    assertTrace("task:main main:main2");
  }

  @Test
  void mdc_stepTask_hasOneToo() {
    Scheduler s = withMdc();
    int[] turns = {0};
    s.host()
        .spawnSteps(
            "steps",
            self -> {
              traceMdc("steps");
              MDC.put("id", "turn" + turns[0]);
              return ++turns[0] == 2 ? StepResult.DONE : StepResult.AGAIN;
            });
    s.spawn(() -> traceMdc("other"));
    s.start();
    assertTrace("steps:null other:null steps:turn0");
  }

  @Test
  void mdc_joiningWhileOthersRunUponOnesFrames_isNotTheirs() throws Exception {
    Scheduler s = withMdc();
    s.spawn(() -> {
      Task<Void> child =
          s.spawn(() -> {
            s.yield();
            s.yield();
          });
      elsewhere(() -> {
        s.execute(() -> traceMdc("posted"));
        return null;
      });
      MDC.put("id", "parent");
      child.join();
      traceMdc("parent");
      s.yield();
      traceMdc("parent");
    });
    s.start();
    assertNull(MDC.get("id"));
    assertTrace("posted:null parent:parent parent:parent");
  }

  @Test
  void mdc_taskThatFails_leavesNothingOnTheThread() {
    Scheduler s = withMdc();
    s.spawn(() -> {
      MDC.put("id", "x");
      throw new ArithmeticException("oops");
    });
    s.start();
    assertNull(MDC.get("id"));
    assertEquals(1, takeReported().size());
  }

  /// Propagates an integer in a thread local, and fails on cue.
  private static final class Depth implements ContextPropagation<Integer> {

    final ThreadLocal<@Nullable Integer> value = new ThreadLocal<>();
    boolean fails;

    @Override
    public @Nullable Integer capture() {
      if (fails) {
        throw new IllegalStateException("cannot capture");
      }
      return value.get();
    }

    @Override
    public void restore(@Nullable Integer snapshot) {
      if (fails) {
        throw new IllegalStateException("cannot restore");
      }
      value.set(snapshot);
    }

    @Override
    public String toString() {
      return "depth";
    }
  }

  @Test
  void several_eachIsKept() {
    var depth = new Depth();
    own =
        configured().contextPropagation(depth).contextPropagation(ContextPropagation.mdc()).build();
    for (int i = 1; i <= 2; i++) {
      int mine = i;
      own.spawn(() -> {
        depth.value.set(mine);
        MDC.put("id", "m" + mine);
        own.yield();
        trace(depth.value.get() + ":" + MDC.get("id"));
      });
    }
    own.start();
    assertNull(depth.value.get());
    assertTrace("1:m1 2:m2");
  }

  @Test
  void propagationFails_isReportedAndTheTaskGoesOn() {
    var depth = new Depth();
    own = configured().contextPropagation(depth).build();
    depth.fails = true;
    own.spawn(() -> trace("ran"));
    own.start();
    assertTrace("ran");
    assertEquals(
        List.of("capture of context depth", "restore of context depth"),
        takeReported().stream().map(Reported::where).distinct().sorted().toList());
  }
}
