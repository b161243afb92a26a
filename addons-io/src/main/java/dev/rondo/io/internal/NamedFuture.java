package dev.rondo.io.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A future whose text names the event that completes it, for reports on waiting tasks. Any thread.
///
/// @param <T> the result
public final class NamedFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  private final Object name;

  /// It is not complete yet.
  ///
  /// @param name its text names the completing event, as in "completion of .."; the text is made on
  ///   request
  public NamedFuture(Object name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
