package dev.rondo.benchmarks.bugs;

import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/// How many runs each strategy needs to find each [Bug], and what shrinking leaves: the table of
/// docs/exploration.md.
public final class BugTable {

  private static final int SEEDS = 20;
  private static final int MOST_RUNS = 1_000;
  private static final int MOST_ORDERS = 20_000;
  private static final int SPEED_RUNS = 20_000;

  private BugTable() {}

  /// Prints the table in Markdown.
  public static void main(String[] args) {
    print("bug", "uniform", "PCT 2", "PCT 3", "exhaustive", "found", "shrunk", "in runs", "in ms");
    print("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:");
    List<Bug> bugs = Bug.all();
    for (Bug bug : bugs) {
      var lengths = new long[SEEDS];
      var shrunk = new long[SEEDS];
      var shrinkRuns = new long[SEEDS];
      var micros = new long[SEEDS];
      for (int seed = 0; seed < SEEDS; seed++) {
        long begin = cpuNanos();
        Exploration result = explorer(Strategy.uniform(seed)).explore(bug::run);
        micros[seed] = (cpuNanos() - begin) / 1_000;
        lengths[seed] = result.found().orElseThrow().size();
        shrunk[seed] = result.shrunk().orElseThrow().size();
        shrinkRuns[seed] = result.shrinkRuns();
      }
      print(
          bug.name(),
          runs(bug, Strategy::uniform),
          runs(bug, seed -> Strategy.pct(seed, 2)),
          runs(bug, seed -> Strategy.pct(seed, 3)),
          runs(bug, seed -> Strategy.exhaustive(seed, Integer.MAX_VALUE)),
          "" + median(lengths),
          "" + median(shrunk),
          "" + median(shrinkRuns),
          String.format(Locale.ROOT, "%.1f", median(micros) / 1e3));
    }
    System.out.println();
    bugs.forEach(BugTable::orders);
    System.out.println();
    speed(bugs);
  }

  private static void print(String... cells) {
    System.out.println("| " + String.join(" | ", cells) + " |");
  }

  private static Explorer explorer(Strategy strategy) {
    return Explorer.create(strategy).runs(MOST_RUNS);
  }

  /// {@return the median of the runs until a failure}
  private static String runs(Bug bug, LongFunction<Strategy> strategy) {
    var runs = new long[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      Exploration result = explorer(strategy.apply(seed)).shrinkOnly(_ -> false).explore(bug::run);
      runs[seed] = result.failure().isPresent() ? result.runs() : MOST_RUNS + 1;
    }
    long median = median(runs);
    return median > MOST_RUNS ? "> " + MOST_RUNS : "" + median;
  }

  private static long median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void orders(Bug bug) {
    Exploration result =
        Explorer.create(Strategy.exhaustive(0, Integer.MAX_VALUE))
            .runs(MOST_ORDERS)
            .explore(bug::runMended);
    System.out.println(bug + ", mended: " + result.describe());
  }

  private static void speed(List<Bug> bugs) {
    Bug bug = bugs.getFirst();
    for (int round = 0; round < 3; round++) {
      long begin = cpuNanos();
      Exploration _ = Explorer.create(Strategy.uniform(0)).runs(SPEED_RUNS).explore(bug::runMended);
      double seconds = (cpuNanos() - begin) / 1e9;
      System.out.printf(Locale.ROOT, "%s, mended: %,.0f schedules/s%n", bug, SPEED_RUNS / seconds);
    }
  }

  /// Of this thread: what else the machine does counts little.
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
