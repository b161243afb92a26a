package dev.rondo.scheduler;

/// A warning for the [FailureHandler]: a task was cancelled and does not end. Never thrown. Its
/// trace is where the task is; its cause shows where `cancel` was called.
///
/// There are two reasons. The task swallows [TaskCancelled], in a `catch (Throwable)` for instance,
/// and goes on: let it pass. Or it cleans up for longer than expected, inside [Scheduler#shielded].
public final class CancelIgnoredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes a task that does not end.
  ///
  /// @param message names the task, and says how it was cancelled
  /// @param site where `cancel` was called
  public CancelIgnoredException(String message, Throwable site) {
    super(message, site);
  }
}
