package dev.rondo.exploration;

import org.jspecify.annotations.Nullable;

/// Makes runs of one body.
final class Runner {

  private static final int TRIES = 3;

  private final Explorer.Body body;
  private final ProgramCode code;

  /// @param test the name of the class of the test
  Runner(Explorer.Body body, String test) {
    this.body = body;
    this.code = ProgramCode.of(test);
  }

  static Runner of(Explorer.Body body) {
    return new Runner(body, body.getClass().getName());
  }

  /// {@return what the run has thrown; null if it has passed}
  @Nullable Throwable run(Choices choices) {
    return run(choices, false);
  }

  /// {@return what a run to be shown has thrown; null if it has passed}
  @Nullable Throwable show(Choices choices) {
    return run(choices, true);
  }

  private @Nullable Throwable run(Choices choices, boolean isShown) {
    choices.runs(code, isShown);
    try {
      body.run(choices);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  FailureShape shape(Throwable failure) {
    return FailureShape.of(failure, code);
  }

  /// {@return how a run differs from the one it repeats; null if it does not}
  @Nullable ReplayDivergedException divergenceOf(Choices choices) {
    try {
      choices.requireNoDivergence();
      return null;
    } catch (ReplayDivergedException e) {
      ChoiceSequence recorded = choices.recorded();
      return recorded == null || recorded.site(e.index()) != null ? e : withBothStacks(e, recorded);
    }
  }

  /// Repeats the run in the hope that it asks for what was recorded.
  private ReplayDivergedException withBothStacks(
      ReplayDivergedException divergence, ChoiceSequence recorded) {
    for (int i = 0; i < TRIES; i++) {
      var chooser = new ReplayChooser(recorded, ReplayChooser.Span.of(divergence.index()));
      Throwable _ = run(new Choices(chooser, "replay"));
      if (!chooser.sites().isEmpty()) {
        return divergence.with(chooser.sites().getFirst());
      }
    }
    return divergence;
  }
}
