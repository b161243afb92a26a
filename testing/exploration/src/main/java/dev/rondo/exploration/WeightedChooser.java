package dev.rondo.exploration;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses candidates by their weights; see [Strategy#weighted].
final class WeightedChooser extends UniformChooser {

  /// The greatest weight is two to the power of this, and the least is one.
  private static final int SPREAD = 4;

  /// By kind and id.
  private final Map<Candidate.Queue, Double> weights = new HashMap<>();

  WeightedChooser(long seed) {
    super(seed);
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    if (ids == null || !kind.isOrder()) {
      return draw(count);
    }
    boolean switches = kind == ChoiceKind.SWITCH;
    if (switches && !isSwitched()) {
      return 0;
    }
    var each = new double[(int) count];
    double total = 0;
    for (int i = switches ? 1 : 0; i < each.length; i++) {
      each[i] = weight(kind, ids.applyAsLong(i));
      total += each[i];
    }
    double left = random.nextDouble() * total;
    int chosen = switches ? 1 : 0;
    while (chosen < each.length - 1 && left >= each[chosen]) {
      left -= each[chosen];
      chosen++;
    }
    return chosen;
  }

  private double weight(ChoiceKind kind, long id) {
    return weights.computeIfAbsent(
        new Candidate.Queue(kind.ofCandidates(), id),
        _ -> Math.pow(2, SPREAD * random.nextDouble()));
  }
}
