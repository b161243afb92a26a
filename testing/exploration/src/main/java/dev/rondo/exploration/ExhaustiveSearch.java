package dev.rondo.exploration;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// All runs, in the order of how much they deviate from the usual one; see [Strategy#exhaustive].
///
/// Each run but the first is a variation of an earlier one: equal up to a choice, another value
/// there, and zeros after it. A run is varied behind its own variation only, so that each is made
/// once.
final class ExhaustiveSearch implements Search {

  private final long seed;

  /// In how many choices of tasks or hosts a run may deviate.
  private final int most;

  /// The runs that are still to be varied.
  private final Deque<Variations> left = new ArrayDeque<>();

  private boolean begun;

  /// Whether a run has drawn a number of which not all values are tried.
  private boolean sampled;

  // Of the run under way: its deviations, and how many of its first choices are not to be varied.
  private int deviations;
  private int fixed;

  ExhaustiveSearch(long seed, int most) {
    this.seed = seed;
    this.most = most;
  }

  @Override
  public @Nullable Choices next() {
    if (!begun) {
      begun = true;
      return choices(ChoiceSequence.empty());
    }
    Variations next = left.peekFirst();
    if (next == null) {
      return null;
    }
    deviations = next.deviations + (next.run.kind(next.index).isOrder() ? 1 : 0);
    fixed = next.index + 1;
    Choices choices = choices(next.run.varied(next.index, next.value));
    if (!next.advance()) {
      Variations _ = left.removeFirst();
    }
    return choices;
  }

  private Choices choices(ChoiceSequence begin) {
    return new Choices(new VaryingChooser(begin, seed), "exhaustive, seed " + seed);
  }

  @Override
  public boolean isComplete() {
    return !sampled;
  }

  @Override
  public void ended(ChoiceSequence sequence) {
    for (int i = 0; i < sequence.size() && !sampled; i++) {
      sampled = !isEnumerated(sequence.kind(i), sequence.count(i));
    }
    var variations = new Variations(sequence, deviations, most, fixed);
    if (variations.advance()) {
      left.addLast(variations);
    }
  }

  private static boolean isEnumerated(ChoiceKind kind, long count) {
    return kind.isOrder() || (count > 0 && count <= Strategy.MAX_ENUMERATED);
  }

  /// A run, and how it is to be varied next.
  private static final class Variations {

    private final ChoiceSequence run;
    private final int deviations;
    private final int most;
    private int index;
    private long value;

    Variations(ChoiceSequence run, int deviations, int most, int from) {
      this.run = run;
      this.deviations = deviations;
      this.most = most;
      this.index = from;
    }

    /// Goes on to the next variation.
    ///
    /// @return whether there is one
    boolean advance() {
      value++;
      while (index < run.size()) {
        ChoiceKind kind = run.kind(index);
        boolean tooMany = kind.isOrder() && deviations == most;
        if (!tooMany && isEnumerated(kind, run.count(index)) && value < run.count(index)) {
          return true;
        }
        index++;
        value = 1;
      }
      return false;
    }
  }

  /// Repeats the beginning of a run, whose last choice is varied; then zeros, and large numbers
  /// from the seed.
  private static final class VaryingChooser extends ReplayChooser {

    private final UniformChooser large;

    VaryingChooser(ChoiceSequence begin, long seed) {
      super(begin);
      this.large = new UniformChooser(seed);
    }

    @Override
    long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
      if (isEnumerated(kind, count)) {
        return super.choose(kind, part, count, ids);
      }
      long drawn = large.draw(count);
      long repeated = super.choose(kind, part, count, ids);
      return isBeyond() ? drawn : repeated;
    }

    @Override
    boolean isReplay() {
      return false;
    }

    /// Which candidate the other value is was not known.
    @Override
    boolean hasId(int index) {
      return index < recorded().size() - 1;
    }
  }
}
