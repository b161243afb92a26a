package dev.rondo.condition.sync;

/// A [Barrier] will not be passed: a task that had arrived stopped waiting, or it was reset.
public final class BrokenBarrierException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  BrokenBarrierException(String message) {
    super(message);
  }
}
