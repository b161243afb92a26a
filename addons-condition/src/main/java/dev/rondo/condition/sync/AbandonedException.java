package dev.rondo.condition.sync;

/// What somebody waits for cannot come any more, because whoever was to give it is gone: a task
/// ended and held the lock, or a promise was closed without having been fulfilled.
public final class AbandonedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  AbandonedException(String message) {
    super(message);
  }
}
