package dev.rondo.http.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/// The bodies of responses that the server sends in place of a handler.
///
/// @param contentType of the bodies
/// @param body makes one
record HttpErrors(String contentType, Function<? super HttpStatusException, String> body) {

  /// The message, as a line of plain text.
  static final HttpErrors USUAL =
      new HttpErrors(HttpExchange.PLAIN_TEXT, why -> why.getMessage() + "\n");

  void respond(HttpExchange exchange, HttpStatusException why) throws IOException {
    byte[] text = body.apply(why).getBytes(StandardCharsets.UTF_8);
    exchange.respond(why.status(), contentType, text);
  }
}
