package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// The task was scheduled while it waited, so its wait ended without what it waited for. Thrown by
/// every method that waits and cannot return the value of `scheduleTask(task, value)`.
///
/// Nothing stays registered and nothing is lost: the task can wait for the same thing again.
///
/// @see Scheduler#scheduleTask(Task, Object)
public final class ScheduledDirectlyException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object value;
  private final transient @Nullable Waitable<?> event;

  /// Describes a wait that has ended.
  ///
  /// @param what what was awaited, as in "the wait for ... was ended"
  /// @param value what the task was scheduled with, or what the other event delivered
  /// @param event the other event, if it was scheduled on one
  public ScheduledDirectlyException(
      String what, @Nullable Object value, @Nullable Waitable<?> event) {
    super(
        "the wait for %s was ended by scheduleTask; to receive its value, wait with suspend() or await(..)"
            .formatted(what));
    this.value = value;
    this.event = event;
  }

  /// {@return what the task was scheduled with, or what the event of `scheduleOn` delivered; null
  /// if it was scheduled without a value, and after serialization}
  public @Nullable Object value() {
    return value;
  }

  /// {@return the event that the task was scheduled on, see [TaskQueue#scheduleOn]; null if it was
  /// put into the ready queue, and after serialization}
  public @Nullable Waitable<?> event() {
    return event;
  }
}
