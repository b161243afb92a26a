package dev.rondo.benchmarks.servers;

import dev.rondo.application.Application;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.http.websocket.PreparedMessage;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.NettyTransport;
import dev.rondo.netty.WaitForNetty;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.LinkedHashSet;
import java.util.Set;

/// Rondo's HTTP server on Netty, with its usual limits.
public final class RondoWeb {

  /// The room's sockets and the talking client.
  private static final int MOST_CONNECTIONS = 20_000;

  private final WebJob job;
  private final Set<WebSocket> room = new LinkedHashSet<>();

  private RondoWeb(WebJob job) {
    this.job = job;
  }

  static void serve(NettyTransport transport, WebJob job) {
    System.setProperty(NettyTransport.PROPERTY, transport.name());
    var web = new RondoWeb(job);
    new FastThreadLocalThread(() -> Application.run(web::serve)).start();
  }

  private void serve(Application app) throws IOException, GeneralSecurityException {
    if (job == WebJob.TCP) {
      serveBytes(app);
      return;
    }
    HttpServerBuilder builder =
        HttpServer.builder(app.scheduler())
            .limits(HttpLimits.USUAL.withConnections(MOST_CONNECTIONS))
            .options(netty -> netty.option(ChannelOption.SO_BACKLOG, BareServer.BACKLOG))
            .get(job.path(), handler());
    if (job == WebJob.TLS) {
      builder.tls(WebContent.keys(), WebContent.PASSWORD.toCharArray());
    }
    try (HttpServer server = builder.listen(BareServer.loopback())) {
      ServerProcess.tell(((InetSocketAddress) server.localAddress()).getPort());
      app.await(app.shutdownRequested());
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void serveBytes(Application app) throws IOException {
    WaitForNetty netty = WaitForNetty.on(app.scheduler());
    NettyListener listener = netty.listen(BareServer.loopback(), new NoHandlers());
    ServerProcess.tell(((InetSocketAddress) listener.localAddress()).getPort());
    while (true) {
      NettyChannel channel = listener.accept();
      var _ = app.spawn("connection", () -> sendBack(channel));
    }
  }

  /// Bytes are received as they are.
  private static final class NoHandlers extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel connection) {}
  }

  private static void sendBack(NettyChannel channel) {
    try (channel) {
      for (Object each; (each = channel.receive()) != null; ) {
        channel.send(each);
      }
    } catch (IOException e) {
      // the client has left
    }
  }

  private HttpHandler handler() {
    return switch (job) {
      case ECHO -> RondoWeb::echo;
      case ROOM -> this::talk;
      default -> this::respond;
    };
  }

  private void respond(HttpExchange exchange) throws IOException {
    exchange.respond(HttpResponseStatus.OK, WebContent.contentType(job), WebContent.body(job));
  }

  private static void echo(HttpExchange exchange) throws IOException {
    try (WebSocket socket = exchange.webSocket()) {
      while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        socket.send(text);
      }
    }
  }

  private void talk(HttpExchange exchange) throws IOException {
    try (WebSocket socket = exchange.webSocket()) {
      room.add(socket);
      while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        try (PreparedMessage message = PreparedMessage.text(text)) {
          for (WebSocket each : room) {
            boolean _ = each.trySend(message); // a slow client misses it
          }
        }
      }
      room.remove(socket);
    }
  }
}
