package dev.rondo.application;

import com.google.common.base.Throwables;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// Turns the outcome of a run into the exception that `start` throws.
final class Outcomes {

  private Outcomes() {}

  /// Throws the failure of main, with the loop's failure suppressed in it. If main has not failed,
  /// throws the loop's failure. If neither has failed, returns. A main that was cancelled or has
  /// not ended has not failed.
  static void throwFirst(Task<?> main, @Nullable Throwable ofLoop) {
    if (main.outcome() instanceof Outcome.Failure<?>(Throwable cause)) {
      if (ofLoop != null && ofLoop != cause) {
        cause.addSuppressed(ofLoop);
      }
      Throwables.throwIfUnchecked(cause);
      main.join(); // throws the failure in a TaskFailedException
    }
    if (ofLoop != null) {
      Throwables.throwIfUnchecked(ofLoop);
      throw new IllegalStateException(ofLoop);
    }
  }
}
