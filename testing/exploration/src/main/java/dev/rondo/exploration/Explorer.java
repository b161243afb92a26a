package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Runs code again and again with other choices, until a run fails; then makes that run as simple
/// as it can and repeats it.
///
/// ```
/// Exploration result = new Explorer(Strategy.uniform(7)).runs(1_000).explore(choices -> {
///   try (Scheduler scheduler = Scheduler.builder().policy(choices::policy).build()) {
///     ..
///   }
/// });
/// result.requireNoFailure();
/// ```
///
/// Not thread-safe. Runs are made on the calling thread, one after the other. An interrupt of that
/// thread cuts the run of a scheduler short, so it ends the exploration: with a
/// [CancellationException], or, while a failure is shrunk, with that failure as it was found.
public final class Explorer {

  /// One run.
  @FunctionalInterface
  public interface Body {

    /// Makes a run, in a state of its own: what it does must follow from the choices alone.
    ///
    /// @param choices everything random is drawn from these
    /// @throws Throwable a failure, which ends the search
    void run(Choices choices) throws Throwable;
  }

  private static final int DEFAULT_RUNS = 1000;
  private static final int DEFAULT_SHRINK_RUNS = 10_000;
  private static final Duration DEFAULT_SHRINK_LIMIT = Duration.ofSeconds(5);

  private final Strategy strategy;
  private int runs = DEFAULT_RUNS;
  private int shrinkRuns = DEFAULT_SHRINK_RUNS;
  private Duration shrinkLimit = DEFAULT_SHRINK_LIMIT;
  private Predicate<? super Throwable> shrinkable = _ -> true;

  /// Makes an explorer of up to 1,000 runs, which shrinks for up to 5 s and 10,000 runs.
  ///
  /// @param strategy makes the choices
  public Explorer(Strategy strategy) {
    requireNonNull(strategy, "strategy is null");
    this.strategy = strategy;
  }

  /// Sets how many runs to make at most, not counting those of shrinking.
  ///
  /// @param most at least 1
  /// @return this explorer
  /// @throws IllegalArgumentException if it is less than 1
  public Explorer runs(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("runs must be at least 1: runs=" + most);
    }
    runs = most;
    return this;
  }

  /// Sets the limits of shrinking.
  ///
  /// @param limit real time, at least zero, which means no shrinking
  /// @param most runs, at least zero, which means no shrinking
  /// @return this explorer
  /// @throws IllegalArgumentException if one of them is negative
  public Explorer shrinking(Duration limit, int most) {
    requireNonNull(limit, "limit is null");
    if (limit.isNegative() || most < 0) {
      throw new IllegalArgumentException(
          "limit and most must be at least zero: limit=%s, most=%d"
              .formatted(ReportText.duration(limit), most));
    }
    shrinkLimit = limit;
    shrinkRuns = most;
    return this;
  }

  /// Sets which failures are shrunk and repeated; the others end the search as they are. The
  /// default is all.
  ///
  /// @param failures false for a failure that takes long, such as a hang, also if an interrupt has
  ///   shown it
  /// @return this explorer
  public Explorer shrinkOnly(Predicate<? super Throwable> failures) {
    shrinkable = requireNonNull(failures, "failures is null");
    return this;
  }

  /// Makes the runs.
  ///
  /// The last run of a search that has found a failure is a [Choices#isReplay] of the simplest
  /// failing sequence.
  ///
  /// @param body one run
  /// @return the result; a failure of the body is in there, and is not thrown
  /// @throws CancellationException if the calling thread is interrupted, and still is then; the
  ///   cause is what the body has thrown in that run, if anything
  /// @throws ReplayDivergedException if the strategy repeats runs, and a run has made other choices
  ///   than the one it repeats
  public Exploration explore(Body body) {
    requireNonNull(body, "body is null");
    return explore(Runner.of(body));
  }

  /// Makes the runs, as [#explore(Body)] does, of a body whose class is not the test's.
  ///
  /// @param test its frames, and those of classes nested in it, tell failures apart; by default the
  ///   frames of the body's class, and any frame that is not of a library
  /// @param body one run
  /// @return the result
  /// @throws CancellationException as [#explore(Body)]
  /// @throws ReplayDivergedException as [#explore(Body)]
  public Exploration explore(Class<?> test, Body body) {
    requireNonNull(test, "test is null");
    requireNonNull(body, "body is null");
    return explore(new Runner(body, test.getName()));
  }

  private Exploration explore(Runner runner) {
    Search search = strategy.begin();
    for (int run = 1; run <= runs; run++) {
      Choices choices = search.next();
      if (choices == null) {
        return Exploration.passed(strategy, run - 1, search.isComplete());
      }
      Throwable failure =
          choices.isReplay() || runs == 1 ? runner.show(choices) : runner.run(choices);
      boolean isFinal = failure != null && !shrinkable.test(failure);
      if (!isFinal && Thread.currentThread().isInterrupted()) {
        throw interrupted(run, failure);
      }
      ReplayDivergedException divergence = runner.divergenceOf(choices);
      if (failure != null) {
        boolean refine = divergence == null && !choices.isReplay() && !isFinal;
        var found = new Found(run, choices.sequence(), failure);
        return refine
            ? new Refinement(runner, found, shrinkLimit, shrinkRuns).result(strategy)
            : Exploration.failed(strategy, found, Optional.ofNullable(divergence));
      }
      if (divergence != null) {
        throw divergence;
      }
      search.ended(choices.sequence());
    }
    return Exploration.passed(strategy, runs, false);
  }

  private CancellationException interrupted(int run, @Nullable Throwable failure) {
    var told =
        new CancellationException(
            "the exploration was interrupted in run %,d of %,d".formatted(run, runs));
    told.initCause(failure);
    return told;
  }
}
