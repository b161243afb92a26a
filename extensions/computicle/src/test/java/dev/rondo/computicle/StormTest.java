package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nothing is lost, nothing comes twice, and each sender's messages come in order: on real threads,
/// and on one thread in the orders of an exploration. `-Drondo.test.messages=10000000` makes a long
/// run, and `-Drondo.test.seed=N` the same choices again.
final class StormTest extends BackendTest {

  private static final int LOOPS = 3;
  private static final int MESSAGES = Integer.getInteger("rondo.test.messages", 3_000);
  private static final int RUNS = 40;
  private static final int MESSAGES_OF_A_RUN = 30;
  private static final int DEPTH = 3;
  private static final long SEED = Long.getLong("rondo.test.seed", new Random().nextLong());

  static {
    System.out.println("endpoint tests: -Drondo.test.seed=" + SEED);
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void realThreads_nothingIsLostAndNothingComesTwice() {
    var storm = new Storm(LOOPS, MESSAGES / LOOPS, task -> new Random(SEED * 31 + task));
    try (var fleet = new Fleet(backend)) {
      for (int i = 0; i < LOOPS; i++) {
        int side = i;
        fleet.start("side" + i, () -> storm.begin(side));
      }
    }
    storm.check();
  }

  @Test
  void oneThread_uniformOrders_nothingIsLostAndNothingComesTwice() throws Throwable {
    new Explorer(Strategy.uniform(SEED)).runs(RUNS).explore(this::run).requireNoFailure();
  }

  @Test
  void oneThread_ordersWithPriorities_nothingIsLostAndNothingComesTwice() throws Throwable {
    new Explorer(Strategy.pct(SEED, DEPTH)).runs(RUNS).explore(this::run).requireNoFailure();
  }

  /// All loops on this thread: which one has a turn, which of its tasks, and what the task does are
  /// choices.
  private void run(Choices choices) {
    var storm = new Storm(LOOPS, MESSAGES_OF_A_RUN, task -> choices);
    List<Scheduler> schedulers = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      Scheduler made = builder().policy(choices::policy).build();
      int side = i;
      made.spawn("begin", () -> storm.begin(side));
      schedulers.add(made);
    }
    try {
      while (schedulers.stream().anyMatch(each -> each.tasks().size() > 0)) {
        int first = choices.choose(ChoiceKind.HOST, LOOPS);
        assertTrue(stepOne(schedulers, first), "all wait");
        assertEquals(List.of(), takeFailures());
      }
    } finally {
      schedulers.forEach(Scheduler::close);
    }
    storm.check();
  }

  /// Gives a turn to one of them, or to the next that has something to do.
  private static boolean stepOne(List<Scheduler> schedulers, int first) {
    for (int i = 0; i < LOOPS; i++) {
      if (schedulers.get((first + i) % LOOPS).step()) {
        return true;
      }
    }
    return false;
  }
}
