package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients of HTTP/1.1 that ask for a WebSocket and do not wait for the answer.
final class WebSocketAheadTest extends HttpRig {

  private static final WebSocketSettings LARGE =
      new WebSocketSettings(1 << 20, Duration.ofSeconds(30), List.of());

  private static final String HEADERS =
      """
      Host: a\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      """;

  private static final String REQUEST = "GET / HTTP/1.1\r\n" + HEADERS + "\r\n";
  private static final String WITH_A_BODY =
      "GET / HTTP/1.1\r\n" + HEADERS + "Content-Length: 2\r\n\r\nab";

  private static final byte[] FRAMES =
      WebSocketCase.together(
          WebSocketCase.frame(WebSocketCase.TEXT, "one"),
          WebSocketCase.frame(WebSocketCase.PING, "two"),
          WebSocketCase.frame(WebSocketCase.TEXT, "\r\n\r\nGET /three"),
          WebSocketCase.close(4001, "four"));

  private HttpServer serving(HttpHandler handler) throws IOException {
    return serve(routes -> routes.get("/", handler).get("/no", page -> page.respondText("no")));
  }

  private static void send(NettyChannel client, byte[] bytes) throws IOException {
    client.send(client.channel().alloc().buffer().writeBytes(bytes));
  }

  private static byte[] ascii(String request) {
    return request.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// {@return the frames behind the head of a response}
  private static List<String> frames(String received) {
    assertTrue(received.startsWith("HTTP/1.1 101 "), received);
    return WebSocketCase.frames(body(received).getBytes(StandardCharsets.ISO_8859_1), false);
  }

  @Test
  void frames_inTheReadOfTheHandshake_areReceived() {
    run(() -> {
      try (HttpServer server =
          serving(exchange -> WebSocketContract.echo(exchange.webSocket(LARGE)))) {
        for (String request : List.of(REQUEST, WITH_A_BODY)) {
          byte[] all = WebSocketCase.together(ascii(request), FRAMES);
          for (int split : new int[] {all.length, ascii(request).length, all.length - 9}) {
            try (NettyChannel client = client(server)) {
              send(client, Arrays.copyOf(all, split));
              if (split < all.length) {
                settle();
                send(client, Arrays.copyOfRange(all, split, all.length));
              }
              assertEquals(
                  List.of("pong two", "text one", "text \r\n\r\nGET /three", "close 4001"),
                  frames(rest(client)));
            }
          }
        }
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void frames_thatBreakTheProtocol_inTheReadOfTheHandshake_areAnswered() {
    run(() -> {
      try (HttpServer server =
              serving(exchange -> {
                var socket = exchange.webSocket();
                var _ = failing(socket::receive).join();
              });
          NettyChannel client = client(server)) {
        send(client, WebSocketCase.together(ascii(REQUEST), WebSocketCase.close(5_000, "")));
        assertEquals(List.of("close 1002"), frames(rest(client)));
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void client_endsItsDirectionBehindItsFrames_theyAreReceived() {
    run(() -> {
      try (HttpServer server = serving(exchange -> WebSocketContract.echo(exchange.webSocket()));
          NettyChannel client = client(server)) {
        send(client, WebSocketCase.together(ascii(REQUEST), FRAMES));
        var _ = ((DuplexChannel) client.channel()).shutdownOutput();
        assertEquals(4, frames(rest(client)).size());
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void request_behindOneThatIsNoWebSocket_isAnswered() {
    run(() -> {
      try (HttpServer server = serving(exchange -> WebSocketContract.echo(exchange.webSocket()));
          NettyChannel client = client(server)) {
        String get = "GET /no HTTP/1.1\r\n";
        send(client, ascii(get + HEADERS + "\r\n" + get + HEADERS + "\r\n" + REQUEST));
        send(client, FRAMES);
        String received = rest(client);
        assertEquals(2, received.split("HTTP/1.1 200 OK", -1).length - 1, received);
        List<String> frames = frames(received.substring(received.indexOf("HTTP/1.1 101 ")));
        assertEquals(4, frames.size());
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void client_sendsMuchBeforeTheAnswer_isHeldUp() {
    run(() -> {
      int bytes = 8 << 20;
      var goes = scheduler.newTask("goes on", () -> {});
      try (HttpServer server =
              serve(routes ->
                  routes
                      .options(each -> each.childOption(ChannelOption.SO_RCVBUF, 1 << 14))
                      .get(
                          "/",
                          exchange -> {
                            goes.join();
                            var socket = exchange.webSocket(LARGE);
                            int received = 0;
                            for (WebSocketMessage each; (each = socket.receive()) != null; ) {
                              received += ((WebSocketMessage.Binary) each).bytes().length;
                            }
                            assertEquals(bytes, received);
                          }));
          NettyChannel client = client(server)) {
        byte[] frame = WebSocketCase.frame(WebSocketCase.BINARY, new byte[1 << 20]);
        Task<?> sending =
            scheduler.spawn(
                "sending",
                () -> {
                  send(client, ascii(REQUEST));
                  for (int i = 0; i < 8; i++) {
                    send(client, frame);
                  }
                  send(client, WebSocketCase.close(1000, ""));
                });
        for (int i = 0; i < 1_000; i++) {
          scheduler.yield();
        }
        assertFalse(sending.isDone());
        assertTrue(scheduler.scheduleTask(goes));
        assertEquals(List.of("close 1000"), frames(rest(client)));
        sending.join();
        await(() -> server.connectionCount() == 0);
      }
    });
  }
}
