package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;

/// Something took longer than it was given. Thrown at the place that set the limit.
///
/// It is unchecked, unlike the one of `java.util.concurrent`, because it must come out of any wait:
/// of a stream's `read`, of a comparator, of a predicate.
public final class TimedOutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes a limit that was reached.
  ///
  /// @param limit how long it was given
  /// @param what what took so long, as the end of "gave up after 50 ms: ..."
  public TimedOutException(Duration limit, String what) {
    super("gave up after " + Durations.readable(limit) + ": " + what);
  }
}
