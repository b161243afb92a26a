package dev.rondo.http;

import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Servers of HTTP whose clients send bytes as they like.
public abstract class HttpRig extends NettyRig {

  /// Asks for a WebSocket.
  public static final String UPGRADE =
      """
      GET /socket HTTP/1.1\r
      Host: a\r
      Connection: upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
      \r
      """;

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL.whyNot() == null ? NettyTransport.EPOLL : NettyTransport.NIO;
  }

  /// The usual limits with others of streams, heads and bodies.
  public static HttpLimits limits(
      int streams, int requestLineBytes, int headerBytes, long bodyBytes, long allBodiesBytes) {
    HttpLimits usual = HttpLimits.USUAL;
    return new HttpLimits(
        usual.connections(),
        streams,
        requestLineBytes,
        headerBytes,
        bodyBytes,
        allBodiesBytes,
        usual.head(),
        usual.idle(),
        usual.progress());
  }

  public static HttpLimits streams(int most) {
    HttpLimits usual = HttpLimits.USUAL;
    return limits(
        most,
        usual.requestLineBytes(),
        usual.headerBytes(),
        usual.bodyBytes(),
        usual.allBodiesBytes());
  }

  public static HttpLimits heads(int requestLineBytes, int headerBytes, long bodyBytes) {
    HttpLimits usual = HttpLimits.USUAL;
    return limits(
        usual.streams(), requestLineBytes, headerBytes, bodyBytes, usual.allBodiesBytes());
  }

  public static HttpLimits bodies(long bodyBytes, long allBodiesBytes) {
    HttpLimits usual = HttpLimits.USUAL;
    return limits(
        usual.streams(), usual.requestLineBytes(), usual.headerBytes(), bodyBytes, allBodiesBytes);
  }

  protected HttpServer serve(Consumer<HttpServerBuilder> routes) throws IOException {
    HttpServerBuilder builder =
        HttpServer.builder(scheduler)
            .options(bootstrap -> bootstrap.childOption(ChannelOption.ALLOCATOR, allocator));
    routes.accept(builder);
    return builder.listen(anyPort());
  }

  protected NettyChannel client(HttpServer server) {
    return scheduler
        .host()
        .awaitEvent(
            netty.connecting(client().handler(handlers(each -> {})), server.localAddress()));
  }

  protected void send(NettyChannel client, String text) throws IOException {
    client.send(allocator.buffer().writeBytes(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /// Sends a request, and receives until the server closes the connection.
  protected String exchange(HttpServer server, String request) throws IOException {
    try (NettyChannel client = client(server)) {
      send(client, request);
      return rest(client);
    }
  }

  /// Receives until the server closes the connection.
  public static String rest(NettyChannel client) throws IOException {
    var received = new StringBuilder();
    boolean more;
    do {
      more = receive(client, received);
    } while (more);
    return received.toString();
  }

  /// Receives until the text ends so.
  public static String until(NettyChannel client, String end) throws IOException {
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

  public static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }
}
