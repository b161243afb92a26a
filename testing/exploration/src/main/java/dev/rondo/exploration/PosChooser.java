package dev.rondo.exploration;

import dev.rondo.exploration.internal.Candidates;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the candidate whose next access has the highest priority; see [Strategy#pos].
final class PosChooser extends UniformChooser {

  /// By kind and id.
  private final Map<Candidate.Queue, Double> priorities = new HashMap<>();

  PosChooser(long seed) {
    super(seed);
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    if (ids == null || !kind.isOrder()) {
      return draw(count);
    }
    int best = 0;
    double highest = -1;
    Candidate.Queue chosen = null;
    for (int i = 0; i < count; i++) {
      var each = new Candidate.Queue(kind.ofCandidates(), ids.applyAsLong(i));
      boolean isNew = ids instanceof Candidates of && of.conflicts(i);
      Double known = isNew ? null : priorities.get(each);
      double priority = known == null ? random.nextDouble() : known;
      priorities.put(each, priority);
      if (priority > highest) {
        highest = priority;
        best = i;
        chosen = each;
      }
    }
    priorities.remove(chosen);
    return best;
  }
}
