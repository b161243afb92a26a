package dev.rondo.benchmarks.servers;

import com.sun.net.httpserver.HttpServer;
import dev.rondo.application.Application;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.undertow.Undertow;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseWriter;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;

/// The HTTP servers that `HttpLoad` compares, one to a process, each on one thread. All servers
/// send the same twelve bytes of text. Servers that send a date or their name by default also do so
/// here.
public enum HttpServers {
  /// A selector loop that looks for the end of requests: the limit.
  BARE {
    @Override
    void serve() throws IOException {
      BareServer.serve(connection -> {
        ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
        ByteBuffer out = answer();
        var ends = new RequestEnds();
        return () -> {
          int n = connection.read(in.clear());
          for (int i = ends.in(in.flip()); i > 0; i--) {
            connection.write(out.clear());
          }
          return n >= 0;
        };
      });
    }
  },

  /// The same, with one task per connection.
  RONDO {
    @Override
    void serve() {
      RondoServer.serve(Transport.NIO, Application.builder(), HttpServers::respond);
    }
  },

  /// The same on the EPOLL transport.
  RONDO_EPOLL {
    @Override
    void serve() {
      RondoServer.serve(Transport.EPOLL, Application.builder(), HttpServers::respond);
    }
  },

  /// The same, on the loop's virtual threads.
  RONDO_BOUND {
    @Override
    void serve() {
      RondoServer.serve(
          Transport.NIO,
          Application.builder().backend(CoroutineBackends.bound()),
          HttpServers::respond);
    }
  },

  /// On the EPOLL transport, with the parser and writer of Apache HttpCore, which are made for
  /// blocking streams.
  RONDO_HTTP_CORE {
    @Override
    void serve() {
      RondoServer.serve(Transport.EPOLL, Application.builder(), HttpServers::converse);
    }
  },

  NETTY_NIO {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnNio(HttpServers::handle);
    }
  },

  NETTY_EPOLL {
    @Override
    void serve() throws InterruptedException {
      NettyServer.serveOnEpoll(HttpServers::handle);
    }
  },

  /// One event loop, on epoll, with the defaults.
  VERTX {
    @Override
    void serve() {
      VertxServer.serveHttp(TEXT);
    }
  },

  /// One virtual thread per connection, on one carrier.
  HELIDON {
    @Override
    void serve() {
      var server =
          WebServer.builder()
              .address(InetAddress.getLoopbackAddress())
              .port(0)
              .connectionOptions(options -> options.tcpNoDelay(true))
              .routing(routing ->
                  routing.get(
                      "/",
                      (_, response) ->
                          response.header(HeaderValues.CONTENT_TYPE_TEXT_PLAIN).send(TEXT)))
              .build()
              .start();
      ServerProcess.tell(server.port());
    }
  },

  /// One selector, which also handles the requests; other threads are idle.
  JETTY {
    @Override
    void serve() throws Exception {
      JettyServer.serve(TEXT);
    }
  },

  /// One thread, which also handles the requests.
  UNDERTOW {
    @Override
    void serve() {
      var server =
          Undertow.builder()
              .addHttpListener(0, InetAddress.getLoopbackAddress().getHostAddress())
              .setIoThreads(1)
              .setWorkerThreads(1)
              .setHandler(exchange -> {
                exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
                exchange.getResponseSender().send(ByteBuffer.wrap(TEXT));
              })
              .build();
      server.start();
      var address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
      ServerProcess.tell(address.getPort());
    }
  },

  /// The server of the JDK, which handles requests on its only thread.
  JDK_SERVER {
    @Override
    void serve() throws IOException {
      var server = HttpServer.create(BareServer.loopback(), BareServer.BACKLOG);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              exchange.getResponseHeaders().set("Content-Type", "text/plain");
              exchange.sendResponseHeaders(HttpStatus.SC_OK, TEXT.length);
              exchange.getResponseBody().write(TEXT);
            }
          });
      server.start();
      ServerProcess.tell(server.getAddress().getPort());
    }
  };

  private static final int BUFFER_BYTES = 2_048;
  private static final byte[] TEXT = "Hello, world".getBytes(StandardCharsets.US_ASCII);

  abstract void serve() throws Exception;

  /// {@return the end of each answer}
  public static byte[] text() {
    return TEXT.clone();
  }

  private static ByteBuffer answer() {
    byte[] bytes =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nHello, world"
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  // Rondo.

  static void respond(TcpSocket socket) throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    ByteBuffer out = answer();
    var ends = new RequestEnds();
    while (socket.read(in.clear()) >= 0) {
      for (int i = ends.in(in.flip()); i > 0; i--) {
        socket.write(out.clear());
      }
    }
  }

  private static void converse(TcpSocket socket) throws IOException, HttpException {
    var parser = new DefaultHttpRequestParser();
    var writer = new DefaultHttpResponseWriter();
    var in = new SessionInputBufferImpl(BUFFER_BYTES);
    var out = new SessionOutputBufferImpl(BUFFER_BYTES);
    for (ClassicHttpRequest request; (request = parser.parse(in, socket.input())) != null; ) {
      var response = new BasicClassicHttpResponse(HttpStatus.SC_OK);
      response.setHeader(HttpHeaders.CONTENT_TYPE, ContentType.TEXT_PLAIN.getMimeType());
      response.setHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(TEXT.length));
      response.setVersion(request.getVersion());
      writer.write(response, out, socket.output());
      out.write(TEXT, socket.output());
      out.flush(socket.output());
    }
  }

  // Netty.

  static void handle(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpServerCodec(),
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
              var response =
                  new DefaultFullHttpResponse(
                      HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(TEXT));
              response
                  .headers()
                  .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                  .setInt(HttpHeaderNames.CONTENT_LENGTH, TEXT.length);
              context.write(response, context.voidPromise());
            }
            ReferenceCountUtil.release(message);
          }

          @Override
          public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
          }
        });
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions();
    valueOf(args[0]).serve();
  }
}
