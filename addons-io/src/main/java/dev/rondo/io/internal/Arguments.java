package dev.rondo.io.internal;

import java.util.Objects;

/// Checks of arguments.
public final class Arguments {

  private Arguments() {}

  /// Refuses null elements.
  ///
  /// @param elements the elements of an argument
  /// @param message of the exception
  /// @throws NullPointerException if one is null
  public static void requireElements(Iterable<?> elements, String message) {
    for (Object each : elements) {
      Objects.requireNonNull(each, message);
    }
  }
}
