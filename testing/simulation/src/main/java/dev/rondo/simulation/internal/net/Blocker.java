package dev.rondo.simulation.internal.net;

import java.util.function.BooleanSupplier;

/// Blocks threads of programs until something has changed in the network: others go on meanwhile.
public interface Blocker {

  /// {@return whether the caller is such a thread} All others move the network's time themselves.
  boolean mayBlock();

  /// Blocks the caller until a condition holds.
  ///
  /// @param condition changes by events, and by what other threads do
  /// @param nanos how long at most; [Timeline#NEVER] for any time
  /// @return whether it holds; if not, the time is over
  boolean await(BooleanSupplier condition, long nanos);

  /// Events have happened.
  void changed();

  /// The world runs from now on: what the test has done before has its effect.
  void runs();

  /// The world stands still from now on, and the test goes on.
  void standsStill();
}
