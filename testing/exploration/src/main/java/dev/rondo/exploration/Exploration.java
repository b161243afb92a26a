package dev.rondo.exploration;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of an [Explorer].
///
/// Immutable; any thread.
public final class Exploration {

  /// What was done to make a run simpler.
  ///
  /// @param runs how many were made
  /// @param isCutShort whether more might have made it simpler still
  record Shrinking(int runs, boolean isCutShort) {

    static final Shrinking NONE = new Shrinking(0, false);
  }

  private final Strategy strategy;
  private final int runs;
  private final boolean complete;
  private final @Nullable Found found;
  private final @Nullable Found shrunk;
  private final Shrinking shrinking;
  private final @Nullable ReplayDivergedException divergence;

  private Exploration(
      Strategy strategy,
      int runs,
      boolean complete,
      @Nullable Found found,
      @Nullable Found shrunk,
      Shrinking shrinking,
      @Nullable ReplayDivergedException divergence) {
    this.strategy = strategy;
    this.runs = runs;
    this.complete = complete;
    this.found = found;
    this.shrunk = shrunk;
    this.shrinking = shrinking;
    this.divergence = divergence;
  }

  Exploration(
      Strategy strategy,
      Found found,
      Found shrunk,
      Shrinking shrinking,
      @Nullable ReplayDivergedException divergence) {
    this(strategy, found.run(), false, found, shrunk, shrinking, divergence);
  }

  static Exploration passed(Strategy strategy, int runs, boolean complete) {
    return new Exploration(strategy, runs, complete, null, null, Shrinking.NONE, null);
  }

  /// {@return how many runs were made, without those of shrinking} The last one has failed, if
  /// there is a [#failure()].
  public int runs() {
    return runs;
  }

  /// {@return whether all runs that the strategy allows were made, and have passed}
  public boolean isComplete() {
    return complete;
  }

  /// {@return the failure of the simplest run that fails; empty if all have passed}
  public Optional<Throwable> failure() {
    return Optional.ofNullable(shrunk).map(Found::failure);
  }

  /// {@return the choices of the run that failed first; empty if all have passed}
  public Optional<ChoiceSequence> found() {
    return Optional.ofNullable(found).map(Found::sequence);
  }

  /// {@return the simplest sequence of choices that fails, without zeros at its end; empty if all
  /// runs have passed}
  public Optional<ChoiceSequence> shrunk() {
    return Optional.ofNullable(shrunk).map(each -> each.sequence().trimmed());
  }

  /// {@return how many runs shrinking has made}
  public int shrinkRuns() {
    return shrinking.runs();
  }

  /// {@return how a repetition of the failing run differed from it; empty if it did not, or there
  /// was none} Then something outside of the choices decides.
  public Optional<ReplayDivergedException> divergence() {
    return Optional.ofNullable(divergence);
  }

  /// Throws the failure, if there is one, with a suppressed [ExplorationNote].
  ///
  /// @throws Throwable the failure
  public void requireNoFailure() throws Throwable {
    if (shrunk != null) {
      Throwable failure = shrunk.failure();
      failure.addSuppressed(
          new ExplorationNote(describe() + "\nreplay: " + shrunk.sequence().trimmed().print()));
      if (divergence != null) {
        failure.addSuppressed(divergence);
      }
      throw failure;
    }
  }

  /// {@return the result in words: "all 24 orders pass", or which run failed, how far it was
  /// shrunk, and whether it could not be repeated}
  public String describe() {
    if (found == null || shrunk == null) {
      return complete
          ? "all %,d orders pass (%s)".formatted(runs, strategy)
          : "%,d runs pass (%s)".formatted(runs, strategy);
    }
    var text = new StringBuilder();
    text.append("run %,d fails (%s): %s".formatted(runs, strategy, found.sequence()));
    if (shrinking.runs() > 0) {
      text.append(
          "; shrunk in %,d runs to %s".formatted(shrinking.runs(), shrunk.sequence().trimmed()));
    }
    if (shrinking.isCutShort()) {
      text.append("; the limit of shrinking was reached");
    }
    if (divergence != null) {
      text.append("; a repetition differed: something outside of the choices decides");
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return describe();
  }
}
