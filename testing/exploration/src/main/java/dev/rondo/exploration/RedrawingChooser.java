package dev.rondo.exploration;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the values of a candidate where it has any, and others at random; the usual order of
/// hosts, perhaps the shortest times, and for some parts of the run zeros only.
final class RedrawingChooser extends CandidateChooser {

  private final UniformChooser random;
  private final SplittableRandom lots;
  private final double shareOfZeros;
  private final boolean delays;

  /// Of each part, in the order in which they begin: whether it has zeros only.
  private final Map<Candidate.Queue, Boolean> zeros = new HashMap<>();

  /// @param kept values
  /// @param shareOfZeros how many parts have zeros only, from 0 to 1; which ones is by lot
  /// @param delays whether times are at random, too
  RedrawingChooser(Candidate kept, long seed, double shareOfZeros, boolean delays, Size most) {
    super(kept, most);
    this.random = new UniformChooser(seed);
    this.lots = new SplittableRandom(~seed);
    this.shareOfZeros = shareOfZeros;
    this.delays = delays;
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    if (isUsual(kind) || isZero(kind, part)) {
      return 0;
    }
    return hasNext(kind, part)
        ? super.choose(kind, part, count, ids)
        : random.choose(kind, part, count, ids);
  }

  private boolean isUsual(ChoiceKind kind) {
    return kind == ChoiceKind.HOST || (kind == ChoiceKind.DELIVERY && !delays);
  }

  private boolean isZero(ChoiceKind kind, int part) {
    return shareOfZeros > 0
        && part != 0
        && zeros.computeIfAbsent(
            new Candidate.Queue(kind, part), _ -> lots.nextDouble() < shareOfZeros);
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    if (isUsual(kind)) {
      return 0;
    }
    return hasNext(kind, 0) ? super.chance(kind, probability) : random.chance(kind, probability);
  }
}
