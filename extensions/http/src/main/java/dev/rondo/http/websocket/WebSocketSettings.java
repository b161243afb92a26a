package dev.rondo.http.websocket;

import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.internal.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// What a server, or a client, allows a WebSocket.
///
/// @param messageBytes of a message, all its fragments together, at least 1; a longer one ends the
///   socket with code 1009
/// @param ping after which time without a frame of the peer a ping is sent, more than zero; after
///   the same time without one again, the socket is closed. A time of centuries means for ever: no
///   ping is sent
/// @param subprotocols that the program speaks; empty for none. A client offers them in this order.
///   A server takes the first one of the client's that is among them
public record WebSocketSettings(int messageBytes, Duration ping, List<String> subprotocols) {

  /// Messages of 64 KiB, a ping after 30 s, no subprotocols.
  public static final WebSocketSettings USUAL =
      new WebSocketSettings(64 << 10, Duration.ofSeconds(30), List.of());

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if `messageBytes` is less than 1, the time not positive, or a
  ///   subprotocol no token of HTTP (letters, digits and some of the other characters of ASCII)
  public WebSocketSettings {
    if (messageBytes < 1) {
      throw new IllegalArgumentException("messageBytes=%d; required >= 1".formatted(messageBytes));
    }
    ping = Limits.some("ping", ping);
    subprotocols = List.copyOf(Objects.requireNonNull(subprotocols, "subprotocols is null"));
    subprotocols.forEach(each -> HeadRules.token("subprotocol", each));
  }
}
