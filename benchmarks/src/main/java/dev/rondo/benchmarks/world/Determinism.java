package dev.rondo.benchmarks.world;

import dev.rondo.benchmarks.run.Sample;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Runs a [MixedWorkload] twice for each of many seeds, and compares the traces. The system
/// properties `determinism.from` and `determinism.seeds` are the first seed and the number of
/// seeds. To continue a stopped run, begin with the seed that it printed last. Exits with 1 at the
/// first difference.
public final class Determinism {

  private static final long SEEDS = 1_000;
  private static final long REPORT_EACH = 100;

  private Determinism() {}

  static void main() {
    long first = Long.getLong("determinism.from", 0);
    long end = first + Long.getLong("determinism.seeds", SEEDS);
    Set<Integer> digests = new HashSet<>();
    long events = 0;
    long begin = ThreadTime.nanos();
    for (long seed = first; seed < end; seed++) {
      List<String> trace = MixedWorkload.trace(seed);
      String difference = difference(trace, MixedWorkload.trace(seed));
      if (!difference.isEmpty()) {
        System.out.println("seed " + seed + " has two runs: " + difference);
        System.exit(1);
      }
      digests.add(trace.hashCode());
      events += trace.size();
      long next = seed + 1;
      if (next % REPORT_EACH == 0 || next == end) {
        System.out.printf(
            "seeds %d to %d twice: no difference; %,d different digests, %,d events; next is %d%n",
            first, seed, digests.size(), events, next);
      }
    }
    double seconds = (ThreadTime.nanos() - begin) / 1e9;
    Sample.print("determinism", "", "world", "seeds/s", (end - first) / seconds);
  }

  /// {@return the first difference of two traces; empty if they are the same}
  static String difference(List<String> one, List<String> other) {
    for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
      String first = i < one.size() ? one.get(i) : "the end";
      String second = i < other.size() ? other.get(i) : "the end";
      if (!first.equals(second)) {
        return "event %d is '%s' and '%s'".formatted(i, first, second);
      }
    }
    return "";
  }
}
