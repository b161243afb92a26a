package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpHandler;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.websocket.internal.PreparedFrame;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// WebSockets over loopback, the same handlers over each protocol.
abstract class WebSocketContract extends Http2Rig {

  static final Duration GRACE = Duration.ofSeconds(30);

  final HttpServer serving(HttpHandler handler) throws IOException {
    return serve(routes -> routes.get("/", handler));
  }

  static void echo(WebSocket socket) throws IOException {
    for (WebSocketMessage each; (each = socket.receive()) != null; ) {
      switch (each) {
        case WebSocketMessage.Text text -> socket.send(text.text());
        case WebSocketMessage.Binary binary -> socket.send(binary.bytes());
      }
    }
  }

  /// Notes the failure that it ends with.
  static void echo(HttpExchange exchange, WebSocketSettings settings, List<Throwable> failures)
      throws IOException {
    try {
      echo(exchange.webSocket(settings));
    } catch (Throwable e) {
      failures.add(e);
      throw e;
    }
  }

  /// {@return a client whose frames are received and sent as they are}
  ///
  /// @param subprotocols that it asks for; null for none
  abstract NettyChannel open(HttpServer server, String subprotocols) throws IOException;

  final NettyChannel open(HttpServer server) throws IOException {
    return open(server, null);
  }

  static String next(NettyChannel client) throws IOException {
    WebSocketFrame frame = client.receive(WebSocketFrame.class);
    if (frame == null) {
      return "end";
    }
    try {
      return switch (frame) {
        case TextWebSocketFrame text -> text.text();
        case BinaryWebSocketFrame binary -> binary.content().readableBytes() + " bytes";
        case CloseWebSocketFrame close -> "close " + close.statusCode() + close.reasonText();
        case PingWebSocketFrame ping -> "ping";
        case PongWebSocketFrame pong -> "pong " + pong.content().readableBytes();
        default -> frame.toString();
      };
    } finally {
      frame.release();
    }
  }

