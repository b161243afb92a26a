package dev.rondo.exploration;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes a failing sequence simpler, as long as the run fails in the same way: cuts its end off,
/// sets spans to zero, deletes spans, lowers single values; again and again, until none of that
/// helps or a limit is reached.
///
/// The passes are those of Hypothesis (D. R. MacIver, A. F. Donaldson, *Test-case reduction via
/// test-case generation*, ECOOP 2020), with an order in which few deviations come first.
final class Shrinker {

  /// Makes a run; returns its choices if it fails in the same way, else null.
  private final Function<ChoiceSequence, @Nullable ChoiceSequence> attempt;

  private final BooleanSupplier isOver;

  /// The hash codes of what was tried. Two sequences with the same one cost a chance.
  private final Set<Integer> tried = new HashSet<>();

  private ChoiceSequence best;
  private int bestTotal;

  /// @param failing the choices of a whole run
  Shrinker(
      ChoiceSequence failing,
      Function<ChoiceSequence, @Nullable ChoiceSequence> attempt,
      BooleanSupplier isOver) {
    this.best = failing.trimmed();
    this.bestTotal = failing.size();
    this.attempt = attempt;
    this.isOver = isOver;
  }

  ChoiceSequence shrink() {
    ChoiceSequence before;
    do {
      before = best;
      cutEnd();
      zeroSpans();
      deleteSpans();
      lowerValues();
    } while (before != best && !isOver.getAsBoolean());
    return best;
  }

  /// @return whether the sequence is better and is now the best
  private boolean accept(ChoiceSequence candidate) {
    if (isOver.getAsBoolean()
        || !tried.add(Arrays.deepHashCode(new CandidateChooser(candidate).key()))) {
      return false;
    }
    ChoiceSequence run = attempt.apply(candidate);
    if (run == null) {
      return false;
    }
    ChoiceSequence made = run.trimmed();
    if (!isSimpler(made, run.size())) {
      return false;
    }
    best = made;
    bestTotal = run.size();
    return true;
  }

  /// Few deviations, an early last one, a short run, small values.
  private boolean isSimpler(ChoiceSequence made, int total) {
    int order = Integer.compare(made.deviations(), best.deviations());
    if (order == 0) {
      order = Integer.compare(made.size(), best.size());
    }
    if (order == 0) {
      order = Integer.compare(total, bestTotal);
    }
    for (int i = 0; order == 0 && i < made.size(); i++) {
      order = Long.compareUnsigned(made.value(i), best.value(i));
    }
    return order < 0;
  }

  private void cutEnd() {
    for (int length = best.size() / 2; length > 0; ) {
      if (length > best.size() || !accept(best.first(best.size() - length))) {
        length /= 2;
      }
    }
  }

  private void zeroSpans() {
    for (int length = Math.max(1, best.size() / 2); length > 0; length /= 2) {
      for (int from = 0; from < best.size(); from += length) {
        int to = Math.min(best.size(), from + length);
        if (!isZero(from, to)) {
          boolean _ = accept(best.zeroed(from, to));
        }
      }
    }
  }

  private boolean isZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (best.value(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void deleteSpans() {
    for (int length = Math.max(1, best.size() / 2); length > 0; length /= 2) {
      for (int from = best.size() - length; from >= 0; from -= length) {
        if (from + length <= best.size()) {
          boolean _ = accept(best.without(from, from + length));
        }
      }
    }
  }

  private void lowerValues() {
    for (int i = 0; i < best.size(); i++) {
      if (best.value(i) != 0) {
        lower(i);
      }
    }
  }

  /// Bisects, as if all values above the least one that fails failed, too.
  private void lower(int index) {
    if (accept(best.with(index, 1))) {
      return;
    }
    long low = 1;
    while (index < best.size() && Long.compareUnsigned(best.value(index), low + 1) > 0) {
      long high = best.value(index);
      long middle = low + ((high - low) >>> 1);
      if (!accept(best.with(index, middle))) {
        low = middle;
      }
      if (isOver.getAsBoolean()) {
        return;
      }
    }
  }
}
