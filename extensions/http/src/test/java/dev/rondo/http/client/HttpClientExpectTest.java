package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests whose body waits until the server asks for it.
final class HttpClientExpectTest extends HttpClientRig {

  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final String END = "\r\n\r\n";
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  private static HttpClientRequest post(HttpClient client, URI uri, Duration wait) {
    return client
        .request(HttpMethod.POST, uri)
        .body("text/plain; charset=utf-8", "body".getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .expectContinue(wait);
  }

  /// Receives a body of this length.
  private static String body(NettyChannel connection, int length) throws IOException {
    return body(connection, length, "");
  }

  /// The same where some of it may have come with the head.
  private static String body(NettyChannel connection, int length, String head) throws IOException {
    var text =
        new StringBuilder(head.isEmpty() ? "" : head.substring(head.indexOf(END) + END.length()));
    while (text.length() < length) {
      ByteBuf part = connection.receive(ByteBuf.class);
      if (part == null) {
        throw new EOFException();
      }
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  /// Nothing has come, and the client has had its turns.
  private void assertNothingComes(NettyChannel connection) throws IOException {
    for (int i = 0; i < 20; i++) {
      scheduler.yield();
      assertEquals(null, ChannelControl.of(connection).tryReceive());
    }
  }

  @Test
  void serverAsks_bodyIsSentThen_andTheConnectionIsKept() {
    run(() -> {
      var received = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                while (true) {
                  String head = head(connection);
                  assertTrue(head.contains("expect: 100-continue\r\n"), head);
                  assertTrue(head.contains("content-length: 4\r\n"), head);
                  assertTrue(head.endsWith("\r\n\r\n"), head);
                  assertNothingComes(connection);
                  send(connection, "HTTP/1.1 103 Early Hints\r\n\r\n");
                  assertNothingComes(connection);
                  send(connection, CONTINUE);
                  received.add(body(connection, 4));
                  send(connection, OK);
                }
              });
          HttpClient client = newClient()) {
        for (int i = 0; i < 2; i++) {
          assertEquals("hi", post(client, server.uri("/"), AN_HOUR).send().bodyText());
        }
        assertEquals(List.of("body", "body"), received);
        assertEquals(1, server.connections.size());
      }
    });
  }

