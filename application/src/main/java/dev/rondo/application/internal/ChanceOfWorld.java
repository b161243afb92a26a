package dev.rondo.application.internal;

/// Decides whether a program is unlucky. The idle strategy of a scheduler may implement this
/// interface; the idle strategy of a simulated host does.
///
/// Confined to the thread of the scheduler.
public interface ChanceOfWorld {

  /// {@return whether the program is unlucky at a place}
  ///
  /// @param what names the place
  boolean rarely(String what);
}
