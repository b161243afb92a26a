package dev.rondo.condition;

/// What somebody waits for cannot come any more, because whoever was to give it is gone: a task
/// ended and held the lock, or a promise was closed without having been fulfilled.
public final class AbandonedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /// Says who is gone.
  ///
  /// @param message names what was abandoned, and by which task
  public AbandonedException(String message) {
    super(message);
  }
}
