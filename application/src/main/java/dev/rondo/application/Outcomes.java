package dev.rondo.application;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import org.jspecify.annotations.Nullable;

/// How a run ended.
final class Outcomes {

  private Outcomes() {}

  static boolean hasFailed(Task<?> main) {
    return main.outcome() instanceof Outcome.Failure<?>;
  }

  /// Throws main's failure, the loop's suppressed in it; or the loop's; or nothing. A cancelled main,
  /// or one that has not ended, is no failure.
  static void throwFirst(Task<?> main, @Nullable Throwable ofLoop) {
    if (main.outcome() instanceof Outcome.Failure<?>(Throwable cause)) {
      if (ofLoop != null && ofLoop != cause) {
        cause.addSuppressed(ofLoop);
      }
      throwUnchecked(cause, main);
    } else if (ofLoop != null) {
      throwUnchecked(ofLoop, main);
    }
  }

  private static void throwUnchecked(Throwable failure, Task<?> main) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new TaskFailedException(main.name(), failure);
    }
  }
}
