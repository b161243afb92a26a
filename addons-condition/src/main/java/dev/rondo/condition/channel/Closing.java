package dev.rondo.condition.channel;

import org.jspecify.annotations.Nullable;

/// That a channel takes no more elements, by whom, and why. Waits are settled with it in place of
/// an element: the exception is made in the task that waited, so that its trace shows the wait.
///
/// @param by which side ended it
/// @param cause what it was ended with, if with anything
record Closing(Side by, @Nullable Throwable cause) {

  /// Who can end a channel.
  enum Side {
    SENDER,
    RECEIVER
  }

  /// Whether it is just the end: no failure, and nobody gave up.
  boolean isEnd() {
    return by == Side.SENDER && cause == null;
  }

  /// What a stage that received from this channel ends with; null if it was just the end.
  @Nullable Throwable failure(Object channel) {
    return isEnd() ? null : cause != null ? cause : toReceiver(channel);
  }

  ClosedForSendException toSender(Object channel) {
    return new ClosedForSendException(
        switch (by) {
          case SENDER -> "send to " + channel + ", which was closed: let one task close it, last";
          case RECEIVER -> "send to " + channel + ", which its receiver has cancelled";
        },
        cause);
  }

  ClosedForReceiveException toReceiver(Object channel) {
    return new ClosedForReceiveException(
        switch (by) {
          case SENDER ->
              "receive from "
                  + channel
                  + ", which was closed and is empty"
                  + (cause == null ? ": iterate over it, or use receivingOrEnd()" : "");
          case RECEIVER -> "receive from " + channel + ", which its receiver has cancelled";
        },
        cause);
  }
}
