package dev.rondo.simulation;

import java.io.Serial;

/// Thrown by a [World] whose run has failed: a failure of a host that no task has observed, a check
/// that does not hold, a host that has left something behind. The message has the seed, the virtual
/// time, and what each host is doing where that helps.
public final class SimulationFailedError extends AssertionError {

  @Serial private static final long serialVersionUID = 1L;

  SimulationFailedError(String message) {
    super(message);
  }
}
