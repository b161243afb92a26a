package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// A null argument is refused by the call that receives it, not later.
@SuppressWarnings("NullAway")
class NullArgumentTest extends SchedulerTest {

  private static void assertRefused(String what, Executable call) {
    assertEquals(what, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void null_anywhere_isRefusedAtTheCall() {
    Task<Void> task = scheduler.spawn(() -> {});
    assertRefused("stage", () -> scheduler.completion((CompletionStage<String>) null));
    assertRefused("part", () -> Waitable.anyOf(Arrays.asList((Waitable<String>) null)));
    assertRefused("listener", () -> task.addListener(null, Runnable::run));
    assertRefused("executor", () -> task.addListener(() -> {}, null));
    assertRefused("backend", () -> Scheduler.builder().backend(null));
    assertRefused("trap", () -> task.trap(null));
    runTask(() -> {
      assertRefused("waitable", () -> scheduler.await(null));
      assertRefused("call", () -> scheduler.blocking(null));
      assertRefused("what the guard made", () -> scheduler.await(Waitable.guard(() -> null)));
    });
  }
}
