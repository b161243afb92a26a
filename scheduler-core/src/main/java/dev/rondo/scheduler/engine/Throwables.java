package dev.rondo.scheduler.engine;

/// Throws checked exceptions without declaring them. A wait throws the failure of its source as it
/// is; a socket's `read` declares the `IOException` that it may throw in this way.
final class Throwables {

  private Throwables() {}

  /// Never returns; `throw Throwables.rethrow(e)` tells the compiler so.
  @SuppressWarnings("unchecked")
  static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
