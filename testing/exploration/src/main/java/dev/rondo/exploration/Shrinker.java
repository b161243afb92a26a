package dev.rondo.exploration;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes a failing sequence simpler, as long as the run fails in the same way. It sets all choices
/// of a kind or of a part of the run to zero, cuts off the ends of its queues, sets spans to zero,
/// deletes spans, and lowers single values. It does so again and again, until none of that helps or
/// a limit is reached. The step that may remove most comes first.
///
/// Of a long run, in which much depends on chance, almost nothing can be changed without losing the
/// failure. So it looks for a shorter run at first, with other numbers, that fails in the same way.
///
/// The passes are those of Hypothesis (D. R. MacIver, A. F. Donaldson, *Test-case reduction via
/// test-case generation*, ECOOP 2020), with an order in which few deviations come first.
final class Shrinker {

  /// Makes runs.
  interface Attempts {

    /// {@return the choices of a run if it fails in the same way, else null}
    ///
    /// @param mostChoices after which the run is given up
    @Nullable ChoiceSequence of(Candidate candidate, int mostChoices);

    /// {@return the choices of a run if it fails in the same way, else null}
    ///
    /// @param mostChoices after which the run is given up
    /// @see RedrawingChooser
    @Nullable ChoiceSequence redrawn(
        Candidate kept, long seed, double shareOfZeros, boolean delays, int mostChoices);

    /// {@return whether a share of the time is over}
    ///
    /// @param share from 0 to 1
    boolean isOver(double share);
  }

  /// A sequence with so many deviations is worth other runs: one with fewer is simplified quickly.
  private static final int MANY_DEVIATIONS = 100;

  /// An attempt takes so long that there may be few.
  private static final int VERY_MANY_DEVIATIONS = 1_000;

  /// In a pass: after so many attempts without success it goes on.
  private static final int REDRAWN = 1_000;

  private static final List<Kept> KEPT =
      List.of(Kept.NOTHING, Kept.WHAT_IS_OF_NO_PART, Kept.NOTHING, Kept.FAULTS);

  /// Each is tried with all of [#KEPT].
  private static final double[] SHARES_OF_ZEROS = {0, 0.5, 0.25, 0.75};

  private static final double SHARE_OF_REDRAWING = 0.5;

  private static final int SPARE_CHOICES = 1_000;

  // Parts that are set to zero first: up to so many parts of queues with such a share of all
  // deviations.
  private static final int MOST_PARTS = 8;
  private static final int LARGE_SHARE = 16;

  // How many spans of a queue are tried in a pass: few at first, then all.
  private static final int FEW_SPANS = 64;
  private static final int MORE = 16;

  private static final List<ChoiceKind> DULL_FIRST =
      List.of(
          ChoiceKind.DELIVERY,
          ChoiceKind.HOST,
          ChoiceKind.TASK,
          ChoiceKind.SWITCH,
          ChoiceKind.RANDOM,
          ChoiceKind.FAULT);

  private final Attempts attempts;

  /// The hash codes of what was tried. Two candidates with the same one cost a chance.
  private final Set<Integer> tried = new HashSet<>();

  private ChoiceSequence best;
  private Candidate candidate;
  private int bestTotal;
  private int redrawn;

  /// @param failing the choices of a whole run
  Shrinker(ChoiceSequence failing, Attempts attempts) {
    this.best = failing.trimmed();
    this.candidate = Candidate.of(best);
    this.bestTotal = failing.size();
    this.attempts = attempts;
  }

  ChoiceSequence shrink() {
    int spans = FEW_SPANS;
    boolean thorough;
    ChoiceSequence before;
    do {
      before = best;
      thorough = longest() <= spans;
      DULL_FIRST.forEach(kind -> accept(candidate.without(queue -> queue.kind() == kind)));
      if (!zeroMost()) {
        redraw();
      }
      DULL_FIRST.reversed().forEach(this::zeroParts);
      queues().forEach(this::cutEnd);
      inSpans(spans, this::zero);
      inSpans(spans, this::delete);
      if (best == before && thorough) {
        queues().forEach(this::lowerValues);
      } else if (best == before) {
        spans *= MORE;
      }
    } while ((best != before || !thorough) && !isOver());
    return best;
  }

