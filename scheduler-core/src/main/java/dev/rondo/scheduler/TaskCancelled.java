package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
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

  /// What is suppressed in this and is no failure; null if nothing is.
  private transient @Nullable List<Throwable> details;

  TaskCancelled(CancelRequest request) {
    super(request.describe(), request.site());
    this.request = request;
  }

  /// For one who was told by an interrupt of a blocking call.
  static TaskCancelled by(CancelRequest request, InterruptedException interrupt) {
    var cancelled = new TaskCancelled(request);
    cancelled.addDetail(interrupt);
    for (Throwable failure : interrupt.getSuppressed()) {
      cancelled.addSuppressed(failure);
    }
    return cancelled;
  }

  /// Suppresses what tells more about this and is no failure of the task: how far a write came, for
  /// instance. What else is suppressed here went wrong in the cleaning; if nobody joins the task,
  /// the [FailureHandler] is told.
  ///
  /// @param detail what to suppress
  public void addDetail(Throwable detail) {
    addSuppressed(detail);
    List<Throwable> all = details;
    if (all == null) {
      all = new ArrayList<>();
      details = all;
    }
    all.add(detail);
  }

  /// What went wrong in the cleaning.
  List<Throwable> failures() {
    return Arrays.stream(getSuppressed()).filter(this::isFailure).toList();
  }

  private boolean isFailure(Throwable each) {
    boolean tellsOfCancellation =
        each instanceof TaskCancelled
            || (each instanceof CancellationException && each.getCause() instanceof TaskCancelled);
    return !tellsOfCancellation && (details == null || !details.contains(each));
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
