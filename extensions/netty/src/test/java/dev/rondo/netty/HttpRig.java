package dev.rondo.netty;

import dev.rondo.netty.http.HttpServer;
import dev.rondo.netty.http.HttpServerBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Servers of HTTP whose clients send bytes as they like.
abstract class HttpRig extends NettyRig {

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL.whyNot() == null ? NettyTransport.EPOLL : NettyTransport.NIO;
  }

  HttpServer serve(Consumer<HttpServerBuilder> routes) throws IOException {
    HttpServerBuilder builder =
        HttpServer.builder(scheduler)
            .options(bootstrap -> bootstrap.childOption(ChannelOption.ALLOCATOR, allocator));
    routes.accept(builder);
    return builder.listen(anyPort());
  }

  NettyChannel client(HttpServer server) {
    return scheduler
        .host()
        .awaitEvent(
            netty.connecting(client().handler(handlers(each -> {})), server.localAddress()));
  }

  void send(NettyChannel client, String text) throws IOException {
    client.send(allocator.buffer().writeBytes(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /// Sends a request, and receives until the server closes the connection.
  String exchange(HttpServer server, String request) throws IOException {
    try (NettyChannel client = client(server)) {
      send(client, request);
      return rest(client);
    }
  }

  /// Receives until the server closes the connection.
  static String rest(NettyChannel client) throws IOException {
    var received = new StringBuilder();
    boolean more;
    do {
      more = receive(client, received);
    } while (more);
    return received.toString();
  }

  /// Receives until the text ends so.
  static String until(NettyChannel client, String end) throws IOException {
    var received = new StringBuilder();
    while (received.indexOf(end) < 0) {
      if (!receive(client, received)) {
        throw new AssertionError("required=" + end + ", found=" + received);
      }
    }
    return received.toString();
  }

  private static boolean receive(NettyChannel client, StringBuilder received) throws IOException {
    ByteBuf part = client.receive(ByteBuf.class);
    if (part == null) {
      return false;
    }
    received.append(part.toString(StandardCharsets.ISO_8859_1));
    part.release();
    return true;
  }

  static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }
}
