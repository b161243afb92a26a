package dev.rondo.computicle;

import dev.rondo.scheduler.ClosedException;
import org.jspecify.annotations.Nullable;

/// Why an endpoint takes no more messages. Waits result in it instead of a message: the exception
/// is created in the task that waited, so that its stack trace shows the wait.
///
/// @param cancelled whether the receiving side has ended it
/// @param cause the failure that it was ended with, if any
record Closing(boolean cancelled, @Nullable Throwable cause) {

  /// Whether it is a plain end: closed, without a failure.
  boolean isEnd() {
    return !cancelled && cause == null;
  }

  ClosedException toSender(Endpoint<?> endpoint) {
    return new ClosedException(
        "send to "
            + endpoint
            + (cancelled ? receiverEnded() : closedOrFailed(""))
            + ": the message was not taken",
        cause);
  }

  ClosedException toReceiver(Endpoint<?> endpoint) {
    return new ClosedException(
        "receive from "
            + endpoint
            + (cancelled
                ? receiverEnded()
                : closedOrFailed(" and is empty: iterate over it, or use receivingOrEnd()")),
        cause);
  }

  private String receiverEnded() {
    return ", whose receiver has " + (cause == null ? "ended" : "failed");
  }

  /// @param more of what was closed without a failure
  private String closedOrFailed(String more) {
    return cause == null ? ", which was closed" + more : ", which has failed: " + cause;
  }
}
