package dev.rondo.http.websocket;

import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.internal.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The settings of a WebSocket, for a server or a client.
///
/// @param messageBytes the most bytes of a message with all its fragments, at least 1; a longer
///   message ends the socket with code 1009
/// @param ping the time without a frame of the peer after which a ping is sent, more than zero. If
///   the peer is silent for the same time again, the socket is closed. Centuries mean that no ping
///   is sent
/// @param subprotocols that the program speaks; empty for none. A client offers them in this order.
///   A server takes the first of the client's subprotocols that is in this list
public record WebSocketSettings(int messageBytes, Duration ping, List<String> subprotocols) {

  /// Messages of 64 KiB, a ping after 30 s, no subprotocols.
  public static final WebSocketSettings USUAL =
      new WebSocketSettings(64 << 10, Duration.ofSeconds(30), List.of());

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if `messageBytes` is less than 1, the time is not positive,
  ///   or a subprotocol is not an HTTP token (letters, digits and some other ASCII characters)
  public WebSocketSettings {
    if (messageBytes < 1) {
      throw new IllegalArgumentException("messageBytes=%d; required >= 1".formatted(messageBytes));
    }
    ping = Limits.some("ping", ping);
    subprotocols = List.copyOf(Objects.requireNonNull(subprotocols, "subprotocols is null"));
    subprotocols.forEach(each -> HeadRules.token("subprotocol", each));
  }
}
