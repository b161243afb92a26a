package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.engine.outside.JointEvents;

/// An [EventSource] that a thread other than the scheduler's can wait for, so that the loop can
/// block in a second source meanwhile.
///
/// The threads take turns: the scheduler's thread calls [#lend()]; if the result is true, the other
/// thread calls [#awaitElsewhere()]; after that call has returned, the scheduler's thread calls
/// [#takeBack()]. Each hand-over must publish the earlier writes of the thread that hands over.
public interface LendableEventSource extends EventSource {

  /// {@return a source with the events of two sources} While tasks wait for events of only one
  /// source, the loop blocks in that source. While tasks wait for events of both, a helper thread
  /// waits for the lendable source, and each sleep of the loop costs two hand-overs between
  /// threads.
  ///
  /// @param first both real, or both with virtual time
  /// @param second the other one
  /// @throws IllegalArgumentException if one is real and the other is not, or if both are real and
  ///   neither lets another thread wait for it
  static EventSource both(EventSource first, EventSource second) {
    return JointEvents.of(
        requireNonNull(first, "first is null"), requireNonNull(second, "second is null"));
  }

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
