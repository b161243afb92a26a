package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.testing.BackendTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nothing is lost, nothing comes twice, and each sender's messages come in order: on real threads,
/// and on one thread in random orders. `-Drondo.test.messages=10000000` makes a long run, and
/// `-Drondo.test.seed=N` the same choices again.
final class StormTest extends BackendTest {

  private static final int LOOPS = 3;
  private static final int MESSAGES = Integer.getInteger("rondo.test.messages", 3_000);
  private static final int ORDERS = 40;
  private static final int MESSAGES_OF_AN_ORDER = 30;
  private static final long SEED = Long.getLong("rondo.test.seed", new Random().nextLong());

  static {
    System.out.println("endpoint tests: -Drondo.test.seed=" + SEED);
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void realThreads_nothingIsLostAndNothingComesTwice() {
    var storm = new Storm(LOOPS, MESSAGES / LOOPS, SEED);
    try (var fleet = new Fleet(backend)) {
      for (int i = 0; i < LOOPS; i++) {
        int side = i;
        fleet.start("side" + i, () -> storm.begin(side));
      }
    }
    storm.check();
  }

  @Test
  void oneThread_randomOrders_nothingIsLostAndNothingComesTwice() {
    for (int i = 0; i < ORDERS; i++) {
      inRandomOrder(SEED + i);
    }
  }

  private void inRandomOrder(long seed) {
    var random = new Random(seed);
    var storm = new Storm(LOOPS, MESSAGES_OF_AN_ORDER, seed);
    List<Scheduler> schedulers = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      Scheduler made = builder().policy(() -> SchedulingPolicies.random(random.nextLong())).build();
      int side = i;
      made.spawn("begin", () -> storm.begin(side));
      schedulers.add(made);
    }
    while (schedulers.stream().anyMatch(each -> each.tasksAlive() > 0)) {
      boolean any = schedulers.get(random.nextInt(LOOPS)).step();
      if (!any) {
        any = schedulers.stream().filter(Scheduler::step).count() > 0;
      }
      assertTrue(any, () -> "all wait, seed " + seed);
    }
    schedulers.forEach(Scheduler::close);
    assertEquals(List.of(), takeFailures(), () -> "failures, seed " + seed);
    storm.check();
  }
}
