package dev.rondo.cluster;

/// The node left the cluster, or was cut off for very long, before the cluster answered: what was
/// asked for may have been done, or may still be.
public final class OutcomeUnknownException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message) {
    super(message);
  }
}
