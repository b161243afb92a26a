package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// The connections of a client of HTTP/1.1: which request has which, and which are closed.
final class HttpClientPoolTest extends HttpClientRig {

  private static final String FINE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine";

  private HttpClient newClient(int connections, int perOrigin) {
    return newClient(
        builder -> builder.limits(HttpClientLimits.USUAL.withConnections(connections, perOrigin)));
  }

  /// A server whose requests wait for a promise of their number.
  private HttpServer gated(List<Promise<String>> gates) throws IOException {
    for (int i = 0; i < 10; i++) {
      gates.add(netty.group().next().newPromise());
    }
    return serve(routes ->
        routes.get(
            "/{n}",
            exchange ->
                exchange.respondText(
                    netty.await(gates.get(Integer.parseInt(exchange.pathParameter("n")))))));
  }

  private Task<String> asking(HttpClient client, URI uri, List<String> order) {
    return scheduler.spawn(
        "request",
        () -> {
          String text = client.get(uri).bodyText();
          order.add(text);
          return text;
        });
  }

  @Test
  void requests_overTheLimitOfTheOrigin_waitInOrder() {
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      var order = new ArrayList<String>();
      try (HttpServer server = gated(gates);
          HttpClient client = newClient(10, 2)) {
        var tasks = new ArrayList<Task<String>>();
        for (int i = 0; i < 6; i++) {
          tasks.add(asking(client, uri(server, "/" + i), order));
        }
        await(() -> server.connectionCount() == 2 && client.waiterCount() == 4);
        assertEquals(2, client.connectionCount());
        assertTrue(tasks.get(3).cancel("test"));
        assertThrows(CancellationException.class, tasks.get(3)::join);
        assertEquals(3, client.waiterCount());
        for (int i = 5; i >= 0; i--) {
          gates.get(i).setSuccess("" + i);
        }
        for (int i : new int[] {0, 1, 2, 4, 5}) {
          assertEquals("" + i, tasks.get(i).join());
        }
        assertEquals(5, order.size());
        assertTrue(order.indexOf("2") < order.indexOf("4"), order.toString());
        assertTrue(order.indexOf("4") < order.indexOf("5"), order.toString());
        assertEquals(2, client.connectionCount());
        assertEquals(5, server.requestCount());
      }
    });
  }

  @Test
  void place_ofAnIdleConnection_isGivenToAnotherOrigin() {
    run(() -> {
      try (RawServer one = answering(FINE);
          RawServer two = answering(FINE);
          RawServer three = answering(FINE);
          HttpClient client = newClient(2, 2)) {
        for (RawServer each : List.of(one, two, one, three, one)) {
          assertEquals("fine", client.get(each.uri("/")).bodyText());
          assertTrue(client.connectionCount() <= 2);
        }
        assertEquals(1, one.connections.size(), "used last, so the other one had to go");
        assertTrue(isGoneSoon(two.connections.getFirst()));
        assertEquals(2, client.connectionCount());
      }
    });
  }

  private boolean isGoneSoon(NettyChannel connection) {
    await(() -> !connection.channel().isOpen());
    return true;
  }

  @Test
  void requests_ofSeveralOriginsOverTheLimitOfAll_areServedInOrder() {
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      var order = new ArrayList<String>();
      try (HttpServer one = gated(gates);
          RawServer two = answering(FINE);
          HttpClient client = newClient(1, 1)) {
        Task<String> first = asking(client, uri(one, "/0"), order);
        await(() -> client.connectionCount() == 1);
        Task<String> other = asking(client, two.uri("/"), order);
        await(() -> client.waiterCount() == 1);
        Task<String> second = asking(client, uri(one, "/1"), order);
        await(() -> client.waiterCount() == 2);
        gates.get(1).setSuccess("1");
        gates.get(0).setSuccess("0");
        first.join();
        other.join();
        second.join();
        assertEquals(List.of("0", "fine", "1"), order);
      }
    });
  }

  /// Another request takes the only connection, so the pool of the first origin has none.
  @Test
  void request_whoseTurnEndsBeforeItWaits_waitsInAPoolThatTheClientKnows() {
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      try (RawServer one = answering(FINE);
          HttpServer two = gated(gates);
          HttpClient client = newClient(1, 1)) {
        assertEquals("fine", client.get(one.uri("/")).bodyText());
        Task<String> first =
            scheduler.spawn(
                "first",
                () -> {
                  for (int i = 0; i < 128; i++) { // the operations of a turn
                    scheduler.checkpoint();
                  }
                  return client.get(one.uri("/")).bodyText();
                });
        Task<String> second = asking(client, uri(two, "/0"), new ArrayList<>());
        settle();
        assertEquals(1, client.waiterCount());
        gates.get(0).setSuccess("0");
        assertEquals("0", second.join());
        assertEquals("fine", first.join());
      }
    });
  }

  @Test
  void opener_cancelled_givesItsPlaceToTheNext() {
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      try (HttpServer server = gated(gates);
          HttpClient client = newClient(1, 1)) {
        Task<?> opener = scheduler.spawn("opener", () -> client.get(uri(server, "/0")));
        Task<String> next = asking(client, uri(server, "/1"), new ArrayList<>());
        scheduler.yield();
        assertEquals(1, client.connectionCount());
        assertTrue(opener.cancel("test"));
        gates.get(1).setSuccess("next");
        assertEquals("next", next.join());
      }
    });
    var _ = takeReported();
  }

  @Test
  void connection_idleForTooLong_isClosed() {
    run(() -> {
      try (RawServer server = answering(FINE);
          HttpClient client =
              newClient(builder ->
                  builder.limits(
                      HttpClientLimits.USUAL.withTimes(
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(20),
                          Duration.ofMillis(20))))) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals(1, client.connectionCount());
        await(() -> client.connectionCount() == 0);
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals(2, server.connections.size());
      }
    });
  }

  @Test
  void connection_thatTheServerCloses_isNotUsedAgain() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                head(connection);
                send(connection, FINE);
              });
          HttpClient client = newClient()) {
        for (int i = 0; i < 3; i++) {
          assertEquals("fine", client.request(HttpMethod.POST, server.uri("/")).send().bodyText());
          await(() -> client.connectionCount() == 0);
        }
        assertEquals(3, server.connections.size());
      }
    });
  }

  @Test
  void response_thatSaysClose_endsTheConnection() {
    run(() -> {
      for (String each :
          List.of(
              "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfine",
              "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nfine")) {
        try (RawServer server = answering(each);
            HttpClient client = newClient()) {
          assertEquals("fine", client.get(server.uri("/")).bodyText());
          assertEquals(0, client.connectionCount());
        }
      }
      try (RawServer server =
              answering(
                  "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nfine");
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals(1, client.connectionCount());
      }
    });
  }

  @Test
  void bytes_thatComeWithoutARequest_endTheConnection() {
    String smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad";
    run(() -> {
      for (String each : List.of(FINE + smuggled, FINE + "HTTP/1.1 200 O", FINE + "\r\n")) {
        var served = new int[1];
        try (RawServer server =
                new RawServer(connection -> {
                  while (true) {
                    head(connection);
                    send(connection, served[0]++ == 0 ? each : FINE);
                  }
                });
            HttpClient client = newClient()) {
          assertEquals("fine", client.get(server.uri("/")).bodyText());
          assertEquals("fine", client.get(server.uri("/")).bodyText());
          assertEquals(2, server.connections.size(), each);
        }
      }
      try (RawServer server = answering(FINE);
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        send(server.connections.getFirst(), smuggled);
        await(() -> client.connectionCount() == 0);
        assertEquals("fine", client.get(server.uri("/")).bodyText());
      }
    });
  }

  /// A server that closes a connection instead of the second response.
  private RawServer closingOnSecond() throws IOException {
    return new RawServer(connection -> {
      head(connection);
      send(connection, FINE);
      head(connection);
    });
  }

  @Test
  void request_onAConnectionThatWasClosed_isSentOnceMoreIfItIsIdempotent() {
    run(() -> {
      try (RawServer server = closingOnSecond();
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals(2, server.connections.size());
        var post =
            client
                .request(HttpMethod.POST, server.uri("/"))
                .body(
                    "text/plain; charset=utf-8",
                    "a".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThrows(ConnectionResetException.class, post::send);
        assertEquals(2, server.connections.size(), "not sent again");
      }
      try (RawServer server = closingOnSecond();
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        var put =
            client
                .request(HttpMethod.PUT, server.uri("/"))
                .body("a/b", 1, out -> out.write(new byte[1]));
        assertThrows(ConnectionResetException.class, put::send);
        assertEquals(1, server.connections.size(), "its body was consumed");
      }
      var served = new int[1];
      try (RawServer server =
              new RawServer(connection -> {
                head(connection);
                if (served[0]++ == 0) {
                  send(connection, FINE);
                  head(connection);
                }
              });
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        var failed =
            assertThrows(ConnectionResetException.class, () -> client.get(server.uri("/")));
        assertEquals(1, failed.getSuppressed().length);
        assertEquals(2, server.connections.size(), "sent once more, and not again");
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void response_notReadAndClosed_keepsTheConnectionIfAllOfItIsHere() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                head(connection);
                send(connection, FINE);
                head(connection);
                send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfine");
                assertTrue(isGone(connection));
              });
          HttpClient client = newClient()) {
        client.get(server.uri("/")).close();
        assertEquals(1, client.connectionCount());
        HttpClientResponse partial = client.get(server.uri("/"));
        partial.close();
        assertEquals(0, client.connectionCount());
        assertThrows(IOException.class, () -> partial.body().read());
        assertEquals(1, server.connections.size());
        assertFalse(partial.status().code() != 200);
      }
    });
  }
}
