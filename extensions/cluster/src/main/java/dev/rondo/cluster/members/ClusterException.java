package dev.rondo.cluster.members;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A cluster could not be joined, or a member had to leave it.
public final class ClusterException extends IOException {

  private static final long serialVersionUID = 1L;

  /// Makes one.
  ///
  /// @param message what has happened, and to which node
  /// @param cause null if there is none
  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
