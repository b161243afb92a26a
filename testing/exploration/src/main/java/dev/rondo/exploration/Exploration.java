package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/// The result of an [Explorer].
///
/// @param strategy of the search
/// @param runs how many runs were made, without those of shrinking; the last one has failed, if
///   there is a failure
/// @param isComplete whether all runs that the strategy allows were made, and have passed; not if
///   they have drawn a number of which [Strategy#exhaustive] tries one value only
/// @param failure of the simplest run that fails; empty if all have passed
/// @param found the choices of the run that failed first; empty if all have passed
/// @param shrunk the simplest sequence of choices that fails, without zeros at its end; empty if
///   all runs have passed
/// @param shrinkRuns how many runs shrinking has made
/// @param isCutShort whether more runs might have made the sequence simpler still
/// @param divergence how a repetition of the failing run differed from it, because something
///   outside of the choices decides; empty if it did not, or there was none
public record Exploration(
    Strategy strategy,
    int runs,
    boolean isComplete,
    Optional<Throwable> failure,
    Optional<ChoiceSequence> found,
    Optional<ChoiceSequence> shrunk,
    int shrinkRuns,
    boolean isCutShort,
    Optional<ReplayDivergedException> divergence) {

  /// For an explorer.
  ///
  /// @throws IllegalArgumentException if the failure, `found` and `shrunk` are not all there or all
  ///   absent
  public Exploration {
    requireNonNull(strategy, "strategy is null");
    requireNonNull(divergence, "divergence is null");
    boolean failed = failure.isPresent();
    if (found.isPresent() != failed || shrunk.isPresent() != failed) {
      throw new IllegalArgumentException(
          "failure=%s, found=%s, shrunk=%s".formatted(failure, found, shrunk));
    }
  }

  static Exploration passed(Strategy strategy, int runs, boolean complete) {
    return new Exploration(
        strategy,
        runs,
        complete,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        false,
        Optional.empty());
  }

  /// {@return the result without shrinking}
  static Exploration failed(
      Strategy strategy, Found found, Optional<ReplayDivergedException> divergence) {
    return new Exploration(
        strategy,
        found.run(),
        false,
        Optional.of(found.failure()),
        Optional.of(found.sequence()),
        Optional.of(found.sequence().trimmed()),
        0,
        false,
        divergence);
  }

  /// Throws the failure, if there is one, with a suppressed [ExplorationNote].
  ///
  /// @throws Throwable the failure
  public void requireNoFailure() throws Throwable {
    if (failure.isPresent()) {
      Throwable thrown = failure.get();
      thrown.addSuppressed(new ExplorationNote(this + "\nreplay: " + shrunk.orElseThrow().print()));
      divergence.ifPresent(thrown::addSuppressed);
      throw thrown;
    }
  }

  /// {@return the result in words: "all 24 orders pass", or which run failed, how far it was
  /// shrunk, and whether it could not be repeated}
  @Override
  public String toString() {
    if (found.isEmpty()) {
      return isComplete
          ? "all %,d orders pass (%s)".formatted(runs, strategy)
          : "%,d runs pass (%s)".formatted(runs, strategy);
    }
    var text = new StringBuilder();
    text.append("run %,d fails (%s): %s".formatted(runs, strategy, found.get()));
    if (shrinkRuns > 0) {
      text.append("; shrunk in %,d runs to %s".formatted(shrinkRuns, shrunk.orElseThrow()));
    }
    if (isCutShort) {
      text.append("; the limit of shrinking was reached");
    }
    if (divergence.isPresent()) {
      text.append("; a repetition differed: something outside of the choices decides");
    }
    return text.toString();
  }
}
