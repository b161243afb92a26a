package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.netty.NettyChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Responses on a connection that stays, which have the headers of every response and no others.
final class HttpUsualResponseTest extends HttpRig {

  private static final String NEXT = " HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-23T03:04:05Z"));
  private static final String DATE = "date: Mon, 23 Nov 2026 03:04:05 GMT\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  @Test
  void response_withoutOtherHeaders_hasTypeDateAndLength() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .clock(CLOCK)
                      .get(
                          "/{count}",
                          exchange ->
                              exchange.respond(
                                  HttpResponseStatus.OK,
                                  exchange.pathParameter("count").equals("0") ? "" : "a/b",
                                  new byte[Integer.parseInt(exchange.pathParameter("count"))])));
          NettyChannel client = client(server)) {
        send(client, "GET /0" + NEXT);
        assertEquals(OK + DATE + "content-length: 0\r\n\r\n", until(client, "\r\n\r\n"));
        for (int count : List.of(1, 9, 10, 99, 100, 65_536)) {
          send(client, "GET /" + count + NEXT);
          String head = OK + "content-type: a/b\r\n" + DATE + "content-length: " + count;
          String response = until(client, "\0".repeat(count));
          assertTrue(response.startsWith(head + "\r\n\r\n\0"), response);
        }
        send(client, "HEAD /10" + NEXT);
        assertEquals(
            OK + "content-type: a/b\r\n" + DATE + "content-length: 10\r\n\r\n",
            until(client, "\r\n\r\n"));
        send(client, "GET /1" + NEXT);
        assertTrue(until(client, "\0").endsWith("content-length: 1\r\n\r\n\0"));
      }
    });
  }

  @Test
  void responseHeaders_afterTheResponse_areThoseThatWereSent() {
    var seen = new ArrayList<String>();
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .clock(CLOCK)
                      .get(
                          "/",
                          exchange -> {
                            exchange.respondText("hello");
                            exchange
                                .responseHeaders()
                                .forEach(each -> seen.add(each.getKey() + "=" + each.getValue()));
                          }));
          NettyChannel client = client(server)) {
        send(client, "GET /" + NEXT);
        var _ = until(client, "hello");
      }
    });
    assertEquals(
        List.of(
            "content-type=text/plain; charset=utf-8",
            "date=Mon, 23 Nov 2026 03:04:05 GMT",
            "content-length=5"),
        seen);
  }

  @Test
  void lineFeeds_inWhatHandlersSet_areRefused() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        assertThrows(
                            IllegalArgumentException.class,
                            () ->
                                exchange.respond(
                                    HttpResponseStatus.OK, "a/b\r\nx: y", new byte[0]));
                        assertThrows(
                            IllegalArgumentException.class,
                            () ->
                                exchange
                                    .responseHeaders()
                                    .set(HttpHeaderNames.ETAG, "\"a\"\r\nx: y"));
                        exchange.respondText("refused");
                      }));
          NettyChannel client = client(server)) {
        send(client, "GET /" + NEXT);
        String response = until(client, "refused");
        assertTrue(!response.contains("x: y"), response);
      }
    });
  }
}
