package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// The end of a response for which a client of HTTP/2 makes no room, under virtual time. The client
/// sends its frames as bytes.
@BackendsDiffer
final class Http2LastPartTest extends SimulatedRig {

  private static final HttpLimits LIMITS =
      HttpLimits.USUAL.withTimes(
          Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(5));

  private static final Duration GRACE = Duration.ofSeconds(20);

  /// A preface, settings that let the server send no data, and a GET with and without a body.
  private static final String BEGIN =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "\0\4\0\0\0\0");

  /// A lot of room, for all streams together and for the first one.
  private static final String MUCH_ROOM =
      frame(8, 0, 0, "\u007f\0\0\0") + frame(8, 0, 1, "\u007f\0\0\0");

  private static final String GET = frame(1, 1 | 4, 1, "\u0082\u0086\u0084\1\1a");
  private static final String NEXT_GET = GET.replace("\0\0\0\1\u0082", "\0\0\0\3\u0082");
  private static final String POST =
      frame(1, 4, 1, "\u0083\u0086\u0084\1\1a") + frame(0, 1, 1, "body");

  private static final String ROOM = frame(8, 0, 1, "\0\0\0\u00ff");
  private static final String CANCEL = frame(3, 0, 1, "\0\0\0\u0008");
  private static final String INTERNAL_ERROR = frame(3, 0, 1, "\0\0\0\2");
  private static final String HELLO = frame(0, 1, 1, "hello");

  private int handled;

  private static String frame(int type, int flags, int stream, String payload) {
    return "\0\0%c%c%c\0\0\0%c%s"
        .formatted((char) payload.length(), (char) type, (char) flags, (char) stream, payload);
  }

  private HttpServer serve() throws IOException {
    return HttpServer.builder(scheduler)
        .limits(LIMITS)
        .get("/", this::respond)
        .post("/", this::respond)
        .listen(ADDRESS);
  }

  private void respond(HttpExchange exchange) throws IOException {
    var _ = exchange.bodyText();
    exchange.respondText("hello");
    handled++;
  }

  private NettyChannel client() throws IOException {
    return netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
  }

  private static void send(NettyChannel client, String text) throws IOException {
    client.send(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  private void sleep(int seconds) {
    WaitForTime.on(scheduler).sleep(Duration.ofSeconds(seconds));
  }

  private long seconds() {
    return clock.elapsed().toSeconds();
  }

  private void each(Checked check) {
    for (String request : new String[] {GET, POST}) {
      run(() -> {
        handled = 0;
        try (HttpServer server = serve();
            NettyChannel client = client()) {
          send(client, BEGIN + request);
          check.run(server, client);
        }
        sleep(2); // a connection with open streams takes a second to close
      });
    }
  }

  private interface Checked {
    void run(HttpServer server, NettyChannel client) throws IOException;
  }

  @Test
  void client_makesRoomInTime_receivesTheResponse() {
    each((server, client) -> {
      sleep(4);
      boolean ends = LoopControl.of(scheduler.host()).backend().sharesThread();
      assertEquals(ends ? 1 : 0, handled); // elsewhere a task waits until its response is sent
      send(client, ROOM);
      var _ = HttpRig.until(client, HELLO);
      assertEquals(1, server.connectionCount());
    });
  }

  @Test
  void client_makesNoRoom_isResetInTime() {
    each((server, client) -> {
      long begun = seconds();
      var _ = HttpRig.until(client, INTERNAL_ERROR);
      assertEquals(5, seconds() - begun);
      assertEquals(1, server.requestCount());
      assertEquals(1, server.connectionCount());
      send(client, NEXT_GET);
      sleep(1);
      assertEquals(1, server.connectionCount());
    });
  }

  @Test
  void client_resetsMeanwhile_nothingIsLeft() {
    each((server, client) -> {
      sleep(1);
      send(client, CANCEL);
      sleep(1);
      assertEquals(1, server.requestCount());
      long begun = seconds();
      assertTrue(server.shutdown(GRACE));
      assertTrue(seconds() - begun <= 2); // to learn of it, and to end its direction
    });
  }

  @Test
  void shutdown_waitsForTheEndOfTheResponse() {
    each((server, client) -> {
      sleep(1);
      Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
      sleep(2);
      assertFalse(draining.isDone());
      send(client, ROOM);
      var _ = HttpRig.until(client, HELLO);
      assertTrue(draining.join());
    });
  }

  @Test
  void close_meanwhile_leavesNothing() {
    each((server, client) -> {
      sleep(1);
      server.close();
      sleep(2); // for the streams, and until the client ends its direction, which it does not
      assertEquals(0, server.connectionCount());
    });
  }

  /// The first response fills the connection, so the second one waits, and is cancelled.
  @Test
  void connection_hasNoRoom_itsStreamsAreResetNevertheless() {
    run(() -> {
      var tasks = new ArrayList<Task<?>>();
      var mark = new WriteBufferWaterMark(1, 2);
      try (HttpServer server =
              HttpServer.builder(scheduler)
                  .limits(LIMITS)
                  .options(each -> each.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, mark))
                  .get(
                      "/",
                      exchange -> {
                        tasks.add(scheduler.currentTask());
                        exchange.respondText(tasks.size() == 1 ? "x".repeat(1 << 20) : "hello");
                      })
                  .listen(ADDRESS);
          NettyChannel client = client()) {
        send(client, BEGIN + GET + MUCH_ROOM);
        sleep(1);
        send(client, NEXT_GET);
        sleep(1);
        assertTrue(tasks.getLast().cancel("test"));
        sleep(15); // the first one gives up, and cannot say so
        assertEquals(2, server.requestCount());
        String received = HttpRig.until(client, CANCEL);
        assertTrue(received.contains(frame(3, 0, 3, "\0\0\0\u0008")));
      }
      sleep(2);
    });
  }
}
