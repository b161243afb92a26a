package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulingPolicyContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The scheduling policies, and how the scheduler applies them.
class SchedulingPoliciesTest {

  private final List<String> trace = new ArrayList<>();

  private static Scheduler with(Supplier<SchedulingPolicy> policy) {
    return Scheduler.builder().policy(policy).build();
  }

  /// Uses step tasks: a policy does not see the difference.
  private Task<Void> steps(Scheduler scheduler, String name, int turns) {
    return scheduler
        .host()
        .newStepTask(
            name,
            new StepBody<>() {
              private int left = turns;

              @Override
              public StepResult step(StepTask<Void> self) {
                trace.add(name);
                return --left > 0 ? StepResult.AGAIN : StepResult.DONE;
              }
            });
  }

  @Test
  void priority_threeClasses_highestFirstEqualsInOrder() {
    try (Scheduler scheduler = with(SchedulingPolicies::priority)) {
      scheduler.scheduleTask(steps(scheduler, "low", 1).setPriority(Task.MIN_PRIORITY));
      scheduler.scheduleTask(steps(scheduler, "normal", 2));
      scheduler.scheduleTask(steps(scheduler, "high", 2).setPriority(Task.MAX_PRIORITY));
      scheduler.scheduleTask(steps(scheduler, "high2", 2).setPriority(Task.MAX_PRIORITY));
      scheduler.start();
    }
    assertEquals(List.of("high", "high2", "high", "high2", "normal", "normal", "low"), trace);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100})
  void priority_higherTasksNeverEnd_lowerHasItsTurnWithinTheBound(int turnsPerStep) {
    int busy = 5;
    int low = 2;
    try (Scheduler scheduler = with(() -> SchedulingPolicies.priority(turnsPerStep))) {
      for (int i = 0; i < busy; i++) {
        scheduler.scheduleTask(
            steps(scheduler, "busy", Integer.MAX_VALUE).setPriority(Task.MAX_PRIORITY));
      }
      scheduler.scheduleTask(steps(scheduler, "low", Integer.MAX_VALUE).setPriority(low));
      int bound = (Task.MAX_PRIORITY - low) * turnsPerStep + busy + 1;
      int waited = 0;
      int longest = 0;
      int turnsOfLow = 0;
      for (int i = 0; i < 20 * bound; i++) {
        scheduler.step();
        if (trace.removeLast().equals("low")) {
          longest = Math.max(longest, waited);
          waited = 0;
          turnsOfLow++;
        } else {
          waited++;
        }
      }
      assertTrue(turnsOfLow > 0, "starved");
      assertTrue(longest <= bound, longest + " turns of others, the bound is " + bound);
      assertTrue(longest > bound / 2, "priority made no difference: " + longest);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 11, -1})
  void priority_outOfRange_isRefusedAndNothingChanges(int priority) {
    try (Scheduler scheduler = Scheduler.create()) {
      Task<Void> task = scheduler.newTask("t", () -> {}).setPriority(7);
      var refused = assertThrows(IllegalArgumentException.class, () -> task.setPriority(priority));
      assertEquals(
          "priority=" + priority + " of task 't', must be from 1 to 10", refused.getMessage());
      assertEquals(7, task.priority());
    }
    assertThrows(IllegalArgumentException.class, () -> SchedulingPolicies.priority(0));
  }

  @Test
  void earliestDeadlineFirst_deadlinesAroundTheWrap_inOrderThenThoseWithout() {
    Ticker ticker =
        new Ticker() {
          @Override
          public long read() {
            return Long.MAX_VALUE - 10;
          }
        };
    try (Scheduler scheduler =
        Scheduler.builder()
            .ticker(ticker)
            .policy(SchedulingPolicies::earliestDeadlineFirst)
            .build()) {
      scheduler.scheduleTask(steps(scheduler, "never", 2));
      scheduler.scheduleTask(steps(scheduler, "behind", 1).setDeadline(Duration.ofNanos(20)));
      scheduler.scheduleTask(steps(scheduler, "before", 2).setDeadline(Duration.ofNanos(5)));
      scheduler.scheduleTask(steps(scheduler, "same", 1).setDeadline(Duration.ofNanos(20)));
      scheduler.start();
    }
    assertEquals(List.of("before", "before", "behind", "same", "never", "never"), trace);
  }

  @Test
  void deadline_negative_isRefused() {
    try (Scheduler scheduler = Scheduler.create()) {
      Task<Void> task = scheduler.newTask("t", () -> {});
      assertThrows(IllegalArgumentException.class, () -> task.setDeadline(Duration.ofNanos(-1)));
      assertEquals(OptionalLong.empty(), task.deadlineNanos());
    }
  }

  private List<String> randomTrace(long seed) {
    trace.clear();
    try (Scheduler scheduler = with(() -> SchedulingPolicies.random(seed))) {
      for (String name : List.of("A", "B", "C", "D", "E")) {
        scheduler.scheduleTask(steps(scheduler, name, 10));
      }
      scheduler.start();
    }
    return List.copyOf(trace);
  }

  @Test
  void random_seeds_sameSeedSameOrder() {
    assertEquals(randomTrace(42), randomTrace(42));
    assertNotEquals(randomTrace(42), randomTrace(43));
  }

  @Test
  void random_manyRounds_everybodyIsAsLikelyToBeNext() {
    int rounds = 10_000;
    int[] firsts = new int[4];
    SchedulingPolicy policy = SchedulingPolicies.random(7);
    try (Scheduler scheduler = Scheduler.create()) {
      List<Task<Void>> tasks =
          IntStream.range(0, firsts.length)
              .mapToObj(i -> scheduler.newTask("task " + i, () -> {}))
              .toList();
      tasks.forEach(policy::add);
      for (int i = 0; i < rounds; i++) {
        Task<?> next = policy.next();
        firsts[tasks.indexOf(next)]++;
        policy.add(next);
      }
    }
    for (int each : firsts) {
      double expected = (double) rounds / firsts.length;
      assertEquals(expected, each, 0.1 * expected);
    }
  }

  /// Has no tasks of its own.
  private static final class BadPolicy implements SchedulingPolicy {

    private Task<?> stranger;

    @Override
    public void add(Task<?> task) {}

    @Override
    public void addFirst(Task<?> task) {}

    @Override
    public void remove(Task<?> task) {}

    @Override
    public Task<?> next() {
      return stranger;
    }

    @Override
    public String toString() {
      return "bad policy";
    }
  }

  @Test
  void next_policyChoosesWhatIsNotReady_theLoopSaysSo() {
    var bad = new BadPolicy();
    Scheduler scheduler = with(() -> bad);
    bad.stranger = scheduler.newTask("stranger", () -> {});
    assertRefused(scheduler, "NEW");
  }

  @Test
  void next_policyChoosesTaskOfAnotherScheduler_theLoopSaysSo() {
    var bad = new BadPolicy();
    Scheduler other = with(() -> SchedulingPolicies.roundRobin());
    bad.stranger = steps(other, "stranger", 1);
    other.scheduleTask(bad.stranger);
    assertRefused(with(() -> bad), "READY");
  }

  private void assertRefused(Scheduler scheduler, String state) {
    scheduler.scheduleTask(steps(scheduler, "mine", 1));
    var thrown = assertThrows(IllegalStateException.class, scheduler::start);
    assertEquals(
        "scheduling policy bad policy chose task 'stranger' ("
            + state
            + "), which is not a ready task of this scheduler; next() must take out and return one"
            + " that was added",
        thrown.getMessage());
    assertEquals(List.of(), trace);
  }

  @Test
  void policy_supplierOfNull_isRefused() {
    assertThrows(NullPointerException.class, () -> Scheduler.builder().policy(null));
    assertThrows(NullPointerException.class, () -> with(() -> null));
  }

  private List<String> traceWithAddOn(SchedulerBuilder builder) {
    trace.clear();
    try (Scheduler scheduler = builder.build()) {
      StepTask<Void> addOn =
          scheduler
              .host()
              .install(self -> {
                trace.add("addOn");
                return StepResult.SUSPEND;
              });
      scheduler
          .host()
          .spawnSteps(
              "waker",
              self -> {
                addOn.wake();
                return StepResult.DONE;
              });
      scheduler.scheduleTask(steps(scheduler, "A", 1));
      scheduler.scheduleTask(steps(scheduler, "B", 1));
      scheduler.start();
      while (scheduler.step()) {
        // the add-on, which start() does not wait for
      }
    }
    return List.copyOf(trace);
  }

  @Test
  void addOnsFirst_wokenAddOn_runsBeforeWhatWasReadyEarlier() {
    assertEquals(List.of("A", "B", "addOn"), traceWithAddOn(Scheduler.builder()));
    assertEquals(List.of("addOn", "A", "B"), traceWithAddOn(Scheduler.builder().addOnsFirst()));
    assertEquals(
        List.of("addOn", "A", "B"),
        traceWithAddOn(Scheduler.builder().addOnsFirst().policy(SchedulingPolicies::roundRobin)));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void addOnsFirst_wokenTogetherWithOthers_theAddOnRunsBeforeWhatWasReadyEarlier(int crowd) {
    var signal = new WaitQueueEvent();
    try (Scheduler scheduler = Scheduler.builder().addOnsFirst().build()) {
      for (int i = 0; i < crowd; i++) {
        scheduler.spawn(() -> scheduler.await(signal));
      }
      StepTask<Void> addOn =
          scheduler
              .host()
              .install(self -> {
                if (self.received() == null) {
                  return self.await(signal);
                }
                trace.add("addOn");
                return StepResult.SUSPEND;
              });
      addOn.wake();
      while (scheduler.tasksPending() > 0) {
        scheduler.step();
      }
      scheduler.scheduleTask(steps(scheduler, "A", 1));
      assertEquals(crowd + 1, signal.fireAll("!"));
      scheduler.start();
    }
    assertEquals(List.of("addOn", "A"), trace);
  }

  @Nested
  class RoundRobin extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return SchedulingPolicies.roundRobin();
    }
  }

  @Nested
  class Priority extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return SchedulingPolicies.priority();
    }
  }

  @Nested
  class EarliestDeadlineFirst extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return SchedulingPolicies.earliestDeadlineFirst();
    }
  }

  @Nested
  class RandomOrder extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return SchedulingPolicies.random(5);
    }
  }

  /// With the built-in order as a policy, the order is the same as without a policy.
  @Nested
  class OrderUnderPolicy extends OrderTest {
    @Override
    protected void configure(SchedulerBuilder builder) {
      builder.policy(SchedulingPolicies::roundRobin);
    }
  }

  @Nested
  class WakeOrderUnderPolicy extends WakeOrderTest {
    @Override
    protected void configure(SchedulerBuilder builder) {
      builder.policy(SchedulingPolicies::roundRobin);
    }
  }

  @Nested
  class ValuesUnderPolicy extends ValuesTest {
    @Override
    protected void configure(SchedulerBuilder builder) {
      builder.policy(SchedulingPolicies::roundRobin);
    }
  }

  @Nested
  class CancelUnderPolicy extends CancelTest {
    @Override
    protected void configure(SchedulerBuilder builder) {
      builder.policy(SchedulingPolicies::roundRobin);
    }
  }

  @Nested
  class PinnedUnderPolicy extends PinnedTest {
    @Override
    protected void configure(SchedulerBuilder builder) {
      builder.policy(SchedulingPolicies::roundRobin);
    }
  }
}
