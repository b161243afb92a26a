package dev.rondo.application.internal;

/// Decides whether a program is unlucky. The idle strategy of a scheduler may implement this
/// interface: that of a host in a simulated world does.
///
/// Confined to the thread of the scheduler.
public interface ChanceOfWorld {

  /// {@return whether it is}
  ///
  /// @param what names the place
  boolean rarely(String what);
}
