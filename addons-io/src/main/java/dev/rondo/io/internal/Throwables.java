package dev.rondo.io.internal;

import java.util.Collection;
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

  /// Closes all of some resources, even if a close fails. Throws the first failure as it is, with
  /// the others suppressed.
  ///
  /// @param resources each is closed
  public static void closeAll(Collection<? extends AutoCloseable> resources) {
    Exception first = null;
    for (AutoCloseable each : resources) {
      try {
        each.close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else if (e != first) {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw Throwables.<RuntimeException>rethrow(first);
    }
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
