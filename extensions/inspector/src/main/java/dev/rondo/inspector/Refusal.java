package dev.rondo.inspector;

/// Thrown for a request that is refused.
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
