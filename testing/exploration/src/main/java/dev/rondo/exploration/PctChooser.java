package dev.rondo.exploration;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the candidate with the highest priority; see [Strategy#pct].
final class PctChooser extends UniformChooser {

  /// So many turns in a row, while others are ready, cost a task its priority.
  private static final int MOST_IN_A_ROW = 1000;

  /// At which choices of an order the best candidate loses its priority; ascending.
  private final int[] changes;

  /// By kind and id. Initial priorities are positive, lowered ones negative.
  private final Map<Candidate, Long> priorities = new HashMap<>();

  private record Candidate(ChoiceKind kind, long id) {}

  private int changed;
  private int steps;
  private long lowest;
  private @Nullable Candidate last;
  private int inARow;

  PctChooser(long seed, int depth, int expectedSteps) {
    super(seed);
    changes = new int[depth - 1];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = random.nextInt(expectedSteps);
    }
    Arrays.sort(changes);
  }

  @Override
  long choose(ChoiceKind asked, int part, long count, @Nullable IntToLongFunction ids) {
    if (ids == null || !asked.isOrder()) {
      return draw(count);
    }
    ChoiceKind kind = asked.ofCandidates();
    int best = best(kind, (int) count, ids);
    for (; changed < changes.length && changes[changed] <= steps; changed++) {
      best = lower(kind, best, (int) count, ids);
    }
    steps++;
    var chosen = new Candidate(kind, ids.applyAsLong(best));
    inARow = chosen.equals(last) ? inARow + 1 : 1;
    last = chosen;
    if (inARow == MOST_IN_A_ROW) {
      inARow = 0;
      return lower(kind, best, (int) count, ids);
    }
    return best;
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

  private int lower(ChoiceKind kind, int index, int count, IntToLongFunction ids) {
    priorities.put(new Candidate(kind, ids.applyAsLong(index)), --lowest);
    return best(kind, count, ids);
  }
}