  private boolean isOver() {
    return attempts.isOver(1);
  }

  // Attempts.

  /// @return whether the candidate is better and is now the best
  private boolean accept(Candidate other) {
    return !isOver() && tried.add(other.hashCode()) && improve(attempts.of(other, most()));
  }

  /// A run may be longer than the best one: it may have fewer deviations.
  private int most() {
    return bestTotal + bestTotal / 2 + SPARE_CHOICES;
  }

  /// @param run null if it does not fail in the same way
  private boolean improve(@Nullable ChoiceSequence run) {
    if (run == null) {
      return false;
    }
    ChoiceSequence made = run.trimmed();
    if (!isSimpler(made, run.size())) {
      return false;
    }
    best = made;
    candidate = Candidate.of(made);
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

  // Other runs.

  /// The part of the best run that a run with other numbers keeps.
  private enum Kept {
    NOTHING,
    WHAT_IS_OF_NO_PART,
    FAULTS;

    boolean isKept(Candidate.Queue queue) {
      return switch (this) {
        case NOTHING -> false;
        case WHAT_IS_OF_NO_PART -> queue.part() == 0;
        case FAULTS -> queue.part() == 0 || queue.kind() == ChoiceKind.FAULT;
      };
    }
  }

  /// Looks for another run with the usual order of hosts, and the shortest times if that will do:
  /// of at most half the length, or with the same faults, or with some parts left out.
  private void redraw() {
    int failed = 0;
    while (best.deviations() >= MANY_DEVIATIONS
        && failed < REDRAWN
        && !attempts.isOver(SHARE_OF_REDRAWING)) {
      failed = improve(redrawn(redrawn++)) ? 0 : failed + 1;
    }
  }

  private @Nullable ChoiceSequence redrawn(int number) {
    Kept kept = KEPT.get(number % KEPT.size());
    int round = number / KEPT.size();
    double zeros = SHARES_OF_ZEROS[round % SHARES_OF_ZEROS.length];
    boolean delays = round / SHARES_OF_ZEROS.length % 2 == 1 && hasDelays();
    int most = kept == Kept.FAULTS || zeros > 0 ? bestTotal : bestTotal / 2;
    Candidate part = candidate.without(queue -> !kept.isKept(queue));
    return attempts.redrawn(part, number, zeros, delays, most);
  }

  private boolean hasDelays() {
    return candidate.queues().stream().anyMatch(queue -> queue.kind() == ChoiceKind.DELIVERY);
  }

  // Queues.

  /// The short ones first: their choices matter most.
  private List<Candidate.Queue> queues() {
    List<Candidate.Queue> queues = candidate.queues();
    queues.sort(Comparator.comparingInt(queue -> candidate.values(queue).length));
    return queues;
  }

  private int longest() {
    return queues().stream().mapToInt(each -> candidate.values(each).length).max().orElse(0);
  }

  /// Sets all choices of some faults, or of some hosts, to zero: half of them, a quarter, each.
  private void zeroParts(ChoiceKind kind) {
    for (int length = partsOf(kind).size(); length > 0; length /= 2) {
      for (int from = 0; from < partsOf(kind).size(); ) {
        List<Candidate.Queue> all = partsOf(kind);
        List<Candidate.Queue> some = all.subList(from, Math.min(all.size(), from + length));
        if (!accept(candidate.without(some::contains))) {
          from += length;
        }
      }
    }
  }

  /// Sets to zero what deviates most: halves, quarters and eighths of the queues that have a good
  /// part of all deviations, the last ones first. Few attempts, each of which may remove much.
  ///
  /// @return whether that has removed most deviations
  private boolean zeroMost() {
    int before = best.deviations();
    List<Candidate.Queue> all = candidate.queues();
    all.sort(Comparator.comparingInt(this::deviations).reversed());
    for (Candidate.Queue queue : all) {
      for (int parts = 2; parts <= MOST_PARTS && isLarge(queue); parts *= 2) {
        int size = candidate.values(queue).length;
        for (int i = parts - 1; i >= 0; i--) {
          zero(queue, (int) ((long) size * i / parts), (int) ((long) size * (i + 1) / parts));
        }
      }
    }
    return best.deviations() < before / 2;
  }

  private boolean isLarge(Candidate.Queue queue) {
    return best.deviations() >= VERY_MANY_DEVIATIONS
        && (long) deviations(queue) * LARGE_SHARE >= best.deviations();
  }

  private int deviations(Candidate.Queue queue) {
    return (int) Arrays.stream(candidate.values(queue)).filter(value -> value != 0).count();
  }

  /// In the order in which they begin.
  private List<Candidate.Queue> partsOf(ChoiceKind kind) {
    return candidate.queues().stream().filter(queue -> queue.kind() == kind).toList();
  }

  private void cutEnd(Candidate.Queue queue) {
    for (int length = candidate.values(queue).length / 2; length > 0; ) {
      long[] values = candidate.values(queue);
      if (length > values.length
          || !accept(candidate.with(queue, Arrays.copyOf(values, values.length - length)))) {
        length /= 2;
      }
    }
  }

  private interface Pass {
    void run(Candidate.Queue queue, int length);
  }

  /// @param most of a queue; one of which a pass would try more is left for later
  private void inSpans(int most, Pass pass) {
    for (int length = Math.max(1, longest() / 2); length > 0; length /= 2) {
      for (Candidate.Queue queue : queues()) {
        int size = candidate.values(queue).length;
        if (size >= length && size <= (long) most * length) {
          pass.run(queue, length);
        }
      }
    }
  }

  private void zero(Candidate.Queue queue, int length) {
    for (int from = 0; from < candidate.values(queue).length; from += length) {
      zero(queue, from, from + length);
    }
  }

  private void zero(Candidate.Queue queue, int from, int end) {
    long[] values = candidate.values(queue).clone();
    int to = Math.min(values.length, end);
    if (from < to && Arrays.stream(values, from, to).anyMatch(value -> value != 0)) {
      Arrays.fill(values, from, to, 0);
      boolean _ = accept(candidate.with(queue, values));
    }
  }

  private void delete(Candidate.Queue queue, int length) {
    for (int from = candidate.values(queue).length - length; from >= 0; from -= length) {
      long[] values = candidate.values(queue);
      if (from + length <= values.length) {
        long[] shorter = Arrays.copyOf(values, values.length - length);
        System.arraycopy(values, from + length, shorter, from, shorter.length - from);
        boolean _ = accept(candidate.with(queue, shorter));
      }
    }
  }

  private void lowerValues(Candidate.Queue queue) {
    for (int i = 0; i < candidate.values(queue).length; i++) {
      if (candidate.values(queue)[i] != 0) {
        lower(queue, i);
      }
    }
  }

  /// Bisects, as if all values above the least one that fails failed, too.
  private void lower(Candidate.Queue queue, int index) {
    if (accept(changed(queue, index, 1))) {
      return;
    }
    long low = 1;
    while (index < candidate.values(queue).length
        && Long.compareUnsigned(candidate.values(queue)[index], low + 1) > 0) {
      long high = candidate.values(queue)[index];
      long middle = low + ((high - low) >>> 1);
      if (!accept(changed(queue, index, middle))) {
        low = middle;
      }
      if (isOver()) {
        return;
      }
    }
  }

  private Candidate changed(Candidate.Queue queue, int index, long value) {
    long[] values = candidate.values(queue).clone();
    values[index] = value;
    return candidate.with(queue, values);
  }
}
