package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.scheduler.Task;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.DefaultHttp2UnknownFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A client's streams on connections of HTTP/2, and servers that end them in all ways.
final class HttpClientHttp2Test extends HttpClientRig {

  /// What a server of frames does with a request.
  @FunctionalInterface
  private interface FrameHandler {
    void answer(FrameServer server, NettyChannel connection, Http2FrameStream stream)
        throws IOException;
  }

  /// A server that sends frames as it likes, with a task for each connection.
  private final class FrameServer implements AutoCloseable {

    private final NettyListener listener;
    final List<NettyChannel> connections = new ArrayList<>();
    final List<Long> resets = new ArrayList<>();
    int requests;
    int pongs;

    FrameServer(Http2Settings settings, FrameHandler handler) throws IOException {
      listener =
          listen((Channel channel) ->
              channel
                  .pipeline()
                  .addLast(
                      Http2FrameCodecBuilder.forServer()
                          .initialSettings(settings)
                          .gracefulShutdownTimeoutMillis(0)
                          .build()));
      var _ =
          scheduler.spawn(
              "frame server",
              () -> {
                try {
                  while (true) {
                    NettyChannel connection = listener.accept();
                    connections.add(connection);
                    var _ = scheduler.spawn("frames", () -> serve(connection, handler));
                  }
                } catch (IOException e) {
                  // closed
                }
              });
    }

    private void serve(NettyChannel connection, FrameHandler handler) {
      try (connection) {
        for (Object each; (each = connection.receive()) != null; ) {
          ReferenceCountUtil.release(each);
          if (each instanceof Http2HeadersFrame head) {
            requests++;
            handler.answer(this, connection, head.stream());
          } else if (each instanceof Http2ResetFrame reset) {
            resets.add(reset.errorCode());
          } else if (each instanceof Http2PingFrame ping && ping.ack()) {
            pongs++;
          }
        }
      } catch (IOException e) {
        // the client has gone
      }
    }

    void fine(NettyChannel connection, Http2FrameStream stream) throws IOException {
      head(connection, stream);
      connection.send(new DefaultHttp2DataFrame(bytes("fine"), true).stream(stream));
    }

    void head(NettyChannel connection, Http2FrameStream stream) throws IOException {
      connection.send(
          new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")).stream(stream));
    }

    URI uri() {
      return HttpClientRig.uri("http", listener.localAddress(), "/");
    }

    @Override
    public void close() {
      listener.close();
      connections.forEach(NettyChannel::close);
    }
  }

  private FrameServer frames(FrameHandler handler) throws IOException {
    return new FrameServer(Http2Settings.defaultSettings(), handler);
  }

  private HttpClient client(HttpClientLimits limits) {
    return newClient(builder -> builder.http2PriorKnowledge().limits(limits));
  }

