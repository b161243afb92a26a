package dev.rondo.scheduler.engine;

/// Throws checked exceptions without declaring them. A wait throws the failure of its source
/// unwrapped; for instance `read` of a socket declares the `IOException` that its wait throws in
/// this way.
final class Throwables {

  private Throwables() {}

  /// Throws the exception. Never returns, so callers write `throw Throwables.rethrow(e)`.
  @SuppressWarnings("unchecked")
  static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
