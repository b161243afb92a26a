package dev.rondo.condition.sync;

/// Permits of a [Semaphore] that somebody took: to be closed, best by try-with-resources, by
/// whoever has them by then.
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

  boolean areOf(Semaphore other) {
    return semaphore == other;
  }

  /// {@return how many they are}
  public int count() {
    return count;
  }

  /// Gives them back, see [Semaphore#release(int)]. Closing again does nothing. Never a suspension
  /// point.
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
    return "permits=%d of %s%s".formatted(count, semaphore, closed ? ", given back" : "");
  }
}
