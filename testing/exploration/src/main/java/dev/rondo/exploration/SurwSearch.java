package dev.rondo.exploration;

import dev.rondo.exploration.internal.Candidates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// The selectively uniform random walk, see [Strategy#surw].
final class SurwSearch implements Search {

  private final SplittableRandom seeds;

  /// How often each task has accessed each place: the most in any run so far.
  private final Map<String, Map<Candidate.Queue, Integer>> known = new TreeMap<>();

  private @Nullable Walk walk;

  SurwSearch(long seed) {
    seeds = new SplittableRandom(seed);
  }

  @Override
  public Choices next() {
    long seed = seeds.nextLong();
    List<String> shared = new ArrayList<>();
    known.forEach((place, counts) -> {
      if (counts.size() > 1) {
        shared.add(place);
      }
    });
    String place = shared.isEmpty() ? "" : shared.get(seeds.nextInt(shared.size()));
    var next = new Walk(seed, place, known.getOrDefault(place, Map.of()));
    walk = next;
    return new Choices(next, "SURW at '%s', seed %d".formatted(place, seed));
  }

  @Override
  public void ended(ChoiceSequence sequence) {
    if (walk != null) {
      walk.made.forEach((place, counts) -> {
        Map<Candidate.Queue, Integer> all = known.computeIfAbsent(place, _ -> new HashMap<>());
        counts.forEach((task, count) -> all.merge(task, count, Math::max));
      });
    }
  }

  /// One run.
  private static final class Walk extends UniformChooser {

    /// Whose accesses are put into an order that is as likely as any other; empty for none.
    private final String place;

    /// How many of these accesses each task is expected to have left.
    private final Map<Candidate.Queue, Integer> left;

    /// As of all tasks in this run.
    private final Map<String, Map<Candidate.Queue, Integer>> made = new HashMap<>();

    /// Tasks that are about to make one of these accesses, or have made it without a choice,
    /// because no other task was ready.
    private final Set<Candidate.Queue> arrived = new HashSet<>();

    /// Makes the next one of these accesses; null if that is not drawn yet.
    private Candidate.@Nullable Queue intended;

    /// Those that have to wait for it.
    private final Set<Candidate.Queue> waiting = new HashSet<>();

    Walk(long seed, String place, Map<Candidate.Queue, Integer> expected) {
      super(seed);
      this.place = place;
      this.left = new HashMap<>(expected);
    }

    @Override
    long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
      if (!(ids instanceof Candidates candidates) || !kind.isOrder()) {
        return draw(count);
      }
      List<Candidate.Queue> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(new Candidate.Queue(kind.ofCandidates(), candidates.applyAsLong(i)));
      }
      return chosen(all, candidates);
    }

    @Override
    void reached(long task, String where) {
      var each = new Candidate.Queue(ChoiceKind.TASK, task);
      made.computeIfAbsent(where, _ -> new HashMap<>()).merge(each, 1, Integer::sum);
      if (arrived.remove(each)) {
        left.merge(each, -1, Integer::sum);
      }
      if (where.equals(place)) {
        arrived.add(each);
      }
    }

    private int chosen(List<Candidate.Queue> all, Candidates candidates) {
      while (true) {
        List<Candidate.Queue> free = all.stream().filter(each -> !waiting.contains(each)).toList();
        if (free.isEmpty()) {
          waiting.clear();
          intended = null;
          continue;
        }
        Candidate.Queue each = free.get(random.nextInt(free.size()));
        int index = all.indexOf(each);
        if (place.isEmpty() || !candidates.place(index).equals(place)) {
          return index;
        }
        if (intended == null) {
          intended = intended(free, each);
        }
        if (each.equals(intended)) {
          left.merge(each, -1, Integer::sum);
          arrived.remove(each);
          waiting.clear();
          intended = null;
          return index;
        }
        waiting.add(each);
      }
    }

    /// Draws the task that is next at the place.
    private Candidate.Queue intended(List<Candidate.Queue> of, Candidate.Queue ifNone) {
      int total = of.stream().mapToInt(this::weight).sum();
      int drawn = total == 0 ? 0 : random.nextInt(total);
      for (Candidate.Queue each : of) {
        drawn -= weight(each);
        if (drawn < 0) {
          return each;
        }
      }
      return ifNone;
    }

    private int weight(Candidate.Queue task) {
      return Math.max(0, left.getOrDefault(task, 0));
    }
  }
}
