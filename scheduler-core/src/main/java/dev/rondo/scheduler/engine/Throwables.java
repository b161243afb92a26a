package dev.rondo.scheduler.engine;

/// Throws anything from anywhere. A wait throws what its source failed it with, as it is; a
/// socket's `read` declares the `IOException` that this lets through.
final class Throwables {

  private Throwables() {}

  /// Never returns; `throw Throwables.rethrow(e)` tells the compiler so.
  @SuppressWarnings("unchecked")
  static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
