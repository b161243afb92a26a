package dev.rondo.exploration;

/// A run has exceeded its limit of real time, or an attempt at a simpler run has become far longer
/// than the run that it was to simplify.
final class GivenUpException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  GivenUpException(String why) {
    super("given up, because " + why);
  }
}
