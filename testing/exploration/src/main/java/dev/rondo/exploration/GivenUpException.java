package dev.rondo.exploration;

/// An attempt at a simpler run has become far longer than the run that it was to simplify.
final class GivenUpException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  GivenUpException(int steps, int choices) {
    super(
        "given up, because it is no simpler run: steps=%,d, choices=%,d".formatted(steps, choices));
  }
}
