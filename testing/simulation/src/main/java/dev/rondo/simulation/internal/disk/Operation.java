package dev.rondo.simulation.internal.disk;

/// What can fail on the medium.
public enum Operation {
  READ,
  WRITE,
  FORCE
}
