package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.StackFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Thrown at every suspension point of a cancelled task, or inside a cancelled [CancelScope], until
/// that task or scope ends.
///
/// This is an [Error], so that `catch (Exception)` does not catch it. Do not catch it: clean up in
/// `finally` and try-with-resources, where code may wait inside [Scheduler#shielded]. The cause
/// shows where `cancel` was called. If a failure was passed to `cancel`, it is the cause of that
/// cause.
public final class TaskCancelled extends Error {

  private static final long serialVersionUID = 1L;

  private final transient String reason;
  private final transient String canceller;
  private final transient Throwable origin;

  /// Suppressed exceptions that are not failures; null if there are none.
  private transient @Nullable List<Throwable> details;

  /// Describes a cancellation. For the engine: a task that throws an instance of its own ends as
  /// failed.
  ///
  /// @param description the message
  /// @param reason why, as given to `cancel`
  /// @param canceller the task or thread that called `cancel`, for instance `task 'x'` or `thread
  ///   'y'`
  /// @param site where `cancel` was called; the cause of this exception is the [#trigger()]
  public TaskCancelled(String description, String reason, String canceller, Throwable site) {
    super(description, site);
    this.reason = reason;
    this.canceller = canceller;
    this.origin = site;
  }

  /// Adds a suppressed exception that is information and not a failure of the task, for instance
  /// the number of bytes that a write has sent. All other suppressed exceptions are failures of the
  /// cleanup; if nothing joins the task, they go to the [FailureHandler].
  ///
  /// @param detail what to suppress
  public void addDetail(Throwable detail) {
    Objects.requireNonNull(detail, "detail is null");
    addSuppressed(detail);
    List<Throwable> all = details;
    if (all == null) {
      all = new ArrayList<>();
      details = all;
    }
    all.add(detail);
  }

  /// {@return the failures of the cleanup: the suppressed exceptions except details}
  public List<Throwable> failures() {
    return Arrays.stream(getSuppressed()).filter(this::isFailure).toList();
  }

  private boolean isFailure(Throwable each) {
    boolean tellsOfCancellation =
        each instanceof TaskCancelled
            || (each instanceof CancellationException && each.getCause() instanceof TaskCancelled);
    return !tellsOfCancellation && (details == null || !details.contains(each));
  }

  /// {@return the reason that was given to `cancel`}
  public String reason() {
    return reason;
  }

  /// {@return the task or thread that called `cancel`, for instance `task 'x'` or `thread 'y'`;
  /// "its deadline" for the limit of a scope}
  public String canceller() {
    return canceller;
  }

  /// {@return the failure that was given to `cancel`; null if there was none}
  public @Nullable Throwable trigger() {
    return origin.getCause();
  }

  /// {@return the place where the program called `cancel`, `close` or a similar method; null if it
  /// is not on the stack, as in a step task on BOUND, or if the JVM omits it}
  public @Nullable StackTraceElement site() {
    return StackFilter.ALL.callerIn(origin);
  }
}
