package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The limits of time of a server, under virtual time.
final class HttpTimesTest extends SimulatedRig {

  private static final HttpLimits LIMITS =
      HttpLimits.USUAL.withTimes(
          Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(5));

  /// The task of the last request for zeros.
  private Task<?> answering;

  private HttpServer serve() throws IOException {
    return serve(LIMITS);
  }

  private HttpServer serve(HttpLimits limits) throws IOException {
    return HttpServer.builder(scheduler)
        .limits(limits)
        .compression(HttpCompression.USUAL)
        .get("/", exchange -> exchange.respondText("hello"))
        .post("/", exchange -> exchange.respondText(exchange.bodyText()))
        .get(
            "/large",
            exchange -> exchange.respond(HttpResponseStatus.OK, "a/b", new byte[50_000_000]))
        .get(
            "/zeros/{bytes}",
            exchange -> {
              answering = scheduler.currentTask();
              OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
              out.write(new byte[4_000]);
              out.flush(); // with whole parts only, the buffers would be full behind a part
              out.write(new byte[Integer.parseInt(exchange.pathParameter("bytes")) - 4_000]);
            })
        .get(
            "/half",
            exchange -> {
              OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
              out.write('x');
              out.flush();
              var _ = scheduler.suspend();
            })
        .get(
            "/socket",
            exchange -> {
              var settings = new WebSocketSettings(10, Duration.ofSeconds(10), List.of());
              var _ = exchange.webSocket(settings).receive();
            })
        .get(
            "/events",
            exchange -> {
              try (ServerSentEvents events = exchange.events(Duration.ofSeconds(10))) {
                events.send("one\ntwo");
                WaitForTime.on(scheduler).sleep(Duration.ofSeconds(25));
                events.send("named", "7", "three");
              }
            })
        .listen(ADDRESS);
  }

  private NettyChannel client() throws IOException {
    return netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
  }

