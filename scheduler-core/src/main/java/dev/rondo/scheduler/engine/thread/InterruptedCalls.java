package dev.rondo.scheduler.engine.thread;

import com.google.common.base.Ascii;
import com.google.common.base.Throwables;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.engine.CancelRequest;

/// Recognizes the exceptions of blocking calls that a cancellation has interrupted.
public final class InterruptedCalls {

  private InterruptedCalls() {}

  /// Makes the exception that replaces the exception of a blocking call which a request has
  /// interrupted.
  ///
  /// @param thrown the exception that the code threw because of the interrupt
  public static TaskCancelled cancelled(CancelRequest request, Exception thrown) {
    TaskCancelled cancelled = request.toCancelled();
    if (tellsOfInterrupt(thrown)) {
      cancelled.addDetail(thrown);
      for (Throwable suppressed : thrown.getSuppressed()) {
        cancelled.addSuppressed(suppressed);
      }
    } else {
      cancelled.addSuppressed(thrown);
    }
    return cancelled;
  }

  /// Whether an exception, or one of its causes, reports an interrupted call. Any other exception
  /// may be a failure of the cleanup.
  private static boolean tellsOfInterrupt(Exception thrown) {
    return Throwables.getCausalChain(thrown).stream().anyMatch(InterruptedCalls::namesInterrupt);
  }

  /// Whether the type or the message of an exception contains "interrupt", as the exceptions of the
  /// JDK and of most libraries do.
  private static boolean namesInterrupt(Throwable thrown) {
    return Ascii.toLowerCase(thrown.getClass().getSimpleName() + thrown.getMessage())
        .contains("interrupt");
  }
}
