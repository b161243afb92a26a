package dev.rondo.io.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A future whose text says what completes it, for reports of what tasks wait for. Any thread.
///
/// @param <T> the result
public final class NamedFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  private final Object name;

  /// It is not complete yet.
  ///
  /// @param name its text is what completes it, as in "completion of .."; made when it is asked for
  public NamedFuture(Object name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
