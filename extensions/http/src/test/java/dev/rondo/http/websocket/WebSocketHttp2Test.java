package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.server.HttpAccess;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// WebSockets over HTTP/2, RFC 8441, with a client of Netty's codecs.
final class WebSocketHttp2Test extends WebSocketContract {

  private static final String PROTOCOL = Http2Headers.PseudoHeaderName.PROTOCOL.value().toString();

  /// Frames of data carry bytes; heads are messages as they are.
  private static final class Bytes extends ChannelDuplexHandler {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2DataFrame data) {
        boolean last = data.isEndStream();
        context.fireChannelRead(data.content());
        if (last) {
          context.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
      } else {
        context.fireChannelRead(message);
      }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      context.write(
          message instanceof ByteBuf bytes ? new DefaultHttp2DataFrame(bytes) : message, promise);
    }
  }

  private static void addFrames(Channel stream) {
    var config =
        WebSocketDecoderConfig.newBuilder()
            .expectMaskedFrames(false)
            .maxFramePayloadLength(1 << 20)
            .withUTF8Validator(false)
            .build();
    stream
        .pipeline()
        .addLast(
            new Bytes(), new WebSocket13FrameDecoder(config), new WebSocket13FrameEncoder(true));
  }

  /// The head that a browser sends.
  private static Http2Headers head() {
    var head = new DefaultHttp2Headers(false).method("CONNECT").scheme("http").path("/");
    head.authority("a").set(PROTOCOL, "websocket");
    return head.set("sec-websocket-version", "13");
  }

  private static Http2Request ask(Http2Client client, Http2Headers head, boolean end)
      throws IOException {
    return ask(client, head, end, WebSocketHttp2Test::addFrames);
  }

  private static Http2Request ask(
      Http2Client client, Http2Headers head, boolean end, Consumer<Channel> pipeline)
      throws IOException {
    Http2Request request = client.open(pipeline);
    try {
      request.channel.send(new DefaultHttp2HeadersFrame(head, end));
      return request;
    } catch (IOException | RuntimeException e) {
      request.close();
      throw e;
    }
  }

  private static Http2Headers answer(Http2Request request) throws IOException {
    Http2HeadersFrame answer = request.channel.receive(Http2HeadersFrame.class);
    assertNotNull(answer, "the end");
    return answer.headers();
  }

  private static Http2Request open(Http2Client client) throws IOException {
    Http2Request request = ask(client, head(), false);
    assertEquals("200", answer(request).status().toString());
    return request;
  }

  /// A connection for each socket, which is closed with it.
  @Override
  NettyChannel open(HttpServer server, String subprotocols) throws IOException {
    var client = new Http2Client(server);
    Http2Headers head = head();
    if (subprotocols != null) {
      head.set("sec-websocket-protocol", subprotocols);
    }
    return opened(client, ask(client, head, false));
  }

  /// {@return a socket whose frames are bytes; the connection is closed with it}
  static NettyChannel openBytes(Http2Client client) throws IOException {
    return opened(
        client, ask(client, head(), false, stream -> stream.pipeline().addLast(new Bytes())));
  }

  private static NettyChannel opened(Http2Client client, Http2Request request) throws IOException {
    request
        .channel
        .channel()
        .closeFuture()
        .addListener((ChannelFutureListener) done -> client.connection.channel().close());
    assertEquals("200", answer(request).status().toString());
    return request.channel;
  }

  // The handshake.

  @Test
  void settings_allowTheExtendedConnect() {
    run(() -> {
      try (HttpServer server = serving(exchange -> echo(exchange.webSocket()));
          var client = new Http2Client(server);
          Http2Request request = open(client)) {
        assertTrue(client.connectsProtocols);
        request.channel.send(new TextWebSocketFrame("a"));
        assertEquals("a", next(request.channel));
      }
    });
  }

  @Test
  void exchange_ofASocket_isThatOfHttp11() {
    var log = new ArrayList<HttpAccess>();
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .accessLog(log::add)
                      .get(
                          "/{name}",
                          exchange -> {
                            exchange.responseHeaders().set("x-one", "1");
                            WebSocket socket = exchange.webSocket();
                            socket.send(
                                exchange.method()
                                    + exchange.pathParameter("name")
                                    + exchange.query("q")
                                    + exchange.headers().get("x-two"));
                          }));
          var client = new Http2Client(server);
          Http2Request request =
              ask(client, head().path("/room?q=%C3%A4").set("x-two", "2"), false)) {
        Http2Headers answer = answer(request);
        assertEquals("1", answer.get("x-one").toString());
        assertTrue(answer.contains("date"));
        assertFalse(answer.contains("content-length"));
        assertEquals("GETroom\u00e42", next(request.channel));
        assertEquals("close 1000", next(request.channel));
        request.channel.send(new CloseWebSocketFrame(1000, ""));
        assertEquals("end", next(request.channel));
        await(() -> log.size() == 1);
      }
    });
    HttpAccess access = log.getFirst();
    assertEquals("HTTP/2", access.protocol());
    assertEquals(200, access.status());
    assertTrue(access.complete());
    assertFalse(access.firstByte().isNegative(), access::toString);
    assertTrue(access.firstByte().compareTo(access.taken()) <= 0, access::toString);
  }

  /// @param status with which it is refused; 0 for a reset because it is malformed
  private record Refused(String why, int status, Http2Headers head) {}

  @Test
  void connect_thatIsNotForASocketHere_isRefused() {
    var refused =
        List.of(
            new Refused("another protocol", 501, head().set(PROTOCOL, "connect-udp")),
            new Refused(
                "a tunnel to another host",
                501,
                new DefaultHttp2Headers(false).method("CONNECT").authority("b:443")),
            new Refused("another version", 426, head().set("sec-websocket-version", "8")),
            new Refused("a page that is no socket", 405, head().path("/page")),
            new Refused("no such page", 404, head().path("/a/b")),
            new Refused("no host", 400, without(":authority")),
            new Refused("no scheme", 0, without(":scheme")),
            new Refused("no path", 0, without(":path")),
            new Refused("a protocol without CONNECT", 0, head().method("GET")),
            new Refused("CONNECT with a path", 0, without(PROTOCOL)));
    run(() -> {
      var handled = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get(
                          "/",
                          exchange -> {
                            handled[0]++;
                            echo(exchange.webSocket());
                          })
                      .get("/page", exchange -> exchange.respondText("hello")));
          var client = new Http2Client(server)) {
        for (Refused each : refused) {
          try (Http2Request request = ask(client, each.head(), false)) {
            if (each.status() > 0) {
              Http2Headers answer = answer(request);
              assertEquals(each.status() + "", answer.status().toString(), each.why());
              if (each.status() == 426) {
                assertEquals("13", answer.get("sec-websocket-version").toString());
              }
            }
            await(() -> request.reset >= 0);
            Http2Error code = each.status() > 0 ? Http2Error.NO_ERROR : Http2Error.PROTOCOL_ERROR;
            assertEquals(code.code(), request.reset, each.why());
          }
        }
        assertEquals(1, handled[0]); // that of the other version
        try (Http2Request request = open(client)) {
          request.channel.send(new TextWebSocketFrame("still there"));
          assertEquals("still there", next(request.channel));
        }
        assertEquals(1, server.connectionCount());
      }
    });
  }

  private static Http2Headers without(String name) {
    Http2Headers head = head();
    assertTrue(head.remove(name), name);
    return head;
  }

  @Test
  void page_thatIsNoSocket_canBeAskedForOtherwise() {
    run(() -> {
      try (HttpServer server = serving(exchange -> exchange.respondText("hello"));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        assertEquals("200 hello", request.response());
      }
    });
  }

  @Test
  void frames_thatComeBeforeTheAnswer_areKept() {
    run(() -> {
      Promise<String> gate = netty.group().next().newPromise();
      var begun = new int[1];
      try (HttpServer server =
              serving(exchange -> {
                begun[0]++;
                netty.await(gate);
                echo(exchange.webSocket());
              });
          var client = new Http2Client(server);
          Http2Request early = ask(client, head(), false);
          Http2Request gone = ask(client, head(), false)) {
        early.channel.send(new TextWebSocketFrame("one"));
        early.channel.send(new TextWebSocketFrame("two"));
        gone.channel.send(new TextWebSocketFrame("lost"));
        await(() -> begun[0] == 2);
        gone.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        await(() -> server.requestCount() == 1);
        gate.setSuccess("now");
        assertEquals("200", answer(early).status().toString());
        assertEquals("one", next(early.channel));
        assertEquals("two", next(early.channel));
      }
    });
  }

  // The end.

  @Test
  void close_inOrder_endsTheStreamWithoutAnError() {
    run(() -> {
      try (HttpServer server = serving(exchange -> echo(exchange.webSocket()));
          var client = new Http2Client(server)) {
        try (Http2Request request = open(client)) {
          request.channel.send(new CloseWebSocketFrame(1000, "done"));
          assertEquals("close 1000done", next(request.channel));
          assertEquals("end", next(request.channel));
          await(() -> request.reset >= 0);
          assertEquals(Http2Error.NO_ERROR.code(), request.reset);
        }
        try (Http2Request request = open(client)) {
          request.channel.send(new CloseWebSocketFrame(1000, "done"));
          request.channel.send(new DefaultHttp2DataFrame(true));
          assertEquals("close 1000done", next(request.channel));
          assertEquals("end", next(request.channel));
          await(() -> server.requestCount() == 2 && !request.channel.channel().isOpen());
          assertEquals(-1, request.reset);
        }
        assertEquals(1, server.connectionCount());
      }
    });
  }

  @Test
  void stream_endedWithoutClose_isAClientThatHasGone() {
    run(() -> {
      var failures = new ArrayList<Throwable>();
      try (HttpServer server =
              serving(
                  exchange -> failures.add(failing(() -> exchange.webSocket().receive()).join()));
          var client = new Http2Client(server);
          Http2Request request = ask(client, head(), true)) {
        assertEquals("200", answer(request).status().toString());
        await(() -> failures.size() == 1);
      }
      assertInstanceOf(ConnectionResetException.class, failures.getFirst());
    });
  }

  @Test
  void reset_byTheClient_wakesTheHandlerWhereverItWaits() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      var begun = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/{where}",
                      exchange -> {
                        WebSocket socket = exchange.webSocket();
                        begun[0]++;
                        try {
                          if (exchange.pathParameter("where").equals("here")) {
                            var _ = socket.receive();
                          } else {
                            var _ = scheduler.suspend();
                          }
                        } catch (Throwable e) {
                          ended.add(e);
                          throw e;
                        }
                      }));
          var client = new Http2Client(server)) {
        for (String path : List.of("/here", "/elsewhere")) {
          int before = begun[0];
          try (Http2Request request = ask(client, head().path(path), false)) {
            await(() -> begun[0] > before);
            settle();
            request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            await(() -> ended.size() > before);
          }
        }
        assertInstanceOf(ConnectionResetException.class, ended.getFirst());
        assertInstanceOf(TaskCancelled.class, ended.getLast());
        assertEquals(1, server.connectionCount());
      }
    });
  }

  /// The channel of a stream says that there is room after its end, too.
  @Test
  void trySend_afterAReset_doesNotSend() {
    run(() -> {
      var sent = new ArrayList<Boolean>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        WebSocket socket = exchange.webSocket();
                        sent.add(socket.trySend("soon"));
                        try {
                          var _ = socket.receive();
                        } finally {
                          sent.add(socket.trySend("late"));
                        }
                      }));
          var client = new Http2Client(server);
          Http2Request request = ask(client, head(), false)) {
        await(() -> !sent.isEmpty());
        request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        await(() -> sent.size() > 1);
        assertEquals(List.of(true, false), sent);
      }
    });
  }

  /// What the handler does after the last message is its own affair.
  @Test
  void reset_afterTheClose_leavesTheHandlerAlone() {
    run(() -> {
      Promise<String> gate = netty.group().next().newPromise();
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serving(exchange -> {
                WebSocket socket = exchange.webSocket();
                assertNull(socket.receive());
                seen.add("closed");
                seen.add(netty.await(gate));
              });
          var client = new Http2Client(server);
          Http2Request request = open(client)) {
        request.channel.send(new CloseWebSocketFrame(1000, ""));
        assertEquals("close 1000", next(request.channel));
        await(() -> seen.size() == 1);
        request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        try (Http2Request other = open(client)) { // the server has read the reset
          other.channel.close();
        }
        gate.setSuccess("saved");
        await(() -> seen.size() == 2);
        assertEquals("saved", seen.getLast());
      }
    });
  }

  @Test
  void trailers_breakTheProtocol() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      try (HttpServer server =
              serving(exchange -> ended.add(failing(() -> exchange.webSocket().receive()).join()));
          var client = new Http2Client(server);
          Http2Request request = open(client)) {
        request.channel.send(
            new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().set("x", "y"), true));
        await(() -> request.reset >= 0 && ended.size() == 1);
        assertEquals(Http2Error.PROTOCOL_ERROR.code(), request.reset);
        assertInstanceOf(ConnectionResetException.class, ended.getFirst());
      }
    });
  }

  @Test
  void handler_thatFails_resetsTheStream() {
    run(() -> {
      try (HttpServer server =
              serving(exchange -> {
                exchange.webSocket().send("one");
                throw new IllegalStateException("midway");
              });
          var client = new Http2Client(server);
          Http2Request request = open(client)) {
        assertEquals("one", next(request.channel));
        await(() -> request.reset >= 0);
        assertEquals(Http2Error.INTERNAL_ERROR.code(), request.reset);
      }
    });
    assertEquals(1, takeFailures().size());
  }

  @Test
  void shutdown_allSocketsOfAConnection_areAskedToClose() {
    run(() -> {
      Promise<String> gate = netty.group().next().newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/", exchange -> echo(exchange.webSocket()))
                      .get(
                          "/later",
                          exchange -> {
                            netty.await(gate);
                            echo(exchange.webSocket());
                          }));
          var client = new Http2Client(server)) {
        Http2Request ended = open(client);
        var requests =
            new ArrayList<>(
                List.of(open(client), open(client), ask(client, head().path("/later"), false)));
        for (Http2Request each : List.of(ended, requests.removeFirst())) { // the first ones, then
          each.channel.send(new CloseWebSocketFrame(1000, ""));
          assertTrue(next(each.channel).startsWith("close 1000"));
          assertEquals("end", next(each.channel));
        }
        try (Http2Request fence = client.get("/none")) {
          assertEquals("404 there is no such page\n", fence.response());
        }
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        await(() -> !client.goneAway.isEmpty());
        gate.setSuccess("now");
        assertEquals("200", answer(requests.getLast()).status().toString());
        for (Http2Request each : requests) {
          assertTrue(next(each.channel).startsWith("close 1001"));
          assertFalse(draining.isDone());
          each.channel.send(new CloseWebSocketFrame(1001, ""));
          assertEquals("end", next(each.channel));
        }
        assertTrue(draining.join());
        await(() -> server.connectionCount() == 0); // the last may linger for a second
      }
    });
  }

  // Back-pressure.

  @Test
  void client_thatSendsMoreThanTheHandlerReceives_waitsAndOthersDoNot() {
    int count = 30;
    run(() -> {
      Promise<String> gate = netty.group().next().newPromise();
      var received = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/", exchange -> echo(exchange.webSocket()))
                      .get(
                          "/later",
                          exchange -> {
                            WebSocket socket = exchange.webSocket();
                            netty.await(gate);
                            while (socket.receive() != null) {
                              received[0]++;
                            }
                          }));
          var client = new Http2Client(server);
          Http2Request later = ask(client, head().path("/later"), false);
          Http2Request soon = open(client)) {
        assertEquals("200", answer(later).status().toString());
        var sent = new int[1];
        Task<Void> sending =
            scheduler.spawn(
                "upload",
                () -> {
                  for (int i = 0; i < count; i++) {
                    later.channel.send(new TextWebSocketFrame("x".repeat(10_000)));
                    sent[0]++;
                  }
                });
        for (int i = 0; i < 2 * count; i++) {
          soon.channel.send(new TextWebSocketFrame("ping " + i));
          assertEquals("ping " + i, next(soon.channel));
        }
        assertTrue(sent[0] < 20, () -> sent[0] + " messages of 10 kB went nowhere");
        gate.setSuccess("now");
        sending.join();
        later.channel.send(new CloseWebSocketFrame(1000, ""));
        assertEquals("close 1000", next(later.channel));
        assertEquals(count, received[0]);
      }
    });
  }
}
