package dev.rondo.benchmarks.servers;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/// A Vert.x server with one event loop, on epoll.
public final class VertxServer {

  private static final int ANY_PORT = 0;

  private VertxServer() {}

  private static Vertx vertx() {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // silent
    return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
  }

  private static String host() {
    return BareServer.loopback().getHostString();
  }

  /// Answers every request with a text until the process ends.
  static void serveHttp(byte[] text) {
    CharSequence contentType = HttpHeaders.createOptimized("text/plain");
    CharSequence contentLength = HttpHeaders.createOptimized(Integer.toString(text.length));
    Buffer body = Buffer.buffer(text);
    var server =
        vertx()
            .createHttpServer(new HttpServerOptions().setAcceptBacklog(BareServer.BACKLOG))
            .requestHandler(request ->
                request
                    .response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                    .putHeader(HttpHeaders.CONTENT_LENGTH, contentLength)
                    .end(body))
            .listen(ANY_PORT, host())
            .await();
    ServerProcess.tell(server.actualPort());
  }

  /// Does a job until the process ends.
  static void serve(WebJob job) throws IOException {
    if (job == WebJob.TCP) {
      echo();
      return;
    }
    var options =
        new HttpServerOptions().setAcceptBacklog(BareServer.BACKLOG).setHost(host()).setPort(0);
    if (job == WebJob.TLS) {
      options
          .setSsl(true)
          .setKeyCertOptions(
              new PfxOptions()
                  .setValue(Buffer.buffer(WebContent.keyFile()))
                  .setPassword(WebContent.PASSWORD));
    }
    HttpServer server = vertx().createHttpServer(options);
    switch (job) {
      case ECHO ->
          server.webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage));
      case ROOM -> {
        Set<ServerWebSocket> room = new LinkedHashSet<>(); // of the one event loop
        server.webSocketHandler(socket -> {
          room.add(socket);
          socket
              .textMessageHandler(text -> room.forEach(each -> each.writeTextMessage(text)))
              .closeHandler(_ -> room.remove(socket));
        });
      }
      default -> {
        CharSequence contentType = HttpHeaders.createOptimized(WebContent.contentType(job));
        server.requestHandler(request ->
            request
                .response()
                .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                .end(Buffer.buffer(WebContent.body(job))));
      }
    }
    ServerProcess.tell(server.listen().await().actualPort());
  }

  /// Echoes its input until the process ends.
  static void echo() {
    echo(_ -> {});
  }

  /// The same, with other work on the loop.
  static void echo(Consumer<Vertx> work) {
    Vertx vertx = vertx();
    work.accept(vertx);
    var server =
        vertx
            .createNetServer(new NetServerOptions().setAcceptBacklog(BareServer.BACKLOG))
            .connectHandler(socket -> socket.handler(socket::write))
            .listen(ANY_PORT, host())
            .await();
    ServerProcess.tell(server.actualPort());
  }
}
