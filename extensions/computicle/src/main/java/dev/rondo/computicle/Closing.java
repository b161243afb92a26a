package dev.rondo.computicle;

import dev.rondo.scheduler.ClosedException;
import org.jspecify.annotations.Nullable;

/// Why an endpoint takes no more messages. A wait results in this object instead of a message. The
/// waiting task itself creates the exception, so that its stack trace shows the wait.
///
/// @param cancelled whether the receiving side has ended the endpoint
/// @param cause the failure that ended the endpoint; null for none
record Closing(boolean cancelled, @Nullable Throwable cause) {

  /// Whether the sending side has closed the endpoint without a failure.
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

  /// @param more added to the text of a close without a failure
  private String closedOrFailed(String more) {
    return cause == null ? ", which was closed" + more : ", which has failed: " + cause;
  }
}
