package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// A task was scheduled while it waited, so the wait ended without its event. Every method that
/// waits throws this exception, unless it can return the value of `scheduleTask(task, value)`.
///
/// Nothing stays registered, and no event is lost: the task can wait for the same event again.
///
/// @see Scheduler#scheduleTask(Task, Object)
public final class ScheduledDirectlyException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object value;
  private final transient @Nullable Waitable<?> event;

  /// Describes a wait that has ended.
  ///
  /// @param what a description of the event, as in "the wait for ... was ended"
  /// @param value the value that the task was scheduled with, or that the other event delivered
  /// @param event the other event, if it was scheduled on one
  public ScheduledDirectlyException(
      String what, @Nullable Object value, @Nullable Waitable<?> event) {
    super(
        "the wait for %s was ended by scheduleTask; to receive its value, wait with suspend() or await(..)"
            .formatted(what));
    this.value = value;
    this.event = event;
  }

  /// {@return the value that the task was scheduled with, or that the event of `scheduleOn`
  /// delivered; null if there was none, and after serialization}
  public @Nullable Object value() {
    return value;
  }

  /// {@return the event that the task was scheduled on, see [TaskQueue#scheduleOn]; null if it was
  /// put into the ready queue, and after serialization}
  public @Nullable Waitable<?> event() {
    return event;
  }
}
