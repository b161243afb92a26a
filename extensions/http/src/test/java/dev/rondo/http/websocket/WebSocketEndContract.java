package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.HttpRig;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.TaskCancelled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A WebSocket's client goes while the handler waits for something else, over loopback.
abstract class WebSocketEndContract extends HttpRig {

  /// For the handler to learn that the client has gone. The test ends when it is over.
  private static final Duration PROGRESS = Duration.ofMillis(30);

  private final List<String> events = new ArrayList<>();

  private HttpServer serve() throws IOException {
    Duration minute = Duration.ofMinutes(1);
    return serve(server ->
        server
            .limits(HttpLimits.USUAL.withTimes(minute, minute, PROGRESS))
            .get(
                "/socket",
                exchange -> {
                  try (WebSocket _ = exchange.webSocket()) {
                    var _ = scheduler.suspend();
                  } catch (TaskCancelled e) {
                    events.add("cancelled");
                    throw e;
                  }
                }));
  }

  private NettyChannel open(HttpServer server) throws IOException {
    NettyChannel client = client(server);
    send(client, HttpRig.UPGRADE);
    var _ = until(client, "\r\n\r\n");
    return client;
  }

  @Test
  void clientCloses_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = open(server)) {
        send(client, "\u0088\u0080\0\0\0\0");
        var _ = rest(client);
        assertEquals(List.of("cancelled"), events);
      }
    });
  }

  @Test
  void clientHasGone_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer server = serve()) {
        open(server).close();
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("cancelled"), events);
      }
    });
  }
}
