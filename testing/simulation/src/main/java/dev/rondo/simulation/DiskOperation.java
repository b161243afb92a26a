package dev.rondo.simulation;

import dev.rondo.simulation.internal.disk.Operation;

/// The operations that can fail on a [SimulatedDisk].
public enum DiskOperation {

  /// Reading bytes of a file.
  READ(Operation.READ),

  /// Writing bytes to a file, and truncating it.
  WRITE(Operation.WRITE),

  /// `force` of a file or a directory, and writing to a file that was opened with `SYNC` or
  /// `DSYNC`.
  FORCE(Operation.FORCE);

  private final Operation internal;

  DiskOperation(Operation internal) {
    this.internal = internal;
  }

  Operation internal() {
    return internal;
  }
}
