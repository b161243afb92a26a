package dev.rondo.simulation.threads.hook;

import org.jspecify.annotations.Nullable;

/// Reports to a simulation on threads from outside of it: virtual time does not wait for them, so a
/// simulated thread must not either.
///
/// Any thread.
public interface Border {

  /// The caller, which is not simulated, releases something that threads may wait for.
  ///
  /// @param what a condition, a latch, a semaphore, a future or a monitor
  void released(Object what);

  /// The caller, which is not simulated, notifies the threads that wait on a monitor, which it
  /// holds.
  void notifies(Object monitor);

  /// The caller, which is not simulated, wakes or interrupts a simulated thread.
  ///
  /// @param of the program that has started the thread; null if that is not known
  void reached(@Nullable Program of, Thread simulated);
}
