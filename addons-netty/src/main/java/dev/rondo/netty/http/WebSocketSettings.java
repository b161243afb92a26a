package dev.rondo.netty.http;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// What a server allows a WebSocket.
///
/// @param messageBytes of a message, all its fragments together, at least 1; a longer one ends the
///   socket with code 1009
/// @param ping after which time without a frame of the client the server sends a ping, more than
///   zero; after the same time without one again, the socket is closed. A time of centuries means
///   for ever: the server sends no ping
/// @param subprotocols that the handler speaks; the first one that the client names of them is
///   taken; empty for none
public record WebSocketSettings(int messageBytes, Duration ping, List<String> subprotocols) {

  /// Messages of 64 KiB, a ping after 30 s, no subprotocols.
  public static final WebSocketSettings USUAL =
      new WebSocketSettings(64 << 10, Duration.ofSeconds(30), List.of());

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if `messageBytes` is less than 1, or the time not positive
  public WebSocketSettings {
    if (messageBytes < 1) {
      throw new IllegalArgumentException("messageBytes=%d; required >= 1".formatted(messageBytes));
    }
    ping = HttpLimits.some("ping", ping);
    subprotocols = List.copyOf(Objects.requireNonNull(subprotocols, "subprotocols is null"));
  }
}
