package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// Thrown at every suspension point of a cancelled task, or inside a cancelled [CancelScope], until
/// that task or scope ends.
///
/// An [Error], so that `catch (Exception)` does not swallow it. Let it pass: `finally` and
/// try-with-resources do the cleaning, which may itself wait inside [Scheduler#shielded]. The cause
/// shows where `cancel` was called, and the cause of that is the failure it was called for, if it
/// was given one.
public final class TaskCancelled extends Error {

  private static final long serialVersionUID = 1L;

  private final transient CancelRequest request;

  TaskCancelled(CancelRequest request) {
    super(request.describe(), request.site());
    this.request = request;
  }

  /// For one who was told by an interrupt of a blocking call.
  static TaskCancelled by(CancelRequest request, InterruptedException interrupt) {
    var cancelled = new TaskCancelled(request);
    cancelled.addSuppressed(interrupt);
    return cancelled;
  }

  /// {@return why, as given to `cancel`}
  public String reason() {
    return request.reason();
  }

  /// {@return who called `cancel`: the name of a task, or of a thread}
  public String canceller() {
    return request.canceller();
  }

  /// {@return the failure that `cancel` was called for, as given to it; null if none was}
  public @Nullable Throwable trigger() {
    return request.site().getCause();
  }

  /// {@return where `cancel` was called; null if the virtual machine left the frame out}
  public @Nullable StackTraceElement site() {
    return request.caller();
  }

  /// Whether this is the request's doing.
  boolean isFrom(CancelRequest other) {
    return request == other;
  }
}
