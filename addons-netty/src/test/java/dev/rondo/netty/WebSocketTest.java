package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.netty.http.HttpServer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import java.io.IOException;
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
      }
    });
  }
}
