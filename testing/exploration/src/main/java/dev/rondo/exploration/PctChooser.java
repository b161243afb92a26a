package dev.rondo.exploration;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the candidate with the highest priority; see [Strategy#pct].
final class PctChooser extends UniformChooser {

  /// So many turns in a row, while others are ready, cost a task its priority.
  private static final int MOST_IN_A_ROW = 1000;

  /// When the best candidate loses its priority; in the order of the choices.
  private final Change[] changes;

  /// By kind and id. Initial priorities are positive, lowered ones negative.
  private final Map<Candidate, Long> priorities = new HashMap<>();

  private record Candidate(ChoiceKind kind, long id) {}

  /// @param step which choice of an order
  /// @param priority from then on; its order is not that of the steps
  private record Change(int step, long priority) {}

  private int changed;
  private int steps;
  private long lowest;

  /// How often a candidate was chosen since another one was chosen in its place.
  private final Map<Candidate, Integer> inARow = new HashMap<>();

  PctChooser(long seed, int depth, int expectedSteps) {
    super(seed);
    changes = new Change[depth - 1];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = new Change(random.nextInt(expectedSteps), --lowest);
    }
    Arrays.sort(changes, Comparator.comparingInt(Change::step));
  }

  @Override
  long choose(ChoiceKind asked, int part, long count, @Nullable IntToLongFunction ids) {
    if (ids == null || !asked.isOrder()) {
      return draw(count);
    }
    ChoiceKind kind = asked.ofCandidates();
    int best = best(kind, (int) count, ids);
    for (; changed < changes.length && changes[changed].step <= steps; changed++) {
      best = lower(kind, best, changes[changed].priority, (int) count, ids);
    }
    steps++;
    if (turnsInARow(kind, best, (int) count, ids) == MOST_IN_A_ROW) {
      inARow.remove(new Candidate(kind, ids.applyAsLong(best)));
      return lower(kind, best, --lowest, (int) count, ids);
    }
    return best;
  }

  /// {@return how often the chosen candidate was chosen while the same or others were ready}
  private int turnsInARow(ChoiceKind kind, int chosen, int count, IntToLongFunction ids) {
    for (int i = 0; i < count; i++) {
      if (i != chosen) {
        inARow.remove(new Candidate(kind, ids.applyAsLong(i)));
      }
    }
    return inARow.merge(new Candidate(kind, ids.applyAsLong(chosen)), 1, Integer::sum);
  }

  private int best(ChoiceKind kind, int count, IntToLongFunction ids) {
    int best = 0;
    long highest = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      long priority = priority(new Candidate(kind, ids.applyAsLong(i)));
      if (priority > highest) {
        highest = priority;
        best = i;
      }
    }
    return best;
  }

  private long priority(Candidate candidate) {
    return priorities.computeIfAbsent(candidate, _ -> random.nextLong(Long.MAX_VALUE));
  }

  private int lower(ChoiceKind kind, int index, long to, int count, IntToLongFunction ids) {
    priorities.put(new Candidate(kind, ids.applyAsLong(index)), to);
    return best(kind, count, ids);
  }
}
