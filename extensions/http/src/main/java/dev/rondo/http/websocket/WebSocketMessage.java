package dev.rondo.http.websocket;

import java.util.Objects;

/// A whole message of a [WebSocket].
public sealed interface WebSocketMessage {

  /// A text.
  ///
  /// @param text sent as UTF-8
  record Text(String text) implements WebSocketMessage {

    /// Checks the argument.
    public Text {
      Objects.requireNonNull(text, "text is null");
    }
  }

  /// Bytes.
  ///
  /// @param bytes not copied
  @SuppressWarnings("ArrayRecordComponent") // as in all of the JDK's calls with bytes
  record Binary(byte[] bytes) implements WebSocketMessage {

    /// Checks the argument.
    public Binary {
      Objects.requireNonNull(bytes, "bytes is null");
    }
  }
}
