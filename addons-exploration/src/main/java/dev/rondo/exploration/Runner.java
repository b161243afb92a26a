package dev.rondo.exploration;

import org.jspecify.annotations.Nullable;

/// Makes runs of one body.
final class Runner {

  private static final int TRIES = 3;

  private final Explorer.Body body;
  private final String test;

  /// @param test the name of the class of the test
  Runner(Explorer.Body body, String test) {
    this.body = body;
    int nested = test.indexOf('$'); // the name of a lambda has one, too
    this.test = nested < 0 ? test : test.substring(0, nested);
  }

  static Runner of(Explorer.Body body) {
    return new Runner(body, body.getClass().getName());
  }

  /// {@return what the run has thrown; null if it has passed}
  @Nullable Throwable run(Choices choices) {
    try {
      body.run(choices);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  FailureShape shape(Throwable failure) {
    return FailureShape.of(failure, test);
  }

  /// {@return how a run differs from the one it repeats; null if it does not}
  @Nullable ReplayDivergedException divergenceOf(Choices choices) {
    try {
      choices.requireNoDivergence();
      return null;
    } catch (ReplayDivergedException e) {
      ChoiceSequence recorded = choices.recorded();
      return recorded == null ? e : withBothStacks(e, recorded);
    }
  }

  /// Repeats the run in the hope that it asks for what was recorded.
  private ReplayDivergedException withBothStacks(
      ReplayDivergedException divergence, ChoiceSequence recorded) {
    for (int i = 0; i < TRIES; i++) {
      var chooser = new ReplayChooser(recorded, divergence.index());
      Throwable _ = run(new Choices(chooser, "replay"));
      Throwable stack = chooser.watchedStack();
      if (stack != null) {
        Throwable _ = divergence.initCause(stack);
        return divergence;
      }
    }
    return divergence;
  }
}
