package dev.rondo.exploration;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Repeats the choices of a sequence, then chooses zero.
class ReplayChooser extends Chooser {

  private final ChoiceSequence recorded;
  private int index;
  private @Nullable ReplayDivergedException divergence;

  /// At which choice to take the stack; negative for none.
  private final int watched;

  private @Nullable Throwable watchedStack;

  ReplayChooser(ChoiceSequence recorded) {
    this(recorded, -1);
  }

  ReplayChooser(ChoiceSequence recorded, int watched) {
    this.recorded = recorded;
    this.watched = watched;
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    int at = index++;
    if (divergence != null) {
      return 0;
    }
    if (at >= recorded.size()) {
      return beyond(count);
    }
    long value = recorded.value(at);
    if (recorded.kind(at) != kind || recorded.count(at) != count) {
      return diverge(at, "%s, one of %s".formatted(kind, ChoiceSequence.text(count)));
    }
    long id = ids == null ? part : ids.applyAsLong((int) value);
    if (recorded.id(at) != id) {
      return diverge(at, ChoiceSequence.describe(kind, count, value, id));
    }
    if (at == watched) {
      watchedStack = new Throwable("when the run asked for what was recorded");
    }
    return value;
  }

  /// {@return where the run made the choice that is watched; null if it did not}
  final @Nullable Throwable watchedStack() {
    return watchedStack;
  }

  @Override
  boolean isReplay() {
    return true;
  }

  final ChoiceSequence recorded() {
    return recorded;
  }

  /// {@return whether the last choice was made after those recorded}
  final boolean isBeyond() {
    return index > recorded.size();
  }

  /// Makes a choice after those recorded.
  long beyond(long count) {
    return 0;
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    return choose(kind, 0, 2, null);
  }

  /// A policy must not throw, so the run goes on.
  private long diverge(int at, String asked) {
    divergence =
        new ReplayDivergedException(
            at,
            "the replay diverges at choice %d of %d: recorded was %s, and the run asks for %s"
                .formatted(at + 1, recorded.size(), recorded.describe(at), asked));
    return 0;
  }

  /// @param made how many choices the run has made
  void requireNoDivergence(int made) {
    if (divergence != null) {
      throw divergence;
    }
    if (made < recorded.size()) {
      throw new ReplayDivergedException(
          made,
          "the replay diverges at choice %d of %d: recorded was %s, and the run has ended"
              .formatted(made + 1, recorded.size(), recorded.describe(made)));
    }
  }
}
