package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.http.HttpClient;
import dev.rondo.netty.http.HttpClientResponse;
import dev.rondo.netty.http.HttpExchange;
import dev.rondo.netty.http.HttpServer;
import dev.rondo.netty.http.HttpStatusException;
import dev.rondo.netty.http.WebSocket;
import dev.rondo.netty.http.WebSocketMessage;
import dev.rondo.scheduler.TimedOutException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Programs with HTTP that the documentation shows and no example has.
final class DocsHttpTest {

  private static final int MOST_BYTES = 8_192;

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static URI root(HttpServer server) {
    return URI.create("http:/" + server.localAddress());
  }

  /// Passes requests on to another server.
  private record Relay(Application app, HttpClient client, URI upstream, Duration patience) {

    private void relay(HttpExchange exchange) throws Exception {
      exchange.endWithClient();
      try (HttpClientResponse response = ask(exchange);
          OutputStream out = exchange.stream(response.status(), "text/plain")) {
        response.body().transferTo(out);
      }
    }

    private HttpClientResponse ask(HttpExchange exchange) throws Exception {
      try {
        return app.within(patience, () -> client.get(URI.create(upstream + exchange.path())));
      } catch (TimedOutException | SocketTimeoutException e) {
        throw new HttpStatusException(HttpResponseStatus.GATEWAY_TIMEOUT, "no answer in time");
      } catch (IOException e) { // it is not there, resets the connection, breaks the protocol
        throw new HttpStatusException(HttpResponseStatus.BAD_GATEWAY, "no answer");
      }
    }
  }

  private static int statusOf(Application app, HttpClient client, URI upstream, Duration patience)
      throws IOException {
    return statusOf(new Relay(app, client, upstream, patience), "/hello");
  }

  private static int statusOf(Relay relay, String path) throws IOException {
    try (HttpServer server =
            HttpServer.builder(relay.app().scheduler())
                .get("/{any...}", relay::relay)
                .listen(anyPort());
        HttpClientResponse response = relay.client().get(URI.create(root(server) + path))) {
      return response.status().code();
    }
  }

  @Test
  void relay_failuresOfTheOtherServer_areStatuses() {
    Application.run(app -> {
      try (HttpClient client = HttpClient.builder(app.scheduler()).build()) {
        URI upstream;
        try (HttpServer server =
            HttpServer.builder(app.scheduler())
                .get("/hello", exchange -> exchange.respondText("hello"))
                .listen(anyPort())) {
          upstream = root(server);
          assertEquals(200, statusOf(app, client, upstream, Duration.ofMinutes(1)));
          assertEquals(504, statusOf(app, client, upstream, Duration.ZERO));
          var relay = new Relay(app, client, upstream, Duration.ofMinutes(1));
          assertEquals(404, statusOf(relay, "//localhost:1/hello")); // not another server's
        }
        assertEquals(502, statusOf(app, client, upstream, Duration.ofMinutes(1)));
      }
    });
  }

  private static NettyChannel webSocket(WaitForNetty netty, InetSocketAddress address, URI uri)
      throws IOException {
    var headers = new DefaultHttpHeaders();
    var handshaker =
        WebSocketClientHandshakerFactory.newHandshaker(
            uri, WebSocketVersion.V13, null, false, headers);
    NettyChannel channel =
        netty.connect(
            address,
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel made) {
                made.pipeline()
                    .addLast(new HttpClientCodec(), new HttpObjectAggregator(MOST_BYTES))
                    .addLast(new WebSocketClientProtocolHandler(handshaker), new Opened());
              }
            });
    var _ = channel.receive(ClientHandshakeStateEvent.class); // or what the handshake fails with
    return channel;
  }

  /// Makes the end of the handshake a message, for which a task can wait.
  private static final class Opened extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        context.fireChannelRead(event);
      }
    }
  }

  private static void echo(HttpExchange exchange) throws IOException {
    try (WebSocket socket = exchange.webSocket()) {
      while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        socket.send("you said: " + text);
      }
    }
  }

  @Test
  void webSocket_ofNettysHandlers_talksToAServer() {
    Application.run(app -> {
      WaitForNetty netty = WaitForNetty.on(app.scheduler());
      try (HttpServer server =
          HttpServer.builder(app.scheduler())
              .get("/echo", DocsHttpTest::echo)
              .get("/page", exchange -> exchange.respondText("a page"))
              .listen(anyPort())) {
        var address = (InetSocketAddress) server.localAddress();
        try (NettyChannel socket = webSocket(netty, address, root(server).resolve("/echo"))) {
          socket.send(new TextWebSocketFrame("hello"));
          TextWebSocketFrame answer = socket.receive(TextWebSocketFrame.class);
          assertEquals("you said: hello", answer.text());
          ReferenceCountUtil.release(answer);
        }
        URI page = root(server).resolve("/page");
        assertThrows(
            WebSocketClientHandshakeException.class, () -> webSocket(netty, address, page));
      }
    });
  }
}
