package dev.rondo.condition.channel;

import dev.rondo.scheduler.ClosedException;
import org.jspecify.annotations.Nullable;

/// The reason why a channel takes no more elements. A wait results in it instead of an element. The
/// task that waited then creates the exception, so that the stack trace shows the wait.
///
/// @param by the side that ended the channel
/// @param cause the failure it was ended with, if any
record Closing(Side by, @Nullable Throwable cause) {

  /// The sides that can end a channel.
  enum Side {
    SENDER,
    RECEIVER
  }

  /// Whether it is a plain end: closed by the sender, without a failure.
  boolean isEnd() {
    return by == Side.SENDER && cause == null;
  }

  /// The failure with which a receiving stage ends; null after a plain end.
  @Nullable Throwable failure(Object channel) {
    return isEnd() ? null : cause != null ? cause : toReceiver(channel);
  }

  ClosedException toSender(Object channel) {
    return new ClosedException(
        switch (by) {
          case SENDER ->
              "send to " + channel + ", which was closed: let one task close it, after all sends";
          case RECEIVER -> "send to " + channel + ", which its receiver has cancelled" + because();
        },
        cause);
  }

  ClosedException toReceiver(Object channel) {
    return new ClosedException(
        switch (by) {
          case SENDER ->
              "receive from "
                  + channel
                  + (cause == null
                      ? ", which was closed and is empty: iterate over it, or use receivingOrEnd()"
                      : ", which has failed" + because());
          case RECEIVER ->
              "receive from " + channel + ", which its receiver has cancelled" + because();
        },
        cause);
  }

  private String because() {
    return cause == null ? "" : ": " + cause;
  }
}
