package dev.rondo.simulation;

/// The reaction to a call by a task of a [World] that leaves the simulation, and that an
/// [OutsideAgent] has seen.
public enum OutsidePolicy {

  /// The run fails after the turn that has the call, with the stack of the call. The call itself is
  /// made.
  FAIL,

  /// A warning is logged with the stack, once for each place of a program.
  WARN,

  /// Nothing.
  IGNORE
}
