package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskCancelled;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One call of `cancel`: its target, reason, caller and place.
public final class CancelRequest {

  /// Records the stack trace of a call of `cancel`. It is never thrown.
  private static final class CancelSite extends Throwable {

    private static final long serialVersionUID = 1L;

    CancelSite(String canceller, @Nullable Throwable cause) {
      super("cancelled here, by " + canceller, cause);
    }
  }

  private final String reason;
  private final String canceller;

  /// The stack of the call; its cause is the failure that led to the call.
  private final Throwable site;

  /// The failure with which the target ends; null if it ends as cancelled.
  final @Nullable Throwable failure;

  private final String description;

  private CancelRequest(
      String target, String reason, String canceller, Throwable site, @Nullable Throwable failure) {
    this.reason = reason;
    this.canceller = canceller;
    this.site = site;
    this.failure = failure;
    this.description = target + " was cancelled by " + canceller + ": " + reason;
  }

  /// Makes a request of the calling code, whose stack becomes the site.
  ///
  /// @param target what was cancelled, for instance `task 'x'`
  /// @param reason as given
  /// @param canceller the task or thread that called, as in `task 'x'` and `thread 'y'`
  /// @param cause the failure that led to the cancellation; null if there is none
  public static CancelRequest here(
      String target, String reason, String canceller, @Nullable Throwable cause) {
    Objects.requireNonNull(reason, "reason is null");
    return new CancelRequest(target, reason, canceller, new CancelSite(canceller, cause), null);
  }

  /// Makes a request that ends its target with a failure.
  static CancelRequest failing(String target, String canceller, Throwable failure) {
    return new CancelRequest(
        target, String.valueOf(failure.getMessage()), canceller, failure, failure);
  }

  /// Returns this request for another target, a task. All targets of one call share the site.
  public CancelRequest ofTask(String name) {
    return new CancelRequest("task '" + name + "'", reason, canceller, site, failure);
  }

  public String describe() {
    return description;
  }

  public Throwable site() {
    return site;
  }

  /// Makes the exception that a suspension point throws for this request.
  public TaskCancelled toCancelled() {
    return new TaskCancelled(description, reason, canceller, site);
  }

  /// Whether a [TaskCancelled] was thrown for this request. Two requests may have equal
  /// descriptions, but never the same description object.
  @SuppressWarnings({"StringEquality", "ReferenceEquality"})
  public boolean isCauseOf(TaskCancelled cancelled) {
    return cancelled.getMessage() == description;
  }
}
