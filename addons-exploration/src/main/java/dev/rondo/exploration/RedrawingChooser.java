package dev.rondo.exploration;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the usual order of hosts and the shortest times; of the rest the values of a candidate
/// where it has any, and others at random.
final class RedrawingChooser extends CandidateChooser {

  private final UniformChooser random;

  RedrawingChooser(Candidate kept, long seed, Size most) {
    super(kept, most);
    this.random = new UniformChooser(seed);
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    if (kind == ChoiceKind.DELIVERY || kind == ChoiceKind.HOST) {
      return 0;
    }
    return hasNext(kind, part)
        ? super.choose(kind, part, count, ids)
        : random.choose(kind, part, count, ids);
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    if (kind == ChoiceKind.DELIVERY) {
      return 0;
    }
    return hasNext(kind, 0) ? super.chance(kind, probability) : random.chance(kind, probability);
  }
}
