package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.Arrays;
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
    assertRefused("future is null", () -> scheduler.completion(null));
    assertRefused("part is null", () -> Waitable.anyOf(Arrays.asList((Waitable<String>) null)));
    assertRefused("listener is null", () -> task.addListener(null, Runnable::run));
    assertRefused("executor is null", () -> task.addListener(() -> {}, null));
    assertRefused("backend is null", () -> Scheduler.builder().backend(null));
    assertRefused("trap is null", () -> task.trap(null));
    runTask(() -> {
      assertRefused("waitable is null", () -> scheduler.await(null));
      assertRefused("call is null", () -> scheduler.blocking(null));
      assertRefused(
          "what the guard made is null", () -> scheduler.await(Waitable.guard(() -> null)));
    });
  }
}
