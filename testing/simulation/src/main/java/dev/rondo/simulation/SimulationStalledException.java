package dev.rondo.simulation;

import java.io.Serial;

/// Thrown by an operation that would wait for ever, because nothing can happen any more in its
/// network. The message names the wait.
public final class SimulationStalledException extends IllegalStateException {

  @Serial private static final long serialVersionUID = 1L;

  SimulationStalledException(String message) {
    super(message);
  }
}
