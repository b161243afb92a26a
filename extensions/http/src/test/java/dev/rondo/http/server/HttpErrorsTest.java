package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a server answers instead of a handler, as the program wants it.
final class HttpErrorsTest extends HttpRig {

  private static final String HOST = " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";

  private static String json(HttpStatusException why) {
    return "{\"status\": %d, \"why\": \"%s\"}".formatted(why.status().code(), why.getMessage());
  }

  @Test
  void errors_ofAllKinds_haveTheBodyOfTheProgram() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .limits(heads(100, 200, 10))
                  .errors("application/json", HttpErrorsTest::json)
                  .post("/", exchange -> exchange.respondText(exchange.bodyText()))
                  .post(
                      "/fails",
                      exchange -> {
                        throw new IllegalStateException("secret");
                      })
                  .post(
                      "/teapot",
                      exchange -> {
                        throw new HttpStatusException(HttpResponseStatus.CONFLICT, "taken");
                      }))) {
        for (var each :
            List.of(
                List.of("400", "broken\r\n\r\n"),
                List.of("404", "GET /none" + HOST + "\r\n"),
                List.of("405", "GET /" + HOST + "\r\n"),
                List.of("409", "POST /teapot" + HOST + "\r\n"),
                List.of("413", "POST /" + HOST + "Content-Length: 11\r\n\r\n01234567890"),
                List.of("414", "POST /" + "x".repeat(100) + HOST + "\r\n"),
                List.of("431", "POST /" + HOST + "A: " + "x".repeat(200) + "\r\n\r\n"),
                List.of("500", "POST /fails" + HOST + "\r\n"))) {
          String status = each.getFirst();
          String response = exchange(server, each.getLast());
          assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
          assertTrue(response.contains("content-type: application/json\r\n"), response);
          assertTrue(body(response).startsWith("{\"status\": " + status + ","), response);
        }
      }
    });
    assertEquals(
        List.of("secret"),
        takeReported().stream().map(each -> each.failure().getMessage()).toList());
  }

  @Test
  void errors_whoseBodyCannotBeMade_haveTheUsualOne() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.errors(
                  "application/json",
                  why -> {
                    throw new IllegalStateException("no body");
                  }))) {
        String response = exchange(server, "GET /none" + HOST + "\r\n");
        assertTrue(response.startsWith("HTTP/1.1 404 "), response);
        assertTrue(response.contains("content-type: text/plain"), response);
      }
    });
    assertEquals(
        List.of("no body"),
        takeReported().stream().map(each -> each.failure().getMessage()).toList());
  }

  @Test
  void errors_typeWithControlCharacters_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpServer.builder(scheduler).errors("a\r\nb: c", HttpErrorsTest::json));
  }
}
