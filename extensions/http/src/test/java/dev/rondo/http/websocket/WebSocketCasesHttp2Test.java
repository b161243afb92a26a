package dev.rondo.http.websocket;

import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// The cases over streams of HTTP/2.
final class WebSocketCasesHttp2Test extends WebSocketCasesContract {

  /// Encodings and sizes are not the business of the transport.
  @Override
  List<WebSocketCase> cases() {
    return WebSocketCases.all().stream()
        .filter(each -> Stream.of("6.", "9.", "10.").noneMatch(each.name()::startsWith))
        .toList();
  }

  @Override
  NettyChannel open(HttpServer server) throws IOException {
    return WebSocketHttp2Test.openBytes(new Http2Client(server));
  }
}
