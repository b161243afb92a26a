package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A task that has halted stays at the head, even if the policy has already handed it out.
class HaltUnderPolicyTest {

  private final List<String> trace = new ArrayList<>();

  static List<Supplier<SchedulingPolicy>> policies() {
    return List.of(
        SchedulingPolicies::roundRobin,
        SchedulingPolicies::priority,
        SchedulingPolicies::earliestDeadlineFirst,
        () -> SchedulingPolicies.random(1));
  }

  private Task<Void> halting(Scheduler scheduler) {
    return scheduler.spawn(
        "halting",
        () -> {
          trace.add("halts");
          scheduler.halt(null);
          trace.add("goes on");
        });
  }

  @ParameterizedTest
  @MethodSource("policies")
  void halt_anotherIsPutInFront_bothRunOnce(Supplier<SchedulingPolicy> policy) {
    try (Scheduler scheduler = Scheduler.builder().policy(policy).build()) {
      halting(scheduler);
      scheduler.start();
      scheduler
          .queue()
          .scheduleNext(
              scheduler.newTask(
                  "front",
                  () -> {
                    trace.add("front");
                    scheduler.yield();
                    trace.add("again");
                  }));
      assertEquals(2, scheduler.queue().readyTasks().size());
      scheduler.start();
      assertEquals(0, scheduler.tasks().size());
      assertFalse(scheduler.step());
    }
    assertEquals(List.of("halts", "front", "goes on", "again"), trace);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void halt_anAddOnIsDueAtTheNextStart_theHaltedTaskGoesOn(Supplier<SchedulingPolicy> policy) {
    try (Scheduler scheduler = Scheduler.builder().policy(policy).build()) {
      StepTask<Void> addOn =
          scheduler
              .host()
              .install(self -> {
                trace.add("addOn");
                return trace.contains("halts")
                    ? StepResult.SUSPEND
                    : self.idleUntil(scheduler.host().nowNanos());
              });
      addOn.wake();
      halting(scheduler).setPriority(Task.MAX_PRIORITY);
      scheduler.step();
      while (!trace.contains("halts")) {
        scheduler.step();
      }
      trace.clear();
      trace.add("halts");
      scheduler.start();
      assertEquals(1, scheduler.tasks().size(), "the add-on");
    }
    assertEquals("goes on", trace.getLast());
  }
}
