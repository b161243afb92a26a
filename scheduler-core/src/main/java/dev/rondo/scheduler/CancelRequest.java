package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// One call of `cancel`: of what, why, by whom and where.
///
/// @param target what was cancelled, for instance `task 'x'`
/// @param reason as given
/// @param canceller name of the task or thread that called
/// @param site the stack of the call
/// @param failure what the target fails with; null if it just ends as cancelled
record CancelRequest(
    String target, String reason, String canceller, Throwable site, @Nullable Throwable failure) {

  static CancelRequest here(String target, String reason, String canceller) {
    return new CancelRequest(target, reason, canceller, new Site(canceller), null);
  }

  /// One that makes its target fail.
  static CancelRequest failing(String target, String canceller, Throwable failure) {
    return new CancelRequest(
        target, String.valueOf(failure.getMessage()), canceller, failure, failure);
  }

  String describe() {
    return target + " was cancelled by " + canceller + ": " + reason;
  }

  /// A stack trace that is not an error.
  static final class Site extends Throwable {

    private static final long serialVersionUID = 1L;

    Site(String canceller) {
      super("cancelled here, by " + canceller);
    }
  }
}
