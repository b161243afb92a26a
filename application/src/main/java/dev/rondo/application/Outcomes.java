package dev.rondo.application;

import com.google.common.base.Throwables;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// How a run ended.
final class Outcomes {

  private Outcomes() {}

  /// Throws main's failure, the loop's suppressed in it; or the loop's; or nothing. A cancelled
  /// main, or one that has not ended, is no failure.
  static void throwFirst(Task<?> main, @Nullable Throwable ofLoop) {
    if (main.outcome() instanceof Outcome.Failure<?>(Throwable cause)) {
      if (ofLoop != null && ofLoop != cause) {
        cause.addSuppressed(ofLoop);
      }
      Throwables.throwIfUnchecked(cause);
      main.join(); // throws it in a TaskFailedException
    }
    if (ofLoop != null) {
      Throwables.throwIfUnchecked(ofLoop);
      throw new IllegalStateException(ofLoop);
    }
  }
}
