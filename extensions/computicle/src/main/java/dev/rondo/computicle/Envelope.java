package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

/// A message with the context of its sender.
///
/// @param <T> the message
/// @param message handed over, see [Endpoint]
/// @param context of the sending task
public record Envelope<T>(T message, CarriedContext context) {

  /// Checks the arguments.
  public Envelope {
    requireNonNull(message, "message is null");
    requireNonNull(context, "context is null");
  }

  /// {@return a message with the task locals and the MDC of the calling task, see
  /// [CarriedContext#capture]} Never a suspension point.
  ///
  /// @param <T> the message
  /// @param message handed over
  public static <T> Envelope<T> of(T message) {
    return new Envelope<>(message, CarriedContext.capture());
  }
}
