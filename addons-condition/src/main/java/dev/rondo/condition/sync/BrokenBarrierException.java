package dev.rondo.condition.sync;

/// Thrown by waits for a [Barrier] that is broken: a task that had arrived stopped waiting, or the
/// barrier was reset.
public final class BrokenBarrierException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  BrokenBarrierException(String message) {
    super(message);
  }
}
