package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.server.HttpServer;
import dev.rondo.http.websocket.internal.PreparedFrame;
import dev.rondo.netty.NettyChannel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// WebSockets over HTTP/1.1, with Netty's client.
final class WebSocketTest extends WebSocketContract {

  @Override
  NettyChannel open(HttpServer server, String subprotocols) throws IOException {
    var config =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri("ws://a/")
            .subprotocol(subprotocols)
            .handleCloseFrames(false)
            .sendCloseFrame(null)
            .maxFramePayloadLength(1 << 20)
            .dropPongFrames(false)
            .withUTF8Validator(false)
            .customHeaders(new DefaultHttpHeaders())
            .build();
    var shaken = netty.group().next().<Boolean>newPromise();
    NettyChannel made =
        scheduler
            .host()
            .awaitEvent(
                netty.connecting(
                    client()
                        .handler(
                            handlers(each ->
                                each.pipeline()
                                    .addLast(
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(1 << 16),
                                        new WebSocketClientProtocolHandler(config) {
                                          @Override
                                          public boolean isSharable() {
                                            return false;
                                          }
                                        },
                                        new ChannelInboundHandlerAdapter() {
                                          @Override
                                          public void userEventTriggered(
                                              ChannelHandlerContext context, Object event) {
                                            if (event
                                                == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                                              boolean _ = shaken.trySuccess(true);
                                            }
                                          }
                                        }))),
                    server.localAddress()));
    made.channel().read();
    netty.await(shaken);
    return made;
  }

  private String answerTo(HttpServer server, String origins) throws IOException {
    try (NettyChannel client = client(server)) {
      send(
          client,
          "GET / HTTP/1.1\r\nHost: a:8080\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
              + origins
              + "\r\n");
      return until(client, "\r\n\r\n").substring(9, 12);
    }
  }

  private void expect(String status, HttpServer server, String... origins) throws IOException {
    for (String each : origins) {
      assertEquals(status, answerTo(server, each), each);
    }
  }

  @Test
  void origin_ofAnotherPage_isRefusedUnlessItIsListed() {
    run(() -> {
      try (HttpServer same = serving(exchange -> echo(exchange.webSocket()));
          HttpServer listing =
              serve(routes ->
                  routes
                      .webSocketOrigins("https://Example.com:443", "http://b:81", "null")
                      .get("/", exchange -> echo(exchange.webSocket())));
          HttpServer open =
              serve(routes ->
                  routes.webSocketOrigins("*").get("/", exchange -> echo(exchange.webSocket())))) {
        String[] own = {"", "Origin: http://A:8080\r\n", "Origin: https://a:8080\r\n"};
        String[] listed = {
          "Origin: https://example.com\r\n", "Origin: http://b:81\r\n", "Origin: null\r\n"
        };
        String[] others = {
          "Origin: http://a\r\n",
          "Origin: http://a:80800\r\n",
          "Origin: http://evil\r\n",
          "Origin: http://example.com\r\n",
          "Origin: https://example.com.evil\r\n",
          "Origin: \r\n",
          "Origin: http://a:8080\r\nOrigin: http://evil\r\n"
        };
        expect("101", same, own);
        expect("403", same, listed);
        expect("403", same, others);
        expect("101", listing, own);
        expect("101", listing, listed);
        expect("403", listing, others);
        expect("101", open, own);
        expect("101", open, listed);
        expect("101", open, others);
      }
    });
  }

  @Test
  void origin_thatIsNone_isRefusedWhenTheServerIsBuilt() {
    for (String each :
        new String[] {
          "example.com", "https://example.com/", "https://a?b", "https://u@a", "", "**"
        }) {
      assertThrows(
          IllegalArgumentException.class,
          () -> HttpServer.builder(scheduler).webSocketOrigins(each));
    }
  }

  @Test
  void request_thatIsNoHandshake_isRefused() {
    run(() -> {
      try (HttpServer server = serving(exchange -> echo(exchange.webSocket()))) {
        String head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: ";
        String plain = exchange(server, head + "close\r\n\r\n");
        assertTrue(plain.startsWith("HTTP/1.1 426 "), plain);
        String keyless =
            exchange(
                server,
                head + "close, upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n");
        assertTrue(keyless.startsWith("HTTP/1.1 400 "), keyless);
        String asking =
            head + "close, upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        for (String key : List.of("", "x", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAA")) {
          String response = exchange(server, asking + "Sec-WebSocket-Key: " + key + "\r\n\r\n");
          assertTrue(response.startsWith("HTTP/1.1 400 "), () -> key + ": " + response);
        }
        String key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
        String two = exchange(server, asking + key + key + "\r\n");
        assertTrue(two.startsWith("HTTP/1.1 400 "), two);
        String old = exchange(server, asking.replace("HTTP/1.1", "HTTP/1.0") + key + "\r\n");
        assertTrue(old.startsWith("HTTP/1.1 426 "), old);
      }
    });
  }

  /// Ten clients that do not read have a part of the same message before them. Over HTTP/2 they
  /// would have read some of it.
  @Test
  void preparedMessage_clientsDoNotRead_isInMemoryOnce() {
    int length = 1 << 16;
    var used = new ArrayList<Long>();
    inRoom(
        10,
        sockets -> {
          try (PreparedMessage text = PreparedFrame.text(allocator, "x".repeat(length))) {
            for (WebSocket each : sockets) {
              while (each.trySend(text)) {
                scheduler.yield();
              }
            }
            used.add(allocator.metric().usedDirectMemory());
          }
        },
        (clients, talk) -> {
          var _ = talk.join();
          assertEquals("x".repeat(length), next(clients.getFirst()));
        });
    assertTrue(used.getFirst() >= length, () -> used + " bytes");
    assertTrue(used.getFirst() < 10L * length, () -> used + " bytes");
  }
}
