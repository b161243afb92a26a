package dev.rondo.io.internal;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

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

  /// {@return the result of a call, whose failure is thrown as it is}
  ///
  /// @param <T> the result
  /// @param call makes it
  public static <T extends @Nullable Object> T resultOf(Callable<? extends T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw Throwables.<RuntimeException>rethrow(e);
    }
  }
}
