package dev.rondo.io.internal;

/// Exceptions that a signature cannot declare.
public final class Throwables {

  private Throwables() {}

  /// Throws any exception as an unchecked one, for code whose caller declares it.
  ///
  /// @param <X> inferred as unchecked
  /// @param failure thrown as it is
  /// @return never; for `throw` at the call
  /// @throws X the failure
  @SuppressWarnings("unchecked")
  public static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
