package dev.rondo.cluster;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A cluster could not be joined, or a member had to leave it.
public final class ClusterException extends IOException {

  private static final long serialVersionUID = 1L;

  ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
