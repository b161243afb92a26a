package dev.rondo.exploration;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks that a failure can be repeated, shrinks it, and repeats it. An interrupt, which cuts runs
/// short, ends that: the failure stays as it was found.
final class Refinement implements Shrinker.Attempts {

  /// An attempt may take twice the steps of the run that has failed, and some more.
  private static final int SPARE_STEPS = 1_000;

  private final Runner runner;
  private final Found found;
  private final FailureShape shape;
  private final long limitNanos;
  private final int mostRuns;
  private int mostSteps;
  private int runs;
  private long beganNanos;

  Refinement(Runner runner, Found found, Duration limit, int mostRuns) {
    this.runner = runner;
    this.found = found;
    this.shape = runner.shape(found.failure());
    this.limitNanos = saturated(limit);
    this.mostRuns = mostRuns;
  }

  private static long saturated(Duration limit) {
    Duration most = Duration.ofNanos(Long.MAX_VALUE);
    return limit.compareTo(most) < 0 ? limit.toNanos() : Long.MAX_VALUE;
  }

  Exploration result(Strategy strategy) {
    var repeated = Choices.replay(found.sequence());
    Throwable failure = runner.run(repeated);
    if (isInterrupted()) {
      return asFound(strategy);
    }
    ReplayDivergedException divergence = divergenceOf(repeated, failure);
    if (failure == null || divergence != null) {
      Throwable _ = runner.show(Choices.replay(found.sequence())); // there is no last run
      return Exploration.failed(strategy, found, Optional.ofNullable(divergence));
    }
    mostSteps = 2 * repeated.steps() + SPARE_STEPS;
    beganNanos = System.nanoTime();
    ChoiceSequence shrunk =
        isOver(1) ? found.sequence().trimmed() : new Shrinker(found.sequence(), this).shrink();
    boolean isCutShort = limitNanos > 0 && mostRuns > 0 && isOver(1);
    var last = Choices.replayWithSites(shrunk);
    failure = isInterrupted() ? null : runner.show(last);
    if (isInterrupted()) {
      return asFound(strategy);
    }
    divergence = divergenceOf(last, failure);
    Throwable shown = found.failure();
    ChoiceSequence simplest = found.sequence();
    if (failure != null && divergence == null) {
      shown = failure;
      simplest = shrunk.withSites(last.sites());
    }
    return new Exploration(
        strategy,
        found.run(),
        false,
        Optional.of(shown),
        Optional.of(found.sequence()),
        Optional.of(simplest.trimmed()),
        runs,
        isCutShort,
        Optional.ofNullable(divergence));
  }

  private Exploration asFound(Strategy strategy) {
    return Exploration.failed(strategy, found, Optional.empty());
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  /// {@return why this run is not the one it repeats; null if it is}
  private @Nullable ReplayDivergedException divergenceOf(
      Choices repeated, @Nullable Throwable failure) {
    ReplayDivergedException divergence = runner.divergenceOf(repeated);
    if (divergence == null && !isSame(failure)) {
      var other =
          new ReplayDivergedException(
              repeated.size(),
              "the same choices give another result: "
                  + (failure == null ? "the run passes" : failure.toString()));
      other.initCause(failure);
      return other;
    }
    return divergence;
  }

  private boolean isSame(@Nullable Throwable failure) {
    return failure != null && runner.shape(failure).equals(shape);
  }

  @Override
  public @Nullable ChoiceSequence of(Candidate candidate, int mostChoices) {
    return attempt(new CandidateChooser(candidate, size(mostChoices)));
  }

  @Override
  public @Nullable ChoiceSequence redrawn(
      Candidate kept, long seed, double shareOfZeros, boolean delays, int mostChoices) {
    return attempt(new RedrawingChooser(kept, seed, shareOfZeros, delays, size(mostChoices)));
  }

  private CandidateChooser.Size size(int mostChoices) {
    return new CandidateChooser.Size(mostSteps, mostChoices);
  }

  private @Nullable ChoiceSequence attempt(Chooser chooser) {
    runs++;
    var choices = new Choices(chooser, "shrinking");
    Throwable failure = runner.run(choices);
    return isSame(failure) && !isInterrupted() ? choices.sequence() : null;
  }

  @Override
  public boolean isOver(double share) {
    return isInterrupted()
        || runs >= share * mostRuns
        || System.nanoTime() - beganNanos >= share * limitNanos;
  }
}
