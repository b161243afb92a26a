package dev.rondo.netty;

import dev.rondo.netty.http.HttpServer;
import java.io.IOException;

/// The cases over streams of HTTP/2.
final class WebSocketCasesHttp2Test extends WebSocketCasesContract {

  @Override
  NettyChannel open(HttpServer server) throws IOException {
    return WebSocketHttp2Test.openBytes(new Http2Client(server));
  }
}
