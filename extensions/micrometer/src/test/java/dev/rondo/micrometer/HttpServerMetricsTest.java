package dev.rondo.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.server.HttpAccess;
import dev.rondo.http.server.HttpServer;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HttpServerMetricsTest extends BackendTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Timer requests(String method, String route, String status, String outcome) {
    return timer("rondo.http.requests", method, route, status, outcome);
  }

  private Timer timer(String name, String method, String route, String status, String outcome) {
    return registry
        .get(name)
        .tags("method", method, "route", route, "status", status, "outcome", outcome)
        .timer();
  }

  private double bytes(String direction) {
    return registry.get("rondo.http.bytes").tag("direction", direction).counter().count();
  }

  @Test
  void requests_ofAServer_areTimedByRoute() {
    try (var scheduler = builder().build()) {
      var _ = WaitForTime.on(scheduler);
      runOn(
          scheduler,
          () -> {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (HttpServer server =
                    HttpServer.builder(scheduler)
                        .get("/{name}", exchange -> exchange.respondText("text"))
                        .post("/echo", exchange -> exchange.respondText(exchange.bodyText()))
                        .accessLog(new HttpServerMetrics(registry))
                        .listen(address);
                HttpClient client = HttpClient.builder(scheduler).build()) {
              int port = ((InetSocketAddress) server.localAddress()).getPort();
              URI root = URI.create("http://127.0.0.1:" + port + "/");
              for (String path : new String[] {"a", "b?c", "d/e"}) {
                try (var response = client.get(root.resolve(path))) {
                  var _ = response.bodyText();
                }
              }
              try (var response =
                  client
                      .request(HttpMethod.POST, root.resolve("echo"))
                      .body("text/plain", "abc".getBytes(StandardCharsets.UTF_8))
                      .send()) {
                assertEquals("abc", response.bodyText());
              }
              assertTrue(server.shutdown(Duration.ofSeconds(30)));
            }
            return null;
          });
    }
    assertEquals(2, requests("GET", "/{name}", "200", "COMPLETE").count());
    assertEquals(1, requests("GET", "NONE", "404", "COMPLETE").count());
    assertEquals(1, requests("POST", "/echo", "200", "COMPLETE").count());
    assertEquals(2, timer("rondo.http.first.byte", "GET", "/{name}", "200", "COMPLETE").count());
    assertEquals(3, bytes("received"));
    assertTrue(bytes("sent") >= 4 + 4 + 3);
  }

  @Test
  void request_withoutResponse_hasNoFirstByte() {
    new HttpServerMetrics(registry)
        .accept(
            new HttpAccess(
                Instant.EPOCH,
                Duration.ofSeconds(3),
                null,
                "HTTP/1.1",
                "MINE",
                "/a",
                "",
                0,
                null,
                5,
                0,
                false));
    Timer timed = requests("OTHER", "NONE", "NONE", "INCOMPLETE");
    assertEquals(3, timed.totalTime(TimeUnit.SECONDS));
    assertNull(registry.find("rondo.http.first.byte").timer());
    assertEquals(5, bytes("received"));
  }
}
