package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.CancelSite;
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

  private final transient String reason;
  private final transient String canceller;
  private final transient Throwable origin;

  /// What is suppressed in this and is no failure; null if nothing is.
  private transient @Nullable List<Throwable> details;

  /// Describes a cancellation. The engine makes these; a task that made one itself would end as
  /// failed.
  ///
  /// @param description the message
  /// @param reason why, as given to `cancel`
  /// @param canceller the name of the task or thread that called `cancel`
  /// @param site where it was called; its cause is the [#trigger()]
  public TaskCancelled(String description, String reason, String canceller, Throwable site) {
    super(description, site);
    this.reason = reason;
    this.canceller = canceller;
    this.origin = site;
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

  /// {@return what went wrong while the task cleaned up: what is suppressed here but for details}
  public List<Throwable> failures() {
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
    return reason;
  }

  /// {@return who called `cancel`: the name of a task, or of a thread}
  public String canceller() {
    return canceller;
  }

  /// {@return the failure that `cancel` was called for, as given to it; null if none was}
  public @Nullable Throwable trigger() {
    return origin.getCause();
  }

  /// {@return where `cancel` was called; null if the virtual machine left the frame out}
  public @Nullable StackTraceElement site() {
    return CancelSite.callerIn(origin);
  }
}
