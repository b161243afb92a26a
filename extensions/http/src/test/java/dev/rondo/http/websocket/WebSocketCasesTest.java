package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import java.io.IOException;
import java.util.List;

/// The cases over HTTP/1.1.
final class WebSocketCasesTest extends WebSocketCasesContract {

  private static final String REQUEST =
      """
      GET / HTTP/1.1\r
      Host: a\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;

  @Override
  List<WebSocketCase> cases() {
    return WebSocketCases.all();
  }

  @Override
  NettyChannel open(HttpServer server) throws IOException {
    NettyChannel client = client(server);
    send(client, REQUEST);
    String head = until(client, "\r\n\r\n");
    assertTrue(head.startsWith("HTTP/1.1 101 "), head);
    return client;
  }
}
