package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.server.HttpAccess;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients of HTTP/1.1 that end or break their connection while a request is being answered.
final class HttpClientsThatGoTest extends HttpRig {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
  private static final Duration LONG = Duration.ofHours(1);

  private HttpServer hello() throws IOException {
    return serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")));
  }

  private static void reset(NettyChannel client) {
    client.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    var _ = client.channel().close();
  }

  @Test
  void client_resetsItsConnection_theTaskIsCancelled() {
    run(() -> {
      for (String request : List.of(GET, POST, POST + "123456789")) {
        var seen = new ArrayList<String>();
        var log = new ArrayList<HttpAccess>();
        try (HttpServer server =
                serve(routes ->
                    routes
                        .get("/", exchange -> waits(seen))
                        .post("/", exchange -> waits(seen))
                        .accessLog(log::add));
            NettyChannel client = client(server)) {
          send(client, request);
          await(() -> seen.contains("begun"));
          reset(client);
          await(() -> server.connectionCount() == 0);
          assertEquals(List.of("begun", "cancelled"), seen);
          assertEquals(1, log.size());
          assertEquals(0, log.getFirst().status());
        }
      }
    });
  }

  /// The stream is closed on the way. That the body is too short is no failure of its own then,
  /// which `nothingIsLeft` would find.
  @Test
  void client_resetsWithinABodyOfKnownLength_nothingIsReported() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        exchange.responseHeaders().set("Content-Length", "10");
                        try (var out = exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                          out.write('a');
                          out.flush();
                          waits(seen);
                        }
                      }));
          NettyChannel client = client(server)) {
        send(client, GET);
        var _ = until(client, "\r\n\r\na");
        reset(client);
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("begun", "cancelled"), seen);
      }
    });
  }

  /// A handler that says less than it has announced, and does not fail otherwise.
  @Test
  void handler_closesAShortBody_theFailureSaysSo() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        exchange.responseHeaders().set("Content-Length", "10");
                        exchange.stream(HttpResponseStatus.OK, "text/plain").close();
                      }));
          NettyChannel client = client(server)) {
        send(client, GET);
        var _ = rest(client);
      }
    });
    assertTrue(takeFailures().getFirst().getMessage().startsWith("the body is shorter than its"));
  }

  /// What a task of ours gives up is a reset, not the end of a direction.
  @Test
  void clientOfOurs_givesUp_theTaskIsCancelled() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/", exchange -> waits(seen))
                      .get(
                          "/begins",
                          exchange -> {
                            exchange.stream(HttpResponseStatus.OK, "text/plain").flush();
                            waits(seen);
                          }));
          HttpClient client = HttpClient.builder(scheduler).build()) {
        URI root = URI.create("http:/" + server.localAddress());
        Task<?> asking = scheduler.spawn("asking", () -> client.get(root).bodyText());
        await(() -> seen.contains("begun"));
        boolean _ = asking.cancel("enough");
        await(() -> server.connectionCount() == 0);
        client.get(root.resolve("/begins")).close();
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("begun", "cancelled", "begun", "cancelled"), seen);
      }
    });
  }

  @Test
  void clientOfOurs_isClosed_theTaskIsCancelled() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server = serve(routes -> routes.get("/", exchange -> waits(seen)))) {
        HttpClient client = HttpClient.builder(scheduler).build();
        URI root = URI.create("http:/" + server.localAddress());
        var asking = failing(() -> client.get(root).bodyText());
        await(() -> seen.contains("begun"));
        client.close();
        var _ = thrownBy(ChannelClosedException.class, asking);
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("begun", "cancelled"), seen);
      }
    });
  }

  private void waits(List<String> seen) {
    seen.add("begun");
    try {
      scheduler.within(LONG, scheduler::suspend);
    } catch (TaskCancelled e) {
      seen.add("cancelled");
      throw e;
    }
  }

  @Test
  void client_endsItsDirection_receivesTheResponse() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        seen.add("begun");
                        await(() -> seen.contains("ended"));
                        exchange.respondText("hello");
                      }));
          NettyChannel client = client(server)) {
        send(client, GET);
        await(() -> seen.contains("begun"));
        netty.await(((DuplexChannel) client.channel()).shutdownOutput());
        settle();
        seen.add("ended");
        String response = rest(client);
        assertTrue(response.endsWith("\r\n\r\nhello"), response);
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void client_endsItsDirection_theTaskThatEndsWithItIsCancelled() {
    run(() -> {
      for (boolean early : new boolean[] {true, false}) {
        var seen = new ArrayList<String>();
        try (HttpServer server =
                serve(routes ->
                    routes.get(
                        "/",
                        exchange -> {
                          if (early) {
                            exchange.endWithClient();
                          }
                          seen.add("here");
                          await(() -> early || seen.contains("ended"));
                          exchange.endWithClient();
                          waits(seen);
                        }));
            NettyChannel client = client(server)) {
          send(client, GET);
          await(() -> seen.contains("here"));
          netty.await(((DuplexChannel) client.channel()).shutdownOutput());
          settle();
          seen.add("ended");
          assertEquals("", rest(client));
          await(() -> server.connectionCount() == 0);
          assertTrue(seen.contains("cancelled"), seen.toString());
        }
      }
    });
  }

  /// RFC 9112, 8: the request is incomplete, and that is not the server's fault.
  @Test
  void client_endsItsDirectionWithinTheBody_receivesThatTheRequestIsBad() {
    var log = new ArrayList<Integer>();
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .accessLog(access -> log.add(access.status()))
                      .post("/", exchange -> exchange.respondText(exchange.bodyText())));
          NettyChannel client = client(server)) {
        send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
        netty.await(((DuplexChannel) client.channel()).shutdownOutput());
        String response = rest(client);
        assertTrue(response.startsWith("HTTP/1.1 400 "), response);
        assertTrue(response.endsWith("\r\n\r\nthe body is incomplete\n"), response);
        await(() -> server.connectionCount() == 0);
      }
    });
    assertEquals(List.of(400), log);
  }

  @Test
  void client_resetsAfterTheResponse_nothingIsCancelled() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        exchange.respond(HttpResponseStatus.NO_CONTENT);
                        seen.add("responded");
                        await(() -> seen.contains("reset"));
                        seen.add("done");
                      }));
          NettyChannel client = client(server)) {
        send(client, GET);
        var _ = until(client, "\r\n\r\n");
        await(() -> seen.contains("responded"));
        reset(client);
        settle();
        seen.add("reset");
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("responded", "reset", "done"), seen);
      }
    });
  }

  /// The wait for the next request fails, and that is no failure of the server's: `nothingIsLeft`
  /// finds what was reported.
  @Test
  void idleConnection_clientResets_isClosedAndOthersAreServed() {
    run(() -> {
      try (HttpServer server = hello();
          NettyChannel client = client(server);
          NettyChannel other = client(server)) {
        send(client, GET);
        var _ = until(client, "hello");
        reset(client);
        await(() -> server.connectionCount() == 1);
        send(other, GET);
        var _ = until(other, "hello");
      }
    });
  }

  /// The handler's failure is reported once, as the request's own, and the connection's task does
  /// not fail with it: it goes on.
  @Test
  void handlerFails_isReportedOnce_andTheConnectionGoesOn() {
    var failure = new IllegalStateException("the handler's own");
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get(
                          "/fails",
                          exchange -> {
                            throw failure;
                          })
                      .get("/", exchange -> exchange.respondText("hello")));
          NettyChannel client = client(server)) {
        send(client, "GET /fails HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(until(client, "\r\n\r\n").startsWith("HTTP/1.1 500"));
        send(client, GET);
        var _ = until(client, "hello");
        assertEquals(1, server.connectionCount());
      }
    });
    assertEquals(List.of(failure), takeFailures());
  }

  @Test
  void idleConnection_clientEnds_isClosed() {
    run(() -> {
      try (HttpServer server = hello();
          NettyChannel client = client(server)) {
        send(client, GET);
        var _ = until(client, "hello");
        netty.await(((DuplexChannel) client.channel()).shutdownOutput());
        assertEquals("", rest(client));
        await(() -> server.connectionCount() == 0);
        assertThrows(Exception.class, () -> send(client, GET));
      }
    });
  }
}
