package dev.rondo.scheduler;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One call of `cancel`: of what, why, by whom and where.
///
/// @param target what was cancelled, for instance `task 'x'`
/// @param reason as given
/// @param canceller name of the task or thread that called
/// @param site the stack of the call; its cause is the failure that made somebody call
/// @param failure what the target fails with; null if it just ends as cancelled
record CancelRequest(
    String target, String reason, String canceller, Throwable site, @Nullable Throwable failure) {

  private static final Set<String> MACHINERY =
      Set.of(
          CancelRequest.class.getName(),
          CancelScope.class.getName(),
          Closing.class.getName(),
          Driver.class.getName(),
          GroupBlock.class.getName(),
          Loop.class.getName(),
          Scheduler.class.getName(),
          Task.class.getName(),
          TaskGroup.class.getName());

  static CancelRequest here(String target, String reason, String canceller) {
    return here(target, reason, canceller, null);
  }

  static CancelRequest here(
      String target, String reason, String canceller, @Nullable Throwable cause) {
    Objects.requireNonNull(reason, "reason");
    return new CancelRequest(target, reason, canceller, new Site(canceller, cause), null);
  }

  /// One that makes its target fail.
  static CancelRequest failing(String target, String canceller, Throwable failure) {
    return new CancelRequest(
        target, String.valueOf(failure.getMessage()), canceller, failure, failure);
  }

  /// The same request for another target: one site does for all that one call cancels.
  CancelRequest of(Task<?> task) {
    return new CancelRequest("task '" + task.name() + "'", reason, canceller, site, failure);
  }

  String describe() {
    return target + " was cancelled by " + canceller + ": " + reason;
  }

  /// The frame that called `cancel`; null if the virtual machine left it out.
  @Nullable StackTraceElement caller() {
    return Arrays.stream(site.getStackTrace())
        .filter(frame -> !MACHINERY.contains(frame.getClassName()))
        .findFirst()
        .orElse(null);
  }

  /// A stack trace that is not an error.
  static final class Site extends Throwable {

    private static final long serialVersionUID = 1L;

    Site(String canceller, @Nullable Throwable cause) {
      super("cancelled here, by " + canceller, cause);
    }
  }
}