  @Test
  void messages_ofBothKinds_comeBack() {
    run(() -> {
      try (HttpServer server = serving(exchange -> echo(exchange.webSocket()));
          NettyChannel client = open(server)) {
        client.send(new TextWebSocketFrame("h\u00e4llo"));
        assertEquals("h\u00e4llo", next(client));
        client.send(new BinaryWebSocketFrame(bytes("12345")));
        assertEquals("5 bytes", next(client));
        client.send(new TextWebSocketFrame(false, 0, "frag"));
        client.send(new PingWebSocketFrame(bytes("abc")));
        client.send(new ContinuationWebSocketFrame(false, 0, "men"));
        client.send(new ContinuationWebSocketFrame(true, 0, "ts"));
        assertEquals("pong 3", next(client));
        assertEquals("fragments", next(client));
        client.send(new CloseWebSocketFrame(4001, "enough"));
        assertEquals("close 4001enough", next(client));
        assertEquals("end", next(client));
        await(() -> server.connectionCount() == 0);
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void close_byTheClient_endsReceiving() {
    run(() -> {
      var seen = new ArrayList<Object>();
      try (HttpServer server =
          serving(exchange -> {
            WebSocket socket = exchange.webSocket();
            seen.add(String.valueOf(socket.receive()));
            seen.add(socket.closeCode());
            seen.add(socket.closeReason());
          })) {
        for (var each :
            List.of(new CloseWebSocketFrame(4001, "enough"), new CloseWebSocketFrame())) {
          try (NettyChannel client = open(server)) {
            client.send(each);
            assertTrue(next(client).startsWith("close "));
            assertEquals("end", next(client));
          }
        }
        await(() -> server.connectionCount() == 0);
      }
      assertEquals(
          List.of("null", OptionalInt.of(4001), "enough", "null", OptionalInt.empty(), ""), seen);
    });
  }

  /// The client says goodbye behind its last messages, while another task answers them.
  @Test
  void close_byTheClientWhileAnotherTaskSends_cancelsBeforeItFails() {
    run(() -> {
      var failures = new ArrayList<Throwable>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                try {
                  var writing = new ArrayList<Task<?>>();
                  for (WebSocketMessage each; (each = socket.receive()) != null; ) {
                    String text = each.toString();
                    writing.add(scheduler.spawn("writer", () -> sendOne(socket, text, failures)));
                  }
                  writing.forEach(each -> each.cancel("goodbye"));
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
          NettyChannel client = open(server)) {
        client.write(new TextWebSocketFrame("a"));
        client.write(new TextWebSocketFrame("b"));
        client.send(new CloseWebSocketFrame(1000, "bye"));
        while (!next(client).equals("end")) {
          // some answers, and the close
        }
        await(() -> server.connectionCount() == 0 || server.requestCount() == 1);
      }
      assertEquals(List.of(), failures);
    });
  }

  private static Void sendOne(WebSocket socket, String text, List<Throwable> failures) {
    try {
      socket.send(text);
    } catch (IOException e) {
      failures.add(e);
    }
    return null;
  }

  @Test
  void send_afterTheClientHasClosed_saysWhoHas() {
    run(() -> {
      var failures = new ArrayList<Throwable>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                assertNull(socket.receive());
                IOException late = assertThrows(IOException.class, () -> socket.send("late"));
                failures.add(late);
                throw late;
              });
          NettyChannel client = open(server)) {
        client.send(new CloseWebSocketFrame(1000, "bye"));
        assertEquals("close 1000bye", next(client));
        assertEquals("end", next(client));
        await(() -> server.requestCount() == 1);
      }
      var failure = assertInstanceOf(ConnectionResetException.class, failures.getFirst());
      assertTrue(failure.getMessage().endsWith(": the peer has closed it"), failure::getMessage);
      // The handler has failed with it, and nothing was reported: the client was free to go.
    });
  }

  @Test
  void close_byTheHandler_isSaidToTheClient() {
    run(() -> {
      var failures = new ArrayList<Throwable>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                for (int code : new int[] {-1, 0, 999, 1004, 1005, 1015, 2999, 5000, 65_535}) {
                  assertThrows(IllegalArgumentException.class, () -> socket.close(code, ""));
                }
                socket.close(4002, "bye");
                socket.close();
                failures.add(assertThrows(IOException.class, socket::receive));
                failures.add(assertThrows(IOException.class, () -> socket.send("late")));
              });
          NettyChannel client = open(server)) {
        assertEquals("close 4002bye", next(client));
        client.send(new CloseWebSocketFrame(4002, ""));
        assertEquals("end", next(client));
        await(() -> server.connectionCount() == 0);
      }
      assertEquals(2, failures.size());
      failures.forEach(each -> assertInstanceOf(ChannelClosedException.class, each));
    });
  }

  @Test
  void client_goesWithoutClosing_isNoticedWithoutReceiving() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      try (HttpServer server =
          serving(exchange -> {
            WebSocket socket = exchange.webSocket();
            try {
              var _ = socket.receive();
            } catch (Throwable e) {
              ended.add(e);
              throw e;
            }
          })) {
        open(server).close();
        await(() -> ended.size() == 1 && server.connectionCount() == 0);
        assertInstanceOf(ConnectionResetException.class, ended.getFirst());
      }
    });
  }

  @Test
  void message_tooLong_endsTheSocket() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      try (HttpServer server =
          serving(exchange ->
              echo(
                  exchange, new WebSocketSettings(10, Duration.ofSeconds(30), List.of()), ended))) {
        try (NettyChannel client = open(server)) {
          client.send(new TextWebSocketFrame("0123456789"));
          assertEquals("0123456789", next(client));
          client.send(new TextWebSocketFrame("01234567890"));
          assertTrue(next(client).startsWith("close 1009"));
        }
        try (NettyChannel client = open(server)) {
          client.send(new TextWebSocketFrame(false, 0, "012345"));
          client.send(new ContinuationWebSocketFrame(true, 0, "678901"));
          assertTrue(next(client).startsWith("close 1009"));
        }
        await(() -> ended.size() == 2 && server.connectionCount() == 0);
        ended.forEach(each -> assertInstanceOf(ProtocolException.class, each));
      }
    });
  }

  @Test
  void text_thatIsNoUtf8_endsTheSocket() {
    byte[] umlaut = {(byte) 0xc3, (byte) 0xa4};
    run(() -> {
      var ended = new ArrayList<Throwable>();
      try (HttpServer server =
          serving(exchange -> echo(exchange, WebSocketSettings.USUAL, ended))) {
        try (NettyChannel client = open(server)) {
          client.send(new TextWebSocketFrame(false, 0, Unpooled.copiedBuffer(umlaut, 0, 1)));
          client.send(new PingWebSocketFrame());
          assertEquals("pong 0", next(client));
          client.send(new ContinuationWebSocketFrame(true, 0, Unpooled.copiedBuffer(umlaut, 1, 1)));
          assertEquals("\u00e4", next(client)); // a character in two fragments
          client.send(new BinaryWebSocketFrame(Unpooled.copiedBuffer(umlaut, 0, 1)));
          assertEquals("1 bytes", next(client));
          client.send(new TextWebSocketFrame(Unpooled.copiedBuffer(umlaut, 0, 1)));
          assertTrue(next(client).startsWith("close 1007"));
        }
        try (NettyChannel client = open(server)) {
          client.send(new TextWebSocketFrame(false, 0, Unpooled.copiedBuffer(umlaut, 0, 1)));
          client.send(new ContinuationWebSocketFrame(true, 0, Unpooled.copiedBuffer(umlaut, 0, 1)));
          assertTrue(next(client).startsWith("close 1007"));
        }
        await(() -> ended.size() == 2 && server.connectionCount() == 0);
        ended.forEach(each -> assertInstanceOf(ProtocolException.class, each));
      }
    });
  }

  @Test
  void frame_thatBreaksTheProtocol_isAnsweredWithItsStatus() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      try (HttpServer server =
          serving(exchange -> echo(exchange, WebSocketSettings.USUAL, ended))) {
        try (NettyChannel client = open(server)) {
          client.send(new ContinuationWebSocketFrame(true, 0, "without a beginning"));
          assertTrue(next(client).startsWith("close 1002"));
          assertEquals("end", next(client));
        }
        await(() -> ended.size() == 1 && server.connectionCount() == 0);
        assertInstanceOf(ProtocolException.class, ended.getFirst());
      }
    });
  }

  @Test
  void subprotocol_bothSpeak_isChosen() {
    run(() -> {
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket =
                    exchange.webSocket(
                        new WebSocketSettings(10, Duration.ofSeconds(30), List.of("b", "c")));
                socket.send(String.valueOf(socket.subprotocol()));
              });
          NettyChannel client = open(server, "a,c")) {
        assertEquals("c", next(client));
        assertTrue(next(client).startsWith("close 1000"));
      }
    });
  }

  @Test
  void sender_clientDoesNotRead_waits() {
    run(() -> {
      int count = 200;
      var sent = new int[1];
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                for (int i = 0; i < count; i++) {
                  socket.send(new byte[100_000]);
                  sent[0]++;
                }
              });
          NettyChannel client = open(server)) {
        int before;
        do {
          before = sent[0];
          settle();
        } while (sent[0] > before);
        assertTrue(sent[0] < count, () -> sent[0] + " of 20 MB went nowhere");
        for (int i = 0; i < count; i++) {
          assertEquals("100000 bytes", next(client));
        }
      }
    });
  }

  @Test
  void trySend_clientDoesNotRead_doesNotSend() {
    run(() -> {
      var sent = new ArrayList<Boolean>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                String text = "x".repeat(1 << 16);
                while (socket.trySend(text)) {
                  sent.add(true);
                  scheduler.yield();
                }
                sent.add(false);
                var _ = socket.receive();
                sent.add(socket.trySend("again"));
                socket.close();
                sent.add(socket.trySend("late"));
              });
          NettyChannel client = open(server)) {
        await(() -> sent.contains(false));
        for (int i = 1; i < sent.size(); i++) {
          assertEquals(1 << 16, next(client).length());
        }
        int before = sent.size();
        client.send(new TextWebSocketFrame("read"));
        assertEquals("again", next(client));
        assertTrue(next(client).startsWith("close 1000"));
        client.send(new CloseWebSocketFrame(1000, ""));
        await(() -> sent.size() == before + 2);
        assertEquals(List.of(true, false), sent.subList(before, before + 2));
      }
    });
  }

  /// Nothing may follow a close.
  @Test
  void trySend_afterTheClientHasClosed_doesNotSend() {
    run(() -> {
      var sent = new ArrayList<Boolean>();
      try (HttpServer server =
              serving(exchange -> {
                try (WebSocket socket = exchange.webSocket()) {
                  assertNull(socket.receive());
                  sent.add(socket.trySend("late"));
                  await(() -> sent.size() > 1);
                }
              });
          NettyChannel client = open(server)) {
        client.send(new CloseWebSocketFrame(1000, ""));
        assertTrue(next(client).startsWith("close 1000"));
        await(() -> !sent.isEmpty());
        assertEquals(List.of(false), sent);
        sent.add(true);
        assertNull(client.receive());
      }
    });
  }

  // Messages for many sockets.

  /// A room: what a handler does with the sockets of all clients.
  interface Talk {
    void to(List<WebSocket> sockets) throws Exception;
  }

  /// Opens sockets, and has a task talk to them; ends when that and the rest have.
  final void inRoom(int count, Talk talk, Talking clients) {
    run(() -> {
      var sockets = new ArrayList<WebSocket>();
      try (HttpServer server =
          serving(exchange -> {
            WebSocket own = exchange.webSocket();
            sockets.add(own);
            while (own.receive() != null) {
              // until the client closes it
            }
          })) {
        var ends = new ArrayList<NettyChannel>();
        for (int i = 0; i < count; i++) {
          ends.add(open(server));
        }
        await(() -> sockets.size() == count);
        Task<?> talking =
            scheduler.spawn(
                "talk",
                () -> {
                  talk.to(sockets);
                  return null;
                });
        clients.talk(ends, talking);
        ends.forEach(NettyChannel::close);
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  interface Talking {
    void talk(List<NettyChannel> clients, Task<?> talk) throws Exception;
  }

  @Test
  void preparedMessages_ofAnyLength_reachAllSockets() {
    List<Integer> lengths = List.of(0, 1, 125, 126, 65_535, 65_536, 200_000);
    inRoom(
        2,
        sockets -> {
          for (int length : lengths) {
            try (PreparedMessage text = PreparedFrame.text(allocator, "x".repeat(length));
                PreparedMessage bytes = PreparedFrame.binary(allocator, new byte[length])) {
              for (WebSocket each : sockets) {
                each.send(text);
                each.send(bytes);
              }
            }
          }
          try (PreparedMessage text = PreparedFrame.text(allocator, "h\u00e4ll\ud83d\ude00")) {
            for (WebSocket each : sockets) {
              assertTrue(each.trySend(text));
            }
          }
        },
        (clients, talk) -> {
          for (int length : lengths) {
            for (NettyChannel each : clients) {
              assertEquals("x".repeat(length), next(each));
              assertEquals(length + " bytes", next(each));
            }
          }
          for (NettyChannel each : clients) {
            assertEquals("h\u00e4ll\ud83d\ude00", next(each));
          }
          var _ = talk.join();
        });
  }

  @Test
  void preparedMessage_senderIsCancelled_isReleased() {
    int length = 1 << 16;
    inRoom(
        1,
        sockets -> {
          try (PreparedMessage text = PreparedFrame.text(allocator, "x".repeat(length))) {
            while (true) {
              sockets.getFirst().send(text);
              scheduler.yield();
            }
          }
        },
        (clients, talk) -> {
          settle();
          boolean _ = talk.cancel("enough");
          assertEquals("x".repeat(length), next(clients.getFirst()));
        });
  }

  @Test
  void preparedMessage_closedTwice_reachesItsSocketAndNoOther() {
    inRoom(
        1,
        sockets -> {
          WebSocket socket = sockets.getFirst();
          PreparedMessage text = PreparedFrame.text(allocator, "x".repeat(100));
          assertTrue(socket.trySend(text));
          text.close();
          text.close();
          var late = assertThrows(IllegalStateException.class, () -> socket.send(text));
          assertEquals("the message is closed; required: open", late.getMessage());
          late = assertThrows(IllegalStateException.class, () -> socket.trySend(text));
          assertEquals("the message is closed; required: open", late.getMessage());
        },
        (clients, talk) -> {
          assertEquals("x".repeat(100), next(clients.getFirst()));
          var _ = talk.join();
        });
  }

  /// The system takes a part of the last one only.
  @Test
  void preparedMessage_clientReadsLate_arrivesWhole() {
    String text = "x".repeat(1 << 16);
    var sent = new int[1];
    inRoom(
        1,
        sockets -> {
          try (PreparedMessage message = PreparedFrame.text(allocator, text)) {
            while (sockets.getFirst().trySend(message)) {
              sent[0]++;
              scheduler.yield();
            }
          }
        },
        (clients, talk) -> {
          var _ = talk.join();
          for (int i = 0; i < sent[0]; i++) {
            assertEquals(text, next(clients.getFirst()));
          }
        });
    assertTrue(sent[0] > 0);
  }

  @Test
  void preparedMessage_clientHasGone_isNotSentAtLast() {
    inRoom(
        1,
        sockets -> {
          try (PreparedMessage message = PreparedFrame.text(allocator, "late")) {
            await(() -> !sockets.getFirst().trySend(message));
          }
        },
        (clients, talk) -> {
          clients.getFirst().close();
          var _ = talk.join();
        });
  }

  @Test
  void preparedMessage_behindATextThatWaits_arrivesBehindIt() {
    String text = "x".repeat(1 << 16);
    var counts = new ArrayList<Integer>();
    inRoom(
        1,
        sockets -> {
          WebSocket socket = sockets.getFirst();
          int sent = 0;
          while (socket.trySend(text)) {
            sent++;
            scheduler.yield();
          }
          counts.add(sent);
          try (PreparedMessage message = PreparedFrame.text(allocator, "behind")) {
            await(() -> socket.trySend(message));
          }
        },
        (clients, talk) -> {
          await(() -> !counts.isEmpty());
          for (int i = 0; i < counts.getFirst(); i++) {
            assertEquals(text, next(clients.getFirst()));
          }
          assertEquals("behind", next(clients.getFirst()));
          var _ = talk.join();
        });
  }

  @Test
  void preparedMessage_socketIsClosed_isNotSent() {
    inRoom(
        1,
        sockets -> {
          WebSocket socket = sockets.getFirst();
          socket.close();
          try (PreparedMessage text = PreparedFrame.text(allocator, "late")) {
            assertFalse(socket.trySend(text));
            assertThrows(ChannelClosedException.class, () -> socket.send(text));
          }
        },
        (clients, talk) -> {
          assertTrue(next(clients.getFirst()).startsWith("close 1000"));
          clients.getFirst().send(new CloseWebSocketFrame(1000, ""));
          var _ = talk.join();
        });
  }

  @Test
  void shutdown_openSockets_areAskedToClose() {
    run(() -> {
      try (HttpServer server = serving(exchange -> echo(exchange.webSocket()));
          NettyChannel client = open(server)) {
        client.send(new TextWebSocketFrame("a"));
        assertEquals("a", next(client));
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        assertTrue(next(client).startsWith("close 1001"));
        assertFalse(draining.isDone());
        client.send(new CloseWebSocketFrame(1001, ""));
        assertTrue(draining.join());
        assertNull(client.receive());
      }
    });
  }

  /// RFC 6455, 5.5.1: no message follows a close.
  @Test
  void send_afterTheServerHasAskedToClose_failsAndSendsNothing() {
    run(() -> {
      var handlers = new ArrayList<Task<?>>();
      var failures = new ArrayList<IOException>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                handlers.add(scheduler.currentTask());
                socket.send("early");
                var _ = scheduler.suspend();
                try {
                  socket.send("late");
                } catch (IOException e) {
                  failures.add(e);
                  throw e;
                }
              });
          NettyChannel client = open(server)) {
        assertEquals("early", next(client));
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        assertTrue(next(client).startsWith("close 1001"));
        assertTrue(scheduler.scheduleTask(handlers.getFirst()));
        assertEquals("end", next(client));
        assertTrue(draining.join());
        assertInstanceOf(ChannelClosedException.class, failures.getFirst());
      }
    });
  }

  @Test
  void array_received_isTheSenders() {
    run(() -> {
      var seen = new ArrayList<byte[]>();
      try (HttpServer server =
              serving(exchange ->
                  seen.add(((WebSocketMessage.Binary) exchange.webSocket().receive()).bytes()));
          NettyChannel client = open(server)) {
        client.send(new BinaryWebSocketFrame(bytes("abc")));
        await(() -> seen.size() == 1);
        assertArrayEquals(new byte[] {'a', 'b', 'c'}, seen.getFirst());
      }
    });
  }
}
