package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rondo.http.Http2Rig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskLocal;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What the tasks of requests have from the task that has made the server, and whose children they
/// are.
final class HttpRequestTaskTest extends Http2Rig {

  private static final TaskLocal<String> USER = TaskLocal.named("user");
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final int REQUESTS = 3;

  /// The parents of the tasks that have answered.
  private final Set<Long> parents = new HashSet<>();

  private void answer(HttpExchange exchange) throws IOException {
    Task<?> own = Objects.requireNonNull(scheduler.currentTask());
    parents.add(own.parentId().orElse(0));
    exchange.respondText(USER.getOrDefault("nothing"));
  }

  private HttpServer serveForAda() throws Exception {
    return TaskLocal.where(USER, "ada").run(() -> serve(routes -> routes.get("/", this::answer)));
  }

  @Test
  void requests_ofHttp1_seeWhatTheServersMakerHasBound() {
    run(() -> {
      try (HttpServer server = serveForAda();
          NettyChannel client = client(server)) {
        for (int i = 0; i < REQUESTS; i++) {
          send(client, GET);
          assertEquals("ada", body(until(client, "ada")));
        }
        assertEquals(1, parents.size(), parents::toString); // the connection's
        assertFalse(parents.contains(0L));
      }
    });
  }

  @Test
  void requests_ofHttp2_seeWhatTheServersMakerHasBound() {
    run(() -> {
      try (HttpServer server = serveForAda();
          var client = new Http2Client(server)) {
        for (int i = 0; i < REQUESTS; i++) {
          try (Http2Request request = client.get("/")) {
            assertEquals("200 ada", request.response());
          }
        }
        assertFalse(parents.contains(0L), parents::toString);
      }
    });
  }

  /// The connection's task is woken for those that have to wait, and for the end.
  @Test
  void requests_someSentAheadAndTheEndAtOnce_areAllAnsweredInOrder() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/{name}",
                      exchange -> {
                        scheduler.yield();
                        exchange.respondText(exchange.pathParameter("name"));
                      }));
          NettyChannel client = client(server)) {
        send(client, GET.replace("/ ", "/one "));
        assertEquals("one", body(until(client, "one")));
        send(client, GET.replace("/ ", "/two ") + GET.replace("/ ", "/three "));
        var _ = ((DuplexChannel) client.channel()).shutdownOutput();
        String rest = rest(client);
        assertEquals("three", body(body(rest)), rest);
        await(() -> server.connectionCount() == 0);
        assertEquals(REQUESTS, server.requestCount());
      }
    });
  }
}
