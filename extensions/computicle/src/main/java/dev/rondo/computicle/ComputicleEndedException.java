package dev.rondo.computicle;

/// Thrown when code is handed to a computicle that takes no more, or that has ended before the code
/// did. The message says which.
public final class ComputicleEndedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ComputicleEndedException(String message) {
    super(message);
  }
}
