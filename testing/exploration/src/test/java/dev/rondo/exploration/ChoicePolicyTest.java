package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertSame;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.testing.SchedulingPolicyContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class ChoicePolicyTest {

  private static final int OPERATIONS = 50_000;
  private static final long SEED = 11;

  @Test
  void next_allChoicesAreZero_isRoundRobin() {
    var random = new Random(SEED);
    SchedulingPolicy usual = SchedulingPolicies.roundRobin();
    SchedulingPolicy zeros = Choices.replay(ChoiceSequence.empty()).policy();
    try (Scheduler scheduler = Scheduler.create()) {
      List<Task<Void>> outside =
          new ArrayList<>(
              IntStream.range(0, 50)
                  .mapToObj(i -> scheduler.newTask("task " + i, () -> {}))
                  .toList());
      List<Task<?>> inside = new ArrayList<>();
      for (int i = 0; i < OPERATIONS; i++) {
        boolean adds = inside.isEmpty() || (!outside.isEmpty() && random.nextBoolean());
        if (!adds) {
          Task<?> task = inside.get(random.nextInt(inside.size()));
          if (random.nextInt(4) == 0) {
            usual.remove(task);
            zeros.remove(task);
          } else {
            task = usual.next();
            assertSame(task, zeros.next());
          }
          inside.remove(task);
          @SuppressWarnings("unchecked") // all are
          var removed = (Task<Void>) task;
          outside.add(removed);
          continue;
        }
        Task<Void> task = outside.remove(random.nextInt(outside.size()));
        switch (random.nextInt(inside.isEmpty() ? 2 : 3)) {
          case 0 -> {
            usual.addFirst(task);
            zeros.addFirst(task);
          }
          case 1 -> {
            usual.add(task);
            zeros.add(task);
          }
          default -> {
            Task<?> anchor = inside.get(random.nextInt(inside.size()));
            usual.addAfter(anchor, task);
            zeros.addAfter(anchor, task);
          }
        }
        inside.add(task);
      }
    }
  }

  @Nested
  class RandomChoices extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return Choices.random(5).policy();
    }
  }

  @Nested
  class Zeros extends SchedulingPolicyContract {
    @Override
    protected SchedulingPolicy newPolicy() {
      return Choices.replay(ChoiceSequence.empty()).policy();
    }
  }
}
