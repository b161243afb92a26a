package dev.rondo.inspector;

/// A request that is not answered as it was meant.
final class Refusal extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  Refusal(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
