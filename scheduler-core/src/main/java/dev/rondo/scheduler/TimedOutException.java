package dev.rondo.scheduler;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;

/// A time limit has passed. Thrown by the call that set the limit.
///
/// Unchecked, unlike `java.util.concurrent.TimeoutException`, because any wait may throw it: in a
/// stream's `read`, a comparator, a predicate.
public final class TimedOutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes a limit that was reached.
  ///
  /// @param limit the limit
  /// @param what a description of the event, the end of "gave up after 50 ms: ..."
  public TimedOutException(Duration limit, String what) {
    super("gave up after " + ReportText.duration(limit) + ": " + what);
  }
}