  @Test
  void streams_shareAConnectionUpToTheServersLimit() {
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      for (int i = 0; i < 10; i++) {
        gates.add(netty.group().next().newPromise());
      }
      try (HttpServer server =
              serve(routes ->
                  routes
                      .limits(streams(3))
                      .get(
                          "/{n}",
                          exchange -> {
                            int n = Integer.parseInt(exchange.pathParameter("n"));
                            exchange.respondText(netty.await(gates.get(n)));
                          }));
          HttpClient client = client(HttpClientLimits.USUAL.withConnections(2, 2))) {
        var tasks = new ArrayList<Task<String>>();
        for (int i = 0; i < 10; i++) {
          URI uri = uri(server, "/" + i);
          tasks.add(scheduler.spawn("request", () -> client.get(uri).bodyText()));
        }
        await(() -> client.waiterCount() == 4 && server.connectionCount() == 2);
        assertEquals(2, client.connectionCount());
        for (int i = 9; i >= 0; i--) {
          gates.get(i).setSuccess("" + i);
        }
        for (int i = 0; i < 10; i++) {
          assertEquals("" + i, tasks.get(i).join());
        }
        assertEquals(10, server.requestCount());
      }
    });
  }

  @Test
  void limit_thatTheServerChanges_isKept() {
    run(() -> {
      var streams = new ArrayList<Http2FrameStream>();
      try (FrameServer server =
              new FrameServer(
                  Http2Settings.defaultSettings().maxConcurrentStreams(1),
                  (own, connection, stream) -> streams.add(stream));
          HttpClient client = client(HttpClientLimits.USUAL.withConnections(1, 1))) {
        var tasks = new ArrayList<Task<String>>();
        for (int i = 0; i < 3; i++) {
          tasks.add(scheduler.spawn("request", () -> client.get(server.uri()).bodyText()));
        }
        await(() -> streams.size() == 1 && client.waiterCount() == 2);
        NettyChannel connection = server.connections.getFirst();
        connection.send(new DefaultHttp2SettingsFrame(new Http2Settings().maxConcurrentStreams(3)));
        await(() -> streams.size() == 3);
        for (Http2FrameStream each : streams) {
          server.fine(connection, each);
        }
        for (var each : tasks) {
          assertEquals("fine", each.join());
        }
      }
    });
  }

  /// RFC 9113, 5.5.
  @Test
  void unknownFrames_withinAResponse_areIgnored() {
    run(() -> {
      try (FrameServer server =
              frames((own, connection, stream) -> {
                own.head(connection, stream);
                connection.send(
                    new DefaultHttp2UnknownFrame((byte) 0x77, new Http2Flags(), bytes("?"))
                        .stream(stream));
                connection.send(new DefaultHttp2DataFrame(bytes("fine"), true).stream(stream));
              });
          HttpClient client = client(HttpClientLimits.USUAL)) {
        assertEquals("fine", client.get(server.uri()).bodyText());
      }
    });
  }

  @Test
  void stream_thatTheServerRefuses_isOpenedOnceMore() {
    run(() -> {
      try (FrameServer server =
              frames((own, connection, stream) -> {
                if (own.requests == 1) {
                  connection.send(
                      new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM).stream(stream));
                } else {
                  own.fine(connection, stream);
                }
              });
          HttpClient client = client(HttpClientLimits.USUAL)) {
        var request =
            client
                .request(HttpMethod.POST, server.uri())
                .body(
                    "text/plain; charset=utf-8",
                    "some".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertEquals("fine", request.send().bodyText());
        assertEquals(2, server.requests);
        assertEquals(1, server.connections.size());
      }
      try (FrameServer server =
              frames((own, connection, stream) ->
                  connection.send(
                      new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM).stream(stream)));
          HttpClient client = client(HttpClientLimits.USUAL)) {
        assertThrows(ConnectionResetException.class, () -> client.get(server.uri()));
        assertEquals(2, server.requests);
      }
    });
  }

  @Test
  void stream_thatTheServerResets_fails() {
    run(() -> {
      try (FrameServer server =
              frames((own, connection, stream) -> {
                if (own.requests > 1) {
                  own.head(connection, stream);
                }
                connection.send(
                    new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR).stream(stream));
              });
          HttpClient client = client(HttpClientLimits.USUAL)) {
        var failed = assertThrows(ConnectionResetException.class, () -> client.get(server.uri()));
        assertTrue(failed.getMessage().contains("INTERNAL_ERROR"), failed.getMessage());
        assertThrows(ConnectionResetException.class, () -> client.get(server.uri()).bodyText());
        assertEquals(2, server.requests, "not sent again");
        assertEquals(1, client.connectionCount());
      }
    });
  }

  @Test
  void server_thatLeaves_answersWhatItHasTakenAndTheRestGoesElsewhere() {
    run(() -> {
      var streams = new ArrayList<Http2FrameStream>();
      try (FrameServer server =
              frames((own, connection, stream) -> {
                if (connection == own.connections.getFirst()) {
                  streams.add(stream);
                } else {
                  own.fine(connection, stream);
                }
              });
          HttpClient client = client(HttpClientLimits.USUAL)) {
        var tasks = new ArrayList<Task<String>>();
        for (int i = 0; i < 3; i++) {
          tasks.add(
              scheduler.spawn(
                  "request",
                  () ->
                      client
                          .request(HttpMethod.POST, server.uri())
                          .body(
                              "text/plain; charset=utf-8",
                              "a".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                          .send()
                          .bodyText()));
        }
        await(() -> streams.size() == 3);
        NettyChannel first = server.connections.getFirst();
        first.send(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
        first.send(new DefaultHttp2PingFrame(1));
        await(() -> server.pongs == 1); // the client has read what came before
        Task<String> later = scheduler.spawn("later", () -> client.get(server.uri()).bodyText());
        assertEquals("fine", later.join());
        assertEquals(2, server.connections.size());
        for (Http2FrameStream each : streams) {
          server.fine(first, each);
        }
        for (var each : tasks) {
          assertEquals("fine", each.join());
        }
        await(() -> client.connectionCount() == 1);
        assertEquals(4, server.requests);
      }
    });
  }

  @Test
  void response_notWanted_isReset() {
    run(() -> {
      try (FrameServer server = frames(FrameServer::head);
          HttpClient client = client(HttpClientLimits.USUAL)) {
        client.get(server.uri()).close();
        await(() -> server.resets.size() == 1);
        assertEquals(List.of(Http2Error.CANCEL.code()), server.resets);
        Task<?> reading = scheduler.spawn("reading", () -> client.get(server.uri()).bodyText());
        await(() -> server.requests == 2);
        settle();
        assertTrue(reading.cancel("test"));
        await(() -> server.resets.size() == 2);
        assertEquals(1, server.connections.size());
      }
    });
    var _ = takeReported();
  }

  @Test
  void connection_thatEnds_failsItsStreamsAndIsForgotten() {
    run(() -> {
      try (FrameServer server = frames((own, connection, stream) -> own.head(connection, stream));
          HttpClient client = client(HttpClientLimits.USUAL)) {
        Task<Throwable> one = failing(() -> client.get(server.uri()).bodyText());
        Task<Throwable> two = failing(() -> client.get(server.uri()).bodyText());
        await(() -> server.requests == 2);
        settle();
        server.connections.getFirst().close();
        for (var each : List.of(one, two)) {
          assertInstanceOf(IOException.class, each.join());
        }
        await(() -> client.connectionCount() == 0);
      }
    });
  }

  @Test
  void server_thatSpeaksHttp1_isRefused() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                var _ = text(connection);
                send(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
              });
          HttpClient client = client(HttpClientLimits.USUAL)) {
        assertThrows(ProtocolException.class, () -> client.get(server.uri("/")));
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void connection_idleForTooLong_isClosed() {
    run(() -> {
      try (FrameServer server = frames(FrameServer::fine);
          HttpClient client =
              client(
                  HttpClientLimits.USUAL.withTimes(
                      Duration.ofSeconds(20),
                      Duration.ofSeconds(20),
                      Duration.ofSeconds(20),
                      Duration.ofMillis(20)))) {
        assertEquals("fine", client.get(server.uri()).bodyText());
        await(() -> client.connectionCount() == 0);
        assertEquals("fine", client.get(server.uri()).bodyText());
        assertEquals(2, server.connections.size());
      }
    });
  }
}
