package dev.rondo.scheduler;

/// A warning for the [FailureHandler]: a task was cancelled and does not end. Never thrown. Its
/// trace is the stack of the task; its cause shows where `cancel` was called.
///
/// There are two reasons. Either the task swallows [TaskCancelled], for instance in a `catch
/// (Throwable)`, and goes on: it should let it pass. Or its cleanup takes longer than expected,
/// inside [Scheduler#shielded].
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
