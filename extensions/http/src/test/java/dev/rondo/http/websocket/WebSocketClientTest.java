package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.WebSocketRefusedException;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpStatusException;
import dev.rondo.http.websocket.internal.PreparedFrame;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// WebSockets of clients over loopback.
final class WebSocketClientTest extends HttpClientRig {

  private static final String NAME = "localhost";
  private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key: (\\S+)");

  private HttpServer serving(HttpHandler handler) throws IOException {
    return serve(routes -> routes.get("/", handler));
  }

  private static URI at(HttpServer server) {
    return uri("ws", server.localAddress(), "/");
  }

  private static WebSocketSettings offering(String... subprotocols) {
    return new WebSocketSettings(1 << 20, Duration.ofSeconds(30), List.of(subprotocols));
  }

  private static String text(WebSocket socket) throws IOException {
    return assertInstanceOf(WebSocketMessage.Text.class, socket.receive()).text();
  }

  /// {@return the answer to a request for a socket, with further header lines}
  private static String switching(String head, String lines) throws Exception {
    Matcher key = KEY.matcher(head);
    assertTrue(key.find(), head);
    byte[] digest =
        MessageDigest.getInstance("SHA-1")
            .digest(
                WebSocketCase.bytes(
                    key.group(1) + WebSocketServerHandshaker13.WEBSOCKET_13_ACCEPT_GUID));
    return "HTTP/1.1 101 Switching Protocols\r\nConnection: keep-alive, Upgrade\r\n"
        + "Upgrade: WebSocket\r\nSec-WebSocket-Accept: "
        + Base64.getEncoder().encodeToString(digest)
        + "\r\n"
        + lines
        + "\r\n";
  }

  /// Does a server's part of a handshake.
  static NettyChannel shake(NettyChannel connection) throws Exception {
    byte[] bytes = WebSocketCase.bytes(switching(head(connection), ""));
    connection.send(Unpooled.wrappedBuffer(bytes));
    return connection;
  }