  @Test
  void serverDoesNotAnswer_bodyIsSentAfterTheTime() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                assertEquals("body", body(connection, 4, head(connection)));
                send(connection, CONTINUE + OK); // it comes too late, and is skipped
              });
          HttpClient client = newClient()) {
        assertEquals("hi", post(client, server.uri("/"), SOON).send().bodyText());
      }
    });
  }

  @Test
  void serverRefuses_bodyIsNeitherWrittenNorSent() {
    run(() -> {
      String refusal = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig";
      try (RawServer server = answering(refusal);
          HttpClient client = newClient()) {
        for (int i = 0; i < 2; i++) {
          HttpClientResponse response =
              client
                  .request(HttpMethod.POST, server.uri("/"))
                  .body(
                      "text/plain",
                      out -> {
                        throw new AssertionError("the body is not wanted");
                      })
                  .expectContinue(AN_HOUR)
                  .send();
          assertEquals(413, response.status().code());
          assertEquals("big", response.bodyText());
        }
        assertEquals(2, server.connections.size(), "the server may wait for the body");
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void serverKnowsNoExpectation_isAskedOnceMoreWithoutIt() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                heads.add(head(connection));
                if (heads.size() == 1) {
                  send(connection, "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
                  assertTrue(isGone(connection));
                } else {
                  send(connection, OK);
                }
              });
          HttpClient client = newClient()) {
        assertEquals("hi", post(client, server.uri("/"), AN_HOUR).send().bodyText());
        assertEquals(2, heads.size());
        assertTrue(heads.getFirst().contains("expect"), heads::toString);
        assertFalse(heads.getLast().contains("expect"), heads::toString);
      }
    });
  }

  /// What code writes is written once, and for the server that wants it.
  @Test
  void bodyWrittenByCode_serverKnowsNoExpectation_isWrittenForTheSecondRequest() {
    run(() -> {
      var written = new ArrayList<String>();
      var heads = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                heads.add(head(connection));
                if (heads.size() == 1) {
                  send(connection, "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
                  assertTrue(isGone(connection));
                } else {
                  assertEquals("body", body(connection, 4, heads.getLast()));
                  send(connection, OK);
                }
              });
          HttpClient client = newClient()) {
        assertEquals("hi", written(client, server.uri("/"), written).send().bodyText());
        assertEquals(List.of("body"), written);
        assertEquals(2, heads.size());
      }
    });
  }

  private static HttpClientRequest written(HttpClient client, URI uri, List<String> written) {
    return client
        .request(HttpMethod.POST, uri)
        .body(
            "text/plain",
            4,
            out -> {
              written.add("body");
              out.write("body".getBytes(StandardCharsets.US_ASCII));
            })
        .expectContinue(AN_HOUR);
  }

  @Test
  void bodyWrittenByCode_serverRedirectsBeforeItIsWritten_goesToWhereThatLeads() {
    run(() -> {
      for (int status : List.of(307, 308)) {
        var written = new ArrayList<String>();
        var received = new ArrayList<String>();
        try (HttpServer server =
                serve(routes ->
                    routes
                        .post(
                            "/from",
                            exchange -> {
                              exchange.responseHeaders().set("location", "/to");
                              exchange.respond(HttpResponseStatus.valueOf(status));
                            })
                        .post(
                            "/to",
                            exchange -> {
                              received.add(exchange.bodyText());
                              exchange.respondText("hi");
                            }));
            HttpClient one = newClient();
            HttpClient two = newClient(builder -> builder.http2PriorKnowledge())) {
          for (HttpClient client : List.of(one, two)) {
            HttpClientResponse response = written(client, uri(server, "/from"), written).send();
            assertEquals("hi", response.bodyText());
            assertEquals(uri(server, "/to"), response.uri());
          }
          assertEquals(List.of("body", "body"), written);
          assertEquals(List.of("body", "body"), received);
        }
      }
    });
  }

  @Test
  void bodyWrittenByCode_serverRedirectsAfterIt_isNotWrittenAgain() {
    run(() -> {
      var written = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                head(connection);
                send(connection, CONTINUE);
                assertEquals("body", body(connection, 4));
                send(
                    connection,
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n");
              });
          HttpClient client = newClient();
          HttpClientResponse response = written(client, server.uri("/"), written).send()) {
        assertEquals(307, response.status().code());
        assertEquals(List.of("body"), written);
      }
    });
  }

  @Test
  void serverAlwaysAnswers417_isTheResponse() {
    run(() -> {
      try (RawServer server =
              answering("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
          HttpClient client = newClient()) {
        HttpClientResponse response = post(client, server.uri("/"), AN_HOUR).send();
        assertEquals(HttpResponseStatus.EXPECTATION_FAILED.code(), response.status().code());
        response.close();
        assertEquals(2, server.connections.size());
      }
    });
  }

  @Test
  void requestWithoutBody_doesNotWait() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                heads.add(head(connection));
                send(connection, OK);
              });
          HttpClient client = newClient()) {
        HttpClientRequest request =
            client.request(HttpMethod.GET, server.uri("/")).expectContinue(AN_HOUR);
        assertEquals("hi", request.send().bodyText());
        assertFalse(heads.getFirst().contains("expect"), heads::toString);
      }
    });
  }

  @Test
  void cancelled_whileItWaits_leavesNothing() {
    run(() -> {
      try (RawServer server = answering("");
          HttpClient client = newClient()) {
        Task<?> waiting =
            scheduler.spawn("waiting", () -> post(client, server.uri("/"), AN_HOUR).send());
        while (server.connections.isEmpty()) {
          scheduler.yield();
        }
        waiting.cancel("enough");
        assertThrows(Exception.class, waiting::join);
        assertEquals(0, client.connectionCount());
        await(() -> !server.connections.getFirst().channel().isOpen());
      }
    });
  }

  /// Our own server asks when the handler begins to read.
  @Test
  void ourServer_bothProtocols() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .post("/read", exchange -> exchange.respondText(exchange.bodyText()))
                      .post("/no", exchange -> exchange.respond(HttpResponseStatus.FORBIDDEN)));
          HttpClient one = newClient();
          HttpClient two = newClient(builder -> builder.http2PriorKnowledge())) {
        for (HttpClient client : List.of(one, two)) {
          for (int i = 0; i < 3; i++) {
            assertEquals("body", post(client, uri(server, "/read"), AN_HOUR).send().bodyText());
            try (HttpClientResponse response = post(client, uri(server, "/no"), AN_HOUR).send()) {
              assertEquals(403, response.status().code());
            }
          }
        }
        assertEquals(1, two.connectionCount());
      }
    });
  }

  @Test
  void wait_ofNothing_isRefused() {
    run(() -> {
      try (HttpClient client = newClient()) {
        HttpClientRequest request =
            client
                .request(HttpMethod.POST, URI.create("http://localhost/"))
                .body(
                    "text/plain; charset=utf-8",
                    "body".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThrows(IllegalArgumentException.class, () -> request.expectContinue(Duration.ZERO));
      }
    });
  }
}
