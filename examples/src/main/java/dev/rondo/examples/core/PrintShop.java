package dev.rondo.examples.core;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Three jobs at one printer, a page a turn. The policy of the scheduler decides the order of the
/// pages.
final class PrintShop {

  /// The seed of the random order.
  private static final long SEED = 4;

  private PrintShop() {}

  static void main() {
    policies().forEach((name, policy) -> IO.println("%-12s %s".formatted(name, print(policy))));
  }

  /// {@return the policies by name}
  static Map<String, Supplier<SchedulingPolicy>> policies() {
    var all = new LinkedHashMap<String, Supplier<SchedulingPolicy>>();
    all.put("round robin", SchedulingPolicies::roundRobin);
    all.put("priority", SchedulingPolicies::priority);
    all.put("ageing", () -> SchedulingPolicies.priority(1)); // a priority is worth one turn
    all.put("deadlines", SchedulingPolicies::earliestDeadlineFirst);
    all.put("random", () -> SchedulingPolicies.random(SEED));
    return all;
  }

  /// {@return the pages in the order in which they are printed}
  static List<String> print(Supplier<SchedulingPolicy> policy) {
    var pages = new ArrayList<String>();
    try (Scheduler shop = Scheduler.builder().policy(policy).build()) {
      Task<Void> book = job(shop, "book", 4, pages);
      Task<Void> memo = job(shop, "memo", 2, pages);
      Task<Void> bill = job(shop, "bill", 2, pages);
      book.setPriority(Task.MIN_PRIORITY).setDeadline(Duration.ofHours(1));
      bill.setPriority(Task.MAX_PRIORITY).setDeadline(Duration.ofHours(2));
      List.of(book, memo, bill).forEach(shop::scheduleTask);
      shop.start();
    }
    return pages;
  }

  private static Task<Void> job(Scheduler shop, String name, int count, List<String> pages) {
    return shop.newTask(
        name,
        () -> {
          for (int page = 1; page <= count; page++) {
            pages.add(name + " " + page);
            shop.yield();
          }
        });
  }
}
