package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.Certificates;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a side says last is received also if bytes of the peer lie unread in its socket when it
/// closes, which would have the system reset the connection.
@BackendsDiffer
abstract class LastWordsContract extends HttpClientRig {

  @TempDir Path folder;

  /// More than a side reads at once.
  private static final int UNREAD = 300_000;

  private static final String SOCKET =
      """
      GET / HTTP/1.1\r
      Host: a\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
      \r
      """;

  /// Sends all in one write, so that the system has it before the other side reads, and receives
  /// until the end.
  ///
  /// @throws IOException if the connection is reset
  private byte[] answers(NettyChannel peer, byte[]... parts) throws IOException {
    peer.send(Unpooled.wrappedBuffer(WebSocketCase.together(parts)));
    return all(peer);
  }

  private static byte[] all(NettyChannel peer) throws IOException {
    var all = new ByteArrayOutputStream();
    for (ByteBuf part; (part = peer.receive(ByteBuf.class)) != null; ) {
      all.writeBytes(ByteBufUtil.getBytes(part));
      part.release();
    }
    return all.toByteArray();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] broken() {
    return WebSocketCase.frame(true, 4, WebSocketCase.TEXT, new byte[5]);
  }

  private static HttpServer echoing(LastWordsContract rig) throws IOException {
    return rig.serve(routes ->
        routes.get(
            "/",
            exchange -> {
              try {
                WebSocketContract.echo(exchange.webSocket());
              } catch (ProtocolException e) {
                // that is what happens
              }
            }));
  }

  @Test
  void webSocketOfServer_protocolBroken_closeArrives() {
    run(() -> {
      try (HttpServer server = echoing(this);
          NettyChannel client = client(server)) {
        send(client, SOCKET);
        var _ = until(client, "\r\n\r\n");
        byte[] received = answers(client, broken(), new byte[UNREAD]);
        assertEquals(List.of("close 1002"), WebSocketCase.frames(received, false));
      }
    });
  }

  @Test
  void webSocketOfClient_protocolBroken_closeArrives() {
    run(() -> {
      try (NettyListener listener = listen();
          HttpClient client = newClient()) {
        URI uri = uri("ws", listener.localAddress(), "/");
        var receiving =
            scheduler.spawn(
                "client",
                () -> {
                  try (WebSocket socket = client.webSocket(uri)) {
                    return assertThrows(ProtocolException.class, socket::receive);
                  }
                });
        try (NettyChannel server = WebSocketClientTest.shake(listener.accept())) {
          byte[] unmasked = {(byte) 0xC1, 0};
          byte[] received = answers(server, unmasked, new byte[UNREAD]);
          assertEquals(List.of("close 1002"), WebSocketCase.frames(received, true));
        }
        var _ = receiving.join();
      }
    });
  }

  /// The peer has sent more after its close, which is dropped.
  @Test
  void webSocketOfServer_clientCloses_answerArrives() {
    run(() -> {
      try (HttpServer server = echoing(this);
          NettyChannel client = client(server)) {
        send(client, SOCKET);
        var _ = until(client, "\r\n\r\n");
        byte[] received = answers(client, WebSocketCase.close(1000, ""), new byte[UNREAD]);
        assertEquals(List.of("close 1000"), WebSocketCase.frames(received, false));
      }
    });
  }

  @Test
  void http1_malformedRequest_responseArrives() {
    run(() -> {
      try (HttpServer server = serve(routes -> {});
          NettyChannel client = client(server)) {
        String received = text(answers(client, bytesOf("GET\r\n\r\n"), new byte[UNREAD]));
        assertTrue(received.startsWith("HTTP/1.1 400 "), received);
      }
    });
  }

  @Test
  void http1_bodyUnread_responseArrives() {
    run(() -> {
      try (HttpServer server = serve(routes -> {});
          NettyChannel client = client(server)) {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n";
        String received = text(answers(client, bytesOf(head), new byte[UNREAD]));
        assertTrue(received.startsWith("HTTP/1.1 404 "), received);
      }
    });
  }

  /// Requests that a client has sent ahead of a response that closes the connection.
  @Test
  void http1_requestsSentAhead_responseArrives() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        exchange.responseHeaders().set("connection", "close");
                        exchange.respondText("last");
                      }));
          NettyChannel client = client(server)) {
        String ahead = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20_000);
        String received = text(answers(client, bytesOf(ahead)));
        assertTrue(received.endsWith("\r\n\r\nlast"), received);
      }
    });
  }

  @Test
  void http2_protocolBroken_goAwayArrives() {
    run(() -> {
      try (HttpServer server = serve(routes -> {});
          NettyChannel client = client(server)) {
        byte[] preface = ByteBufUtil.getBytes(Http2CodecUtil.connectionPrefaceBuf());
        byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        byte[] dataOfNoStream = {0, 0, 1, 0, 0, 0, 0, 0, 0, 9};
        byte[] received = answers(client, preface, settings, dataOfNoStream, new byte[UNREAD]);
        assertTrue(text(received).contains("\7\0\0\0\0\0"), text(received));
      }
    });
  }

  @Test
  void tls_noHandshake_alertArrives() {
    run(() -> {
      try (HttpServer server = secure();
          NettyChannel client = client(server)) {
        byte[] noHandshake = {22, 3, 3, 0, 4, 99, 0, 0, 0};
        byte[] received = answers(client, noHandshake, new byte[UNREAD]);
        assertEquals(21, received[0], "an alert");
      }
    });
  }

  private HttpServer secure() throws Exception {
    Path pem = folder.resolve("own.pem");
    Certificates.writePem("localhost", pem);
    return serve(routes -> {
      try {
        routes.tls(pem, pem);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private static byte[] bytesOf(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
