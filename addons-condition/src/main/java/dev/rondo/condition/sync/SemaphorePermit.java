package dev.rondo.condition.sync;

/// Permits that were taken from a [Semaphore]. Any task may close them, best in a
/// try-with-resources.
///
/// Confined to the scheduler's thread.
public final class SemaphorePermit implements AutoCloseable {

  private final Semaphore semaphore;
  private final int count;
  private boolean closed;

  SemaphorePermit(Semaphore semaphore, int count) {
    this.semaphore = semaphore;
    this.count = count;
  }

  boolean isOf(Semaphore other) {
    return semaphore == other;
  }

  int count() {
    return count;
  }

  /// Returns the permits, see [Semaphore#release(int)]. Closing again does nothing. Never a
  /// suspension point.
  ///
  /// @throws WrongThreadException on another thread
  @Override
  public void close() {
    if (!closed) {
      semaphore.release(count);
      closed = true;
    }
  }

  @Override
  public String toString() {
    return "permits=%d of %s%s".formatted(count, semaphore, closed ? ", returned" : "");
  }
}
