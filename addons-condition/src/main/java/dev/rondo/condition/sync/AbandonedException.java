package dev.rondo.condition.sync;

/// Thrown by waits that can never succeed, because a task ended while it held the lock, or because
/// the promise was closed without a value.
public final class AbandonedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  AbandonedException(String message) {
    super(message);
  }
}
