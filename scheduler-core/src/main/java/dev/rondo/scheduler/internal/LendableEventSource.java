package dev.rondo.scheduler.internal;

import dev.rondo.scheduler.addon.EventSource;

/// An [EventSource] that another thread can wait for in place of the scheduler's, so that the loop
/// can block in a second source meanwhile.
///
/// The threads take turns: the scheduler's thread calls [#lend()]; if that returns true the other
/// thread calls [#awaitElsewhere()]; when that has returned, the scheduler's thread calls
/// [#takeBack()]. Each hand-over must publish the earlier writes of the thread that hands over.
public interface LendableEventSource extends EventSource {

  /// Looks for events without blocking, and hands the wait to the other thread if there are none.
  /// On the scheduler's thread.
  ///
  /// @return whether the other thread must wait now; if not, tasks are ready
  boolean lend();

  /// Blocks until an event, or until [#wakeup()]. On the other thread.
  void awaitElsewhere();

  /// Called when the wait on the other thread is over. On the scheduler's thread.
  void takeBack();
}
