package dev.rondo.benchmarks.bugs;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/// The number of runs that each strategy needs to find each [Bug], and the length of the shrunk
/// run: the table of docs/modules/exploration.md.
public final class BugTable {

  private static final int SEEDS = 20;
  private static final int MOST_RUNS = 1_000;
  private static final int MOST_ORDERS = 20_000;
  private static final int SPEED_RUNS = 20_000;
  private static final int ROUNDS = 3;
  private static final int TURNS_BEFORE = 10;

  private BugTable() {}

  /// Prints the table in Markdown.
  public static void main(String[] args) {
    print(
        "bug",
        "uniform",
        "weighted",
        "PCT 2",
        "PCT 3",
        "exhaustive",
        "found",
        "shrunk",
        "in runs",
        "in ms");
    print("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:");
    List<Bug> bugs = Bug.all();
    for (Bug bug : bugs) {
      var lengths = new long[SEEDS];
      var shrunk = new long[SEEDS];
      var shrinkRuns = new long[SEEDS];
      var micros = new long[SEEDS];
      for (int seed = 0; seed < SEEDS; seed++) {
        long begin = cpuNanos();
        Exploration result = explorer(Strategy.uniform(apart(seed))).explore(bug::run);
        micros[seed] = (cpuNanos() - begin) / 1_000;
        lengths[seed] = result.found().orElseThrow().size();
        shrunk[seed] = result.shrunk().orElseThrow().size();
        shrinkRuns[seed] = result.shrinkRuns();
      }
      print(
          bug.name(),
          runs(bug, Strategy::uniform),
          runs(bug, Strategy::weighted),
          runs(bug, seed -> Strategy.pct(seed, 2)),
          runs(bug, seed -> Strategy.pct(seed, 3)),
          runs(bug, seed -> Strategy.exhaustive(seed, Integer.MAX_VALUE)),
          "" + median(lengths),
          "" + median(shrunk),
          "" + median(shrinkRuns),
          String.format(Locale.ROOT, "%.1f", median(micros) / 1e3));
    }
    System.out.println();
    rate("uniform", Strategy::uniform);
    rate("weighted", Strategy::weighted);
    rate("PCT 2", seed -> Strategy.pct(seed, 2));
    rate("PCT 3", seed -> Strategy.pct(seed, 3));
    System.out.println();
    bound();
    System.out.println();
    bugs.forEach(BugTable::orders);
    System.out.println();
    speed(bugs);
  }

  private static void print(String... cells) {
    System.out.println("| " + String.join(" | ", cells) + " |");
  }

  private static Explorer explorer(Strategy strategy) {
    return new Explorer(strategy).runs(MOST_RUNS);
  }

  /// {@return a seed far from the other seeds, so that no two searches make the same run} The runs
  /// of a uniform search have successive seeds.
  private static long apart(int seed) {
    return (long) seed * MOST_RUNS;
  }

  /// {@return the median of the runs until a failure}
  private static String runs(Bug bug, LongFunction<Strategy> strategy) {
    var runs = new long[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      Exploration result =
          explorer(strategy.apply(apart(seed))).shrinkOnly(_ -> false).explore(bug::run);
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

  /// Prints the runs for a bug, and the bugs found in a second, for the last of some rounds.
  private static void rate(String name, LongFunction<Strategy> strategy) {
    for (int round = 1; round <= ROUNDS; round++) {
      long begin = cpuNanos();
      long runs = 0;
      int found = 0;
      for (Bug bug : Bug.all()) {
        for (int seed = 0; seed < SEEDS; seed++) {
          Exploration result =
              explorer(strategy.apply(apart(seed))).shrinkOnly(_ -> false).explore(bug::run);
          runs += result.runs();
          found += result.failure().isPresent() ? 1 : 0;
        }
      }
      double seconds = (cpuNanos() - begin) / 1e9;
      if (round == ROUNDS) {
        System.out.printf(
            Locale.ROOT,
            "%s: %.1f runs a bug, %,.0f bugs/s%n",
            name,
            (double) runs / found,
            found / seconds);
        Sample.print("bugs", "", name, "bugs/s", found / seconds);
      }
    }
  }

  /// Prints the rate at which PCT finds a bug of depth 2, beside the bound. One of two tasks reads,
  /// gives the other task a turn, and writes, after some turns.
  private static void bound() {
    var found = new int[1];
    var steps = new int[1];
    Bug.Program program =
        run -> {
          int[] value = new int[1];
          run.spawn(
              "adds",
              () -> {
                run.pause(TURNS_BEFORE);
                int before = value[0];
                run.pause();
                value[0] = before + 1;
              });
          run.spawn(
              "sets",
              () -> {
                run.pause();
                value[0] = 7;
              });
          run.atTheEnd("the sum", () -> value[0] != 1 || isCounted(found));
        };
    Exploration result =
        new Explorer(Strategy.pct(0, 2))
            .runs(MOST_ORDERS)
            .explore(choices -> {
              new BugRun(choices, false).run(program);
              steps[0] = Math.max(steps[0], choices.sequence().size());
            });
    System.out.printf(
        Locale.ROOT,
        "PCT of depth 2, a bug of depth 2: found in %.3f of %,d runs, the bound is %.3f (k=%d)%n",
        (double) found[0] / result.runs(),
        result.runs(),
        1.0 / (2 * steps[0]),
        steps[0]);
  }

  private static boolean isCounted(int[] found) {
    found[0]++;
    return true;
  }

  private static void orders(Bug bug) {
    Exploration result =
        new Explorer(Strategy.exhaustive(0, Integer.MAX_VALUE))
            .runs(MOST_ORDERS)
            .explore(bug::runMended);
    System.out.println(bug + ", mended: " + result);
  }

  private static void speed(List<Bug> bugs) {
    Bug bug = bugs.getFirst();
    for (int round = 0; round < ROUNDS; round++) {
      long begin = cpuNanos();
      Exploration _ = new Explorer(Strategy.uniform(0)).runs(SPEED_RUNS).explore(bug::runMended);
      double seconds = (cpuNanos() - begin) / 1e9;
      System.out.printf(Locale.ROOT, "%s, mended: %,.0f schedules/s%n", bug, SPEED_RUNS / seconds);
    }
  }

  /// The time of this thread, on which other work of the machine has little influence.
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
