package dev.rondo.grpc;

import dev.rondo.scheduler.ClosedException;
import org.jspecify.annotations.Nullable;

/// The end of one direction of a call.
///
/// @param reason for people
/// @param failure that ended the direction; null for none
/// @param isOrderly whether the sender has ended the direction after its last message
record CallEnd(String reason, @Nullable Throwable failure, boolean isOrderly) {

  static CallEnd orderly(String reason) {
    return new CallEnd(reason, null, true);
  }

  /// @param failure null for none
  static CallEnd early(String reason, @Nullable Throwable failure) {
    return new CallEnd(reason, failure, false);
  }

  /// {@return the failure of a task that uses the direction after its end}
  ///
  /// @param tried the operation of the task
  ClosedException exception(String tried) {
    return new ClosedException("%s: %s".formatted(tried, reason), failure);
  }
}