  private static void send(NettyChannel client, String text) throws IOException {
    client.send(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  private long seconds(TaskAction<?> action) throws Exception {
    Duration before = clock.elapsed();
    action.run();
    return clock.elapsed().minus(before).toSeconds();
  }

  @Test
  void times_forEver_endNoConnection() {
    run(() -> {
      var forEver = Duration.ofSeconds(Long.MAX_VALUE);
      try (HttpServer server = serve(HttpLimits.USUAL.withTimes(forEver, forEver, forEver));
          NettyChannel client = client()) {
        for (int i = 0; i < 2; i++) {
          WaitForTime.on(scheduler).sleep(Duration.ofDays(1));
          send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
          assertTrue(received(client).contains("hello"));
        }
        assertEquals(1, server.connectionCount());
      }
    });
  }

  /// Without descriptors the system refuses one connection after the other.
  @Test
  void accept_refusedAgainAndAgain_isReportedOnceAMinuteWithACount() {
    run(() -> {
      var listening = new ArrayList<Channel>();
      try (HttpServer server =
          HttpServer.builder(scheduler)
              .options(bootstrap -> {
                var _ =
                    bootstrap.handler(
                        new ChannelInitializer<>() {
                          @Override
                          protected void initChannel(Channel made) {
                            listening.add(made);
                          }
                        });
              })
              .get("/", exchange -> exchange.respondText("hello"))
              .listen(ADDRESS)) {
        Channel own = listening.getFirst();
        for (int i = 0; i < 100; i++) {
          own.eventLoop()
              .execute(() -> {
                var _ = own.pipeline().fireExceptionCaught(new IOException("too many files"));
              });
          WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
        }
        assertEquals(
            List.of("too many files", "60 times since the last report: too many files"),
            takeFailures().stream().map(Throwable::getMessage).toList());
        try (NettyChannel client = client()) {
          send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
          assertTrue(received(client).contains("hello"));
        }
        assertEquals(1, server.requestCount());
      }
    });
  }

  /// A listener whose accepts fail for a while.
  @Test
  void accept_fails_isTriedAgainAfterATenthOfASecond() {
    run(() -> {
      int[] left = {50};
      var refusing =
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext context) {
              if (left[0] == 0) {
                var _ = context.read();
              } else {
                left[0]--;
                context
                    .executor()
                    .execute(() ->
                        context.pipeline().fireExceptionCaught(new IOException("too many files")));
              }
            }
          };
      try (HttpServer server =
              HttpServer.builder(scheduler)
                  .options(bootstrap -> {
                    var _ = bootstrap.handler(refusing);
                  })
                  .get("/", exchange -> exchange.respondText("hello"))
                  .listen(ADDRESS);
          NettyChannel client = client()) {
        long begin = scheduler.host().nowNanos();
        send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(received(client).contains("hello"));
        long nanos = scheduler.host().nowNanos() - begin;
        assertTrue(nanos >= Duration.ofMillis(4_900).toNanos(), "nanos=" + nanos);
        assertEquals(1, takeFailures().size(), "reports");
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void comments_clientHasGone_theTaskIsCancelled() {
    var cancelled = new ArrayList<Throwable>();
    run(() -> {
      try (HttpServer server =
          HttpServer.builder(scheduler)
              .get(
                  "/events",
                  exchange -> {
                    try (ServerSentEvents _ = exchange.events(Duration.ofSeconds(10))) {
                      var _ = scheduler.suspend();
                    } catch (TaskCancelled e) {
                      cancelled.add(e);
                      throw e;
                    }
                  })
              .listen(ADDRESS)) {
        try (NettyChannel client = client()) {
          send(client, "GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
          var _ = HttpRig.until(client, "\r\n\r\n");
        }
        WaitForTime.on(scheduler).sleep(Duration.ofMinutes(1));
        assertEquals(0, server.connectionCount());
        assertEquals(1, cancelled.size());
      }
    });
  }

  /// A client that sends a request just then learns that it may send it again.
  @Test
  void shutdown_idleConnectionOfHttp2_leavesTheClientSomeTime() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client =
              netty.connect(
                  ADDRESS,
                  NettyRig.handlers(made ->
                      made.pipeline().addLast(Http2FrameCodecBuilder.forClient().build())))) {
        awaitFrame(client, Http2SettingsFrame.class);
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
        long since = scheduler.host().nowNanos();
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(Duration.ofSeconds(20)));
        awaitFrame(client, Http2GoAwayFrame.class);
        assertEquals(1, server.connectionCount());
        assertTrue(draining.join());
        // a second to learn of it, and one to end its direction
        assertEquals(2, TimeUnit.NANOSECONDS.toSeconds(scheduler.host().nowNanos() - since));
      }
    });
  }