  @Test
  void messages_ofAllLengths_comeBack() {
    run(() -> {
      try (HttpServer server =
              serving(exchange -> WebSocketContract.echo(exchange.webSocket(offering())));
          HttpClient client = newClient();
          WebSocket socket = client.request(HttpMethod.GET, at(server)).webSocket(offering());
          PreparedMessage prepared = PreparedFrame.text(allocator, "prepared")) {
        for (int length : new int[] {0, 1, 7, 8, 125, 126, 65_535, 65_536, 100_003}) {
          socket.send("\u00e4" + "x".repeat(length));
          assertEquals("\u00e4" + "x".repeat(length), text(socket));
          byte[] bytes = new byte[length];
          Arrays.fill(bytes, (byte) length);
          socket.send(bytes);
          assertEquals(
              Arrays.toString(bytes),
              Arrays.toString(
                  assertInstanceOf(WebSocketMessage.Binary.class, socket.receive()).bytes()));
        }
        socket.send(prepared);
        assertTrue(socket.trySend(prepared));
        assertTrue(socket.trySend("tried"));
        assertEquals("prepared", text(socket));
        assertEquals("prepared", text(socket));
        assertEquals("tried", text(socket));
        assertNull(socket.subprotocol());
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void close_byEitherSide_isSaidToTheOther() {
    run(() -> {
      var codes = new ArrayList<String>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                if (socket.receive() == null) {
                  codes.add(socket.closeCode() + socket.closeReason());
                } else {
                  socket.close(4002, "bye");
                }
              });
          HttpClient client = newClient()) {
        client.webSocket(at(server)).close(4001, "enough");
        await(() -> codes.size() == 1);
        assertEquals(List.of(OptionalInt.of(4001) + "enough"), codes);
        try (WebSocket socket = client.webSocket(at(server))) {
          socket.send("end it");
          assertNull(socket.receive());
          assertEquals(OptionalInt.of(4002), socket.closeCode());
          assertEquals("bye", socket.closeReason());
          assertThrows(ConnectionResetException.class, () -> socket.send("late"));
          socket.close(1000, "");
          assertThrows(ChannelClosedException.class, () -> socket.send("later"));
        }
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void subprotocols_andHeaders_areOffered() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serving(exchange -> {
                seen.add(exchange.query("q") + exchange.headers().get("cookie"));
                exchange.webSocket(offering("c", "b")).close();
              });
          HttpClient client = newClient()) {
        for (String scheme : List.of("ws", "http")) {
          try (WebSocket socket =
              client
                  .request(HttpMethod.GET, uri(scheme, server.localAddress(), "/?q=1"))
                  .header("cookie", "d=1")
                  .webSocket(offering("a", "b", "c"))) {
            assertEquals("b", socket.subprotocol());
          }
        }
        assertEquals(List.of("1d=1", "1d=1"), seen);
      }
    });
  }

  @Test
  void response_thatIsNoSocket_isRefusedWithItsStatus() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/page", exchange -> exchange.respondText("a page"))
                      .get(
                          "/secret",
                          exchange -> {
                            throw new HttpStatusException(HttpResponseStatus.UNAUTHORIZED, "no");
                          })
                      .get(
                          "/moved",
                          exchange -> {
                            exchange.responseHeaders().set("location", "/page");
                            exchange.respond(HttpResponseStatus.FOUND);
                          }));
          HttpClient client = newClient()) {
        for (String each :
            List.of("/page 200 OK", "/secret 401 Un", "/none 404 No", "/moved 302 F")) {
          URI uri = uri("ws", server.localAddress(), each.substring(0, each.indexOf(' ')));
          var refused = assertThrows(WebSocketRefusedException.class, () -> client.webSocket(uri));
          String status = each.substring(each.indexOf(' ') + 1);
          assertEquals(Integer.parseInt(status.substring(0, 3)), refused.status().code());
          String message = refused.getMessage();
          assertTrue(message.contains(uri + ": ") && message.contains(status), message);
          assertEquals(each.startsWith("/moved"), message.contains(" to /page"), message);
        }
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void answer_thatIsWrong_isAProtocolException() {
    run(() -> {
      for (String each :
          List.of(
              "Sec-WebSocket-Protocol: b\r\n",
              "Sec-WebSocket-Protocol: a\r\nSec-WebSocket-Protocol: a\r\n",
              "Sec-WebSocket-Extensions: permessage-deflate\r\n",
              "Connection: ",
              "Upgrade: ",
              "Sec-WebSocket-Accept: ",
              " : malformed\r\n")) {
        try (RawServer server =
                new RawServer(connection -> {
                  String head = head(connection);
                  String right = switching(head, each.endsWith("\r\n") ? each : "");
                  send(
                      connection,
                      each.endsWith("\r\n") ? right : right.replace("\r\n" + each, "\r\nX: "));
                  assertTrue(isGone(connection));
                });
            HttpClient client = newClient()) {
          var request = client.request(HttpMethod.GET, server.uri("/"));
          var wrong =
              assertThrows(ProtocolException.class, () -> request.webSocket(offering("a")), each);
          String named = each.split(":", 2)[0].strip();
          assertTrue(wrong.getMessage().contains(named), wrong.getMessage());
        }
      }
    });
  }

  @Test
  void frames_inTheBytesOfTheHead_areReceived() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                String head = head(connection);
                send(connection, switching(head, "") + "\u0081\u0002hi\u0081\u0002yo\u0088\0");
                var _ = rest(connection);
              });
          HttpClient client = newClient();
          WebSocket socket = client.webSocket(server.uri("/"))) {
        assertEquals("hi", text(socket));
        assertEquals("yo", text(socket));
        assertNull(socket.receive());
        assertEquals(OptionalInt.empty(), socket.closeCode());
      }
    });
  }

  /// {@return the first byte that comes}
  private static String first(NettyChannel connection) throws IOException {
    ByteBuf received = connection.receive(ByteBuf.class);
    assertNotNull(received);
    try {
      return Integer.toHexString(received.readUnsignedByte());
    } finally {
      received.release();
    }
  }

  @Test
  void server_thatGoesOrBreaksTheProtocol_failsTheReceiver() {
    run(() -> {
      var heard = new ArrayList<String>();
      try (RawServer going =
              new RawServer(connection -> send(connection, switching(head(connection), "")));
          RawServer silent = new RawServer(connection -> head(connection));
          RawServer masking =
              new RawServer(connection -> {
                send(connection, switching(head(connection), "") + "\u0081\u0080\0\0\0\0");
                heard.add(first(connection));
              });
          HttpClient client = newClient()) {
        try (WebSocket socket = client.webSocket(going.uri("/"))) {
          var gone = assertThrows(ConnectionResetException.class, socket::receive);
          assertTrue(gone.getMessage().contains("the peer has gone"), gone.getMessage());
        }
        assertThrows(ConnectionResetException.class, () -> client.webSocket(silent.uri("/")));
        try (WebSocket socket = client.webSocket(masking.uri("/"))) {
          assertThrows(ProtocolException.class, socket::receive);
        }
        await(() -> heard.size() == 1);
        assertEquals(List.of("88"), heard, "a close");
      }
    });
  }

  @Test
  void close_ofTheClient_endsItsSockets() {
    run(() -> {
      var gone = new boolean[1];
      try (HttpServer server = serving(exchange -> WebSocketContract.echo(exchange.webSocket()));
          RawServer silent =
              new RawServer(connection -> {
                head(connection);
                assertThrows(ConnectionResetException.class, connection::receive);
                gone[0] = true;
              })) {
        HttpClient client = newClient();
        WebSocket socket = client.webSocket(at(server));
        Task<Throwable> receiving = failing(socket::receive);
        Task<Throwable> shaking =
            failing(() -> client.webSocket(uri("ws", silent.uri("/").getPort(), "/")));
        await(() -> silent.connections.size() == 1);
        settle();
        client.close();
        thrownBy(ChannelClosedException.class, receiving);
        thrownBy(ChannelClosedException.class, shaking);
        assertThrows(ChannelClosedException.class, () -> client.webSocket(at(server)));
        assertFalse(socket.trySend("late"));
        await(() -> server.connectionCount() == 0 && gone[0]);
      }
    });
  }

  private static URI uri(String scheme, int port, String path) {
    return URI.create(scheme + "://127.0.0.1:" + port + path);
  }

  @Test
  void task_cancelledInTheHandshake_closesTheConnection() {
    run(() -> {
      var gone = new boolean[1];
      try (RawServer silent =
              new RawServer(connection -> {
                head(connection);
                gone[0] = isGone(connection);
              });
          HttpClient client = newClient()) {
        Task<?> asking = scheduler.spawn("asking", () -> client.webSocket(silent.uri("/")));
        await(() -> silent.connections.size() == 1);
        settle();
        asking.cancel("enough");
        assertThrows(Exception.class, asking::join);
        await(() -> gone[0]);
      }
    });
  }

  @Test
  void server_doesNotRead_senderWaits() {
    run(() -> {
      int count = 200;
      var sent = new int[1];
      var received = new int[1];
      var read = new boolean[1];
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket(offering());
                await(() -> read[0]);
                while (socket.receive() != null) {
                  received[0]++;
                }
              });
          HttpClient client = newClient();
          WebSocket socket = client.webSocket(at(server))) {
        Task<?> sending =
            scheduler.spawn(
                "sending",
                () -> {
                  for (int i = 0; i < count; i++) {
                    socket.send(new byte[100_000]);
                    sent[0]++;
                  }
                  return null;
                });
        int before;
        do {
          before = sent[0];
          settle();
        } while (sent[0] > before || before == 0);
        assertTrue(sent[0] < count, () -> sent[0] + " of 20 MB went nowhere");
        read[0] = true;
        sending.join();
        await(() -> received[0] == count);
      }
    });
  }

  @Test
  void wss_toAServerOfHttp2_isHttp1() throws Exception {
    KeyStore keys = Certificates.keys(NAME);
    run(() -> {
      try (HttpServer server =
              serve(routes -> {
                try {
                  routes
                      .tls(keys, "changeit".toCharArray())
                      .get(
                          "/",
                          exchange -> {
                            String protocol = exchange.protocol() + " " + exchange.isSecure();
                            exchange.webSocket().send(protocol);
                          });
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
          HttpClient trusting = newClient(builder -> builder.tls(context("h2", "http/1.1")));
          HttpClient usual = newClient()) {
        URI uri = uri("wss", server.localAddress(), "/");
        try (WebSocket socket = trusting.webSocket(uri)) {
          assertEquals("HTTP/1.1 true", text(socket));
        }
        assertThrows(javax.net.ssl.SSLException.class, () -> usual.webSocket(uri));
      }
    });
  }

  private static io.netty.handler.ssl.SslContext context(String... protocols) {
    try {
      return SslContextBuilder.forClient()
          .trustManager((java.security.cert.X509Certificate) Certificates.certificate(NAME))
          .applicationProtocolConfig(
              new ApplicationProtocolConfig(
                  ApplicationProtocolConfig.Protocol.ALPN,
                  ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                  ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                  protocols))
          .build();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void request_thatCanBeNoSocket_isRefusedBefore() {
    run(() -> {
      try (HttpClient client = newClient()) {
        URI uri = URI.create("ws://127.0.0.1:1/");
        for (var each :
            List.of(
                client.request(HttpMethod.POST, uri),
                client
                    .request(HttpMethod.GET, uri)
                    .body(
                        "text/plain; charset=utf-8",
                        "text".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                client.request(HttpMethod.GET, uri).header("sec-websocket-protocol", "a"),
                client.request(HttpMethod.GET, uri).header("upgrade", "websocket"))) {
          assertThrows(IllegalStateException.class, () -> each.webSocket(offering()));
        }
        var sent = assertThrows(IllegalStateException.class, () -> client.get(uri));
        assertTrue(sent.getMessage().contains("webSocket()"), sent.getMessage());
        URI other = URI.create("wsx://127.0.0.1/");
        assertThrows(IllegalArgumentException.class, () -> client.webSocket(other));
      }
    });
  }
}
