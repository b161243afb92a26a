package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.HttpRig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyTransport;
import dev.rondo.scheduler.TaskCancelled;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients of HTTP/1.1 that go while the handler has not read what they have sent, on NIO: there
/// the end of a connection is seen only behind all that came before it.
final class HttpUnreadBehindTest extends HttpRig {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";

  @Override
  protected NettyTransport transport() {
    return NettyTransport.NIO;
  }

  @Test
  void client_goesBehindWhatIsUnread_theTaskIsCancelled() {
    run(() -> {
      for (String request :
          List.of(POST + "x".repeat(10_000), POST + "x".repeat(60_000), GET.repeat(9))) {
        for (boolean resets : new boolean[] {true, false}) {
          var seen = new ArrayList<String>();
          try (HttpServer server =
                  serve(routes ->
                      routes
                          .get("/", exchange -> waits(exchange, seen))
                          .post("/", exchange -> waits(exchange, seen)));
              NettyChannel client = client(server)) {
            send(client, request);
            await(() -> seen.contains("begun"));
            settle();
            if (resets) {
              client.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            }
            var _ = client.channel().close();
            await(() -> server.connectionCount() == 0);
            assertEquals(List.of("begun", "cancelled"), seen);
          }
        }
      }
    });
  }

  private void waits(HttpExchange exchange, List<String> seen) {
    exchange.endWithClient();
    seen.add("begun");
    try {
      scheduler.within(Duration.ofHours(1), scheduler::suspend);
    } catch (TaskCancelled e) {
      seen.add("cancelled");
      throw e;
    }
  }
}
