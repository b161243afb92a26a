package dev.rondo.computicle;

/// Code was handed to a computicle that takes no more code, or the computicle has ended before the
/// code did. The message says which.
public final class ComputicleEndedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ComputicleEndedException(String message) {
    super(message);
  }
}