  /// The server answers such a request. Were it refused, its body would end the connection, and the
  /// client would lose what it has not read yet.
  @Test
  void shutdown_whileARequestOfHttp2IsUnderWay_leavesTheClientSomeTime() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(made -> {}))) {
        client.send(Http2CodecUtil.connectionPrefaceBuf());
        client.send(frame("000000 04 00 00000000")); // settings
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
        long since = scheduler.host().nowNanos();
        String head = "00000a 01 04 00000001 83 86 84 41 01 61 0f 0d 01 31"; // POST / of 1 byte
        var _ = client.channel().writeAndFlush(frame(head + "000001 00 01 00000001 78"));
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(Duration.ofSeconds(20)));
        leaveAtTheEnd(client); // the server had not read the request
        assertTrue(draining.join());
        assertEquals(1, TimeUnit.NANOSECONDS.toSeconds(scheduler.host().nowNanos() - since));
      }
    });
  }

  private static ByteBuf frame(String hex) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static void leaveAtTheEnd(NettyChannel client) throws IOException {
    for (Object part; (part = client.receive()) != null; ) {
      ReferenceCountUtil.release(part);
    }
    client.close();
  }

  private static void awaitFrame(NettyChannel client, Class<?> type) throws IOException {
    Object frame;
    do {
      frame = client.receive();
      assertNotNull(frame, "the end");
      ReferenceCountUtil.release(frame);
    } while (!type.isInstance(frame));
  }

  @Test
  void pingsAndComments_forEver_neverCome() {
    var forEver = Duration.ofSeconds(Long.MAX_VALUE);
    run(() -> {
      try (HttpServer server =
              HttpServer.builder(scheduler)
                  .get(
                      "/socket",
                      exchange -> {
                        var settings = new WebSocketSettings(10, forEver, List.of());
                        var _ = exchange.webSocket(settings).receive();
                      })
                  .get(
                      "/events",
                      exchange -> {
                        try (ServerSentEvents events = exchange.events(forEver)) {
                          WaitForTime.on(scheduler).sleep(Duration.ofDays(1));
                          events.send("one");
                        }
                      })
                  .listen(ADDRESS);
          NettyChannel socket = client()) {
        send(socket, HttpRig.UPGRADE);
        assertTrue(HttpRig.until(socket, "\r\n\r\n").startsWith("HTTP/1.1 101 "));
        try (NettyChannel events = client()) {
          send(events, "GET /events HTTP/1.0\r\n\r\n");
          assertTrue(HttpRig.rest(events).endsWith("\r\n\r\ndata: one\n\n"));
        }
        assertNull(ChannelControl.of(socket).tryReceive());
        pause();
        assertEquals(1, server.connectionCount());
      }
    });
  }

  private static String received(NettyChannel client) throws IOException {
    ByteBuf bytes = client.receive(ByteBuf.class);
    try {
      return bytes == null ? "" : bytes.toString(StandardCharsets.ISO_8859_1);
    } finally {
      ReferenceCountUtil.release(bytes);
    }
  }

  @Test
  void head_thatIsNotCompleteInTime_endsTheConnection() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel silent = client();
          NettyChannel slow = client()) {
        send(slow, "GET / HT");
        assertEquals(
            2,
            seconds(() -> {
              assertNull(silent.receive());
              assertNull(slow.receive());
            }));
        assertEquals(0, server.requestCount());
      }
    });
  }

  @Test
  void connection_idleForTooLong_isClosed() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        for (int i = 0; i < 3; i++) {
          send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
          assertTrue(HttpRig.until(client, "hello").startsWith("HTTP/1.1 200 "));
          WaitForTime.on(scheduler).sleep(Duration.ofSeconds(20));
        }
        assertEquals(10, seconds(() -> assertNull(client.receive())));
        assertEquals(3, server.requestCount());
      }
    });
  }

  @Test
  void body_thatStops_isAnsweredWith408() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(4));
        send(client, "def");
        assertEquals(
            5,
            seconds(() -> {
              String response = HttpRig.rest(client);
              assertTrue(response.startsWith("HTTP/1.1 408 "), response);
            }));
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void response_thatTheClientDoesNotRead_endsTheConnection() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(4));
        assertEquals(1, server.connectionCount());
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(2));
        assertEquals(0, server.connectionCount());
        assertEquals(1, server.requestCount());
      }
    });
  }

  /// The end of the connection is the end of such a body, so the connection must not just end.
  @Test
  void close_withinABodyOfHttp10_isAReset() {
    run(() -> {
      HttpServer server = serve();
      try (NettyChannel client = client()) {
        send(client, "GET /half HTTP/1.0\r\n\r\n");
        var _ = HttpRig.until(client, "\r\n\r\nx");
        server.close();
        assertThrows(ConnectionResetException.class, () -> HttpRig.rest(client));
      }
    });
  }

  @Test
  void shutdown_graceIsOverWithinABodyOfHttp10_isAReset() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "GET /half HTTP/1.0\r\n\r\n");
        var _ = HttpRig.until(client, "\r\n\r\nx");
        assertFalse(server.shutdown(Duration.ofSeconds(1)));
        assertThrows(ConnectionResetException.class, () -> HttpRig.rest(client));
      }
    });
  }

  @Test
  void bodyOfHttp10_clientReadsTooLate_isWholeOrReset() {
    run(() ->
        assertEquals(
            Set.of("whole", "reset"),
            ends(server -> WaitForTime.on(scheduler).sleep(Duration.ofSeconds(9)))));
  }

  @Test
  void close_bodyOfHttp10IsBeingSent_isWholeOrReset() {
    run(() -> assertEquals(Set.of("whole", "reset"), ends(HttpServer::close)));
  }

  @Test
  void bodyOfHttp10_taskIsCancelledWhileItIsBeingSent_isWholeOrReset() {
    run(() -> assertEquals(Set.of("whole", "reset"), ends(server -> answering.cancel("test"))));
  }

  /// The systems of both sides take some 390,000 bytes. A body that is a little longer waits with
  /// its last part.
  ///
  /// @param first happens before the client reads
  /// @return how bodies end
  private Set<String> ends(Consumer<HttpServer> first) throws IOException {
    var ends = new HashSet<String>();
    for (int bytes = 360_000; bytes < 420_000; bytes += 4_000) {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "GET /zeros/%d HTTP/1.0\r\n\r\n".formatted(bytes));
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
        first.accept(server);
        ends.add(end(client, bytes));
      }
    }
    return ends;
  }

  private static String end(NettyChannel client, int bytes) throws IOException {
    try {
      int received = HttpRig.body(HttpRig.rest(client)).length();
      return received == bytes ? "whole" : "cut short";
    } catch (ConnectionResetException e) {
      return "reset";
    }
  }

  @Test
  void socket_clientSaysNothing_isAskedAndThenClosed() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, HttpRig.UPGRADE);
        var _ = HttpRig.until(client, "\r\n\r\n");
        assertEquals(10, seconds(() -> assertEquals("\u0089\0", HttpRig.until(client, "\0"))));
        assertEquals(10, seconds(() -> assertNull(client.receive())));
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void events_compressed_areSeenAtOnceAndHaveComments() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "GET /events HTTP/1.0\r\nAccept-Encoding: deflate\r\n\r\n");
        String events = "data: one\ndata: two\n\n";
        String begun = untilInflated(client, "", events);
        assertTrue(begun.contains("content-encoding: deflate\r\n"), begun);
        assertEquals(0, clock.elapsed().toSeconds());
        String commented = untilInflated(client, begun, events + ":\n\n");
        assertEquals(
            events + ":\n\nid: 7\nevent: named\ndata: three\n\n",
            inflated(commented + HttpRig.rest(client)));
        assertEquals(1, server.requestCount());
      }
    });
  }

  /// Receives until the content is this. Each flush of the server has a mark at its end.
  private static String untilInflated(NettyChannel client, String before, String content)
      throws Exception {
    String received = before;
    do {
      received += HttpRig.until(client, "\0\0\u00ff\u00ff");
    } while (!inflated(received).equals(content));
    return received;
  }

  private static String inflated(String response) throws Exception {
    byte[] body = HttpCompressionTest.Gzip.latin(HttpRig.body(response));
    return HttpCompressionTest.Gzip.prefix(body, "deflate");
  }

  @Test
  void events_handlerSendsNothing_commentsAreSent() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client()) {
        send(client, "GET /events HTTP/1.0\r\n\r\n");
        String head = HttpRig.until(client, "\n\n");
        assertTrue(head.contains("content-type: text/event-stream\r\n"), head);
        assertTrue(head.endsWith("\r\n\r\ndata: one\ndata: two\n\n"), head);
        assertEquals(
            25,
            seconds(() ->
                assertEquals(":\n\nid: 7\nevent: named\ndata: three\n\n", HttpRig.rest(client))));
        assertEquals(1, server.requestCount());
      }
    });
  }
}
