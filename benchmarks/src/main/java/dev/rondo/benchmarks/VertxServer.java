package dev.rondo.benchmarks;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import java.util.function.Consumer;

/// A server of Vert.x with one event loop, on epoll.
final class VertxServer {

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

  /// Echoes its input until the process ends.
  static void echo() {
    echo(_ -> {});
  }

  /// The same, with something else that the loop has to do.
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
