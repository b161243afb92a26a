package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.internal.MessageWire;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Handlers of WebSockets whose clients have gone, under virtual time.
@BackendsDiffer
final class WebSocketEndTest extends SimulatedRig {

  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final String TEXT_A = "\u0081\u0081\0\0\0\0a";
  private static final String UNMASKED = "\u0081\u0001b";
  private static final String PING_P = "\u0089\u0081\0\0\0\0p";
  private static final String PONG_Q = "\u008a\u0001q";
  private static final String CLOSE = "\u0088\u0080\0\0\0\0";

  /// What the handlers have received, and how they have ended.
  private final List<String> events = new ArrayList<>();

  private interface Talk {
    void on(WebSocket socket) throws IOException;
  }

  private HttpServer serve(Talk talk) throws IOException {
    return HttpServer.builder(scheduler)
        .limits(HttpLimits.USUAL.withTimes(Duration.ofSeconds(2), Duration.ofMinutes(1), PROGRESS))
        .get(
            "/",
            exchange -> {
              try (WebSocket socket = exchange.webSocket()) {
                talk.on(socket);
                events.add("returned");
              } catch (TaskCancelled e) {
                events.add("cancelled after " + clock.elapsed().toSeconds());
                throw e;
              }
            })
        .listen(ADDRESS);
  }

  private NettyChannel client() throws IOException {
    NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
    send(client, HttpRig.UPGRADE.replace("/socket", "/"));
    var _ = HttpRig.until(client, "\r\n\r\n");
    return client;
  }

  private static void send(NettyChannel client, String bytes) throws IOException {
    client.send(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
  }

  private void sleep(int seconds) {
    WaitForTime.on(scheduler).sleep(Duration.ofSeconds(seconds));
  }

  private void waits(WebSocket socket) {
    var _ = scheduler.suspend();
  }

  private void receives(WebSocket socket) throws IOException {
    WebSocketMessage each;
    do {
      sleep(4);
      each = socket.receive();
      events.add(each instanceof WebSocketMessage.Text(String text) ? text : "end");
    } while (each != null);
    sleep(60);
  }

  /// The first look comes while a message waits for the handler, so the client is not asked then.
  @Test
  void silence_whileTheHandlerWorks_asksTheClientFirst() {
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                var _ = socket.receive();
                sleep(31);
                var _ = socket.receive();
                sleep(40);
              });
          NettyChannel client = client()) {
        send(client, TEXT_A + TEXT_A);
        sleep(80);
        assertEquals(List.of("returned"), events);
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void ping_whileTheClientDoesNotRead_isAnsweredWhenItDoes() {
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                socket.send(new byte[500_000]);
                var _ = socket.receive();
              });
          NettyChannel client = client()) {
        sleep(1);
        send(client, PING_P + PING_P.replace('p', 'q'));
        sleep(1);
        String all = HttpRig.until(client, PONG_Q);
        assertEquals(10 + 500_000 + PONG_Q.length(), all.length());
        assertEquals(1, server.connectionCount());
      }
    });
  }

  /// RFC 6455, 5.5.1.
  @Test
  void serverEnds_messagesThatWaitForRoom_areNotSentBehindItsClose() {
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                var senders = new ArrayList<Task<?>>();
                for (int i = 0; i < 3; i++) {
                  senders.add(scheduler.spawn(() -> sends(socket, new byte[500_000])));
                }
                senders.forEach(Task::join);
              });
          NettyChannel client = client()) {
        sleep(1);
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(PROGRESS));
        sleep(1);
        byte[] all = HttpRig.rest(client).getBytes(StandardCharsets.ISO_8859_1);
        List<String> frames = WebSocketCase.frames(all, false);
        assertEquals(2, frames.size());
        assertEquals("close 1001", frames.getLast());
        assertEquals(List.of("sent", "closed", "closed", "returned"), events);
        assertTrue(draining.join());
      }
    });
  }

  /// RFC 6455, 5.5.1. At one of the numbers the send finds the turn spent, and gives way.
  @Test
  void serverEnds_messageWhoseTurnIsSpent_isNotSentBehindItsClose() {
    run(() -> {
      var ends = new HashSet<String>();
      for (int operations = 120; operations <= 135; operations++) {
        int before = operations;
        var draining = new ArrayList<Task<Boolean>>();
        try (HttpServer server =
                serve(socket -> {
                  var _ = socket.receive(); // the answer of the handshake has been sent
                  scheduler.yield();
                  var _ = scheduler.scheduleTask(draining.getFirst());
                  for (int i = 0; i < before; i++) {
                    scheduler.checkpoint();
                  }
                  sends(socket, new byte[1]);
                  scheduler.yield();
                });
            NettyChannel client = client()) {
          draining.add(scheduler.newTask("draining", () -> server.shutdown(PROGRESS)));
          send(client, TEXT_A);
          byte[] all = HttpRig.rest(client).getBytes(StandardCharsets.ISO_8859_1);
          List<String> frames = WebSocketCase.frames(all, false);
          assertEquals("close 1001", frames.getLast(), "operations=" + before);
          assertEquals(frames.size() == 2 ? "sent" : "closed", events.getFirst());
          assertTrue(draining.getFirst().join());
        }
        ends.add(events.getFirst());
        events.clear();
      }
      assertEquals(Set.of("sent", "closed"), ends);
    });
  }

  private void sends(WebSocket socket, byte[] message) throws IOException {
    try {
      socket.send(message);
      events.add("sent");
    } catch (ChannelClosedException e) {
      events.add("closed");
    }
  }

  @Test
  void send_clientHasBrokenTheProtocol_saysWhichSideHasClosedAndWhy() {
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                var _ = socket.receive();
                sleep(1);
                var closed =
                    assertThrows(ConnectionResetException.class, () -> socket.send("echo"));
                events.add(closed.getMessage().replaceFirst("send to .*(?=this side)", ""));
                events.add(closed.getCause().getMessage());
              });
          NettyChannel client = client()) {
        send(client, TEXT_A + UNMASKED);
        sleep(2);
        String why = "the peer has broken the protocol: the frame is not masked";
        assertEquals(List.of("this side has closed the channel: " + why, why, "returned"), events);
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void close_reasonOfMoreThan123Bytes_isRefused() {
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                var refused =
                    assertThrows(
                        IllegalArgumentException.class,
                        () -> socket.close(1000, "\u00e9".repeat(62)));
                assertEquals("the reason has 124 bytes; required <= 123", refused.getMessage());
                socket.close(1000, "x".repeat(123));
              });
          NettyChannel client = client()) {
        String close = HttpRig.until(client, "x".repeat(123));
        assertEquals("\u0088}\u0003\u00e8" + "x".repeat(123), close);
        send(client, CLOSE);
        pause();
        assertEquals(1, server.requestCount());
      }
    });
  }

  /// To close the socket would wait until the client makes room.
  @Test
  void clientIsSlow_cancellingItsHandler_endsItAtOnce() {
    var text = "x".repeat(10_000);
    var tasks = new ArrayList<Task<?>>();
    run(() -> {
      try (HttpServer server =
              serve(socket -> {
                while (socket.trySend(text)) {
                  scheduler.yield();
                }
                tasks.add(scheduler.currentTask());
                tasks.add(
                    scheduler.spawn(() ->
                        assertThrows(
                            ChannelClosedException.class,
                            () -> {
                              while (true) {
                                socket.send(text);
                              }
                            })));
                waits(socket);
              });
          NettyChannel _ = client()) {
        sleep(1);
        boolean _ = tasks.getFirst().cancel("too slow");
        var _ = tasks.getLast().join();
        // On BOUND the other task is in a write of Netty's, which fails when the socket is closed.
        long lingering = backend.name().equals("BOUND") ? MessageWire.LINGER.toSeconds() : 0;
        assertEquals(1 + lingering, clock.elapsed().toSeconds());
        assertEquals(List.of("cancelled after 1"), events);
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void clientHasGone_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer server = serve(this::waits)) {
        client().close();
        sleep(60);
        assertEquals(List.of("cancelled after 5"), events);
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void clientEndsItsDirection_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer server = serve(this::waits);
          NettyChannel client = client()) {
        var _ = ((DuplexChannel) client.channel()).shutdownOutput();
        assertNull(client.receive());
        assertEquals(List.of("cancelled after 5"), events);
        pause();
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void clientCloses_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer _ = serve(this::waits);
          NettyChannel client = client()) {
        send(client, CLOSE);
        var _ = HttpRig.rest(client);
        assertEquals(List.of("cancelled after 5"), events);
      }
    });
  }

  @Test
  void clientIsSilent_handlerThatNeverReceives_isCancelled() {
    run(() -> {
      try (HttpServer _ = serve(this::waits);
          NettyChannel client = client()) {
        var _ = HttpRig.rest(client); // no answer to two pings
        sleep(60);
        assertEquals(1, events.size(), () -> events.toString());
      }
    });
  }

  /// It takes longer than the time of `progress` with all of them together, and behind the last.
  @Test
  void clientHasGone_messagesBefore_areReceived() {
    run(() -> {
      try (HttpServer _ = serve(this::receives)) {
        try (NettyChannel client = client()) {
          send(client, TEXT_A.repeat(3) + CLOSE);
        }
        sleep(120);
        assertEquals(List.of("a", "a", "a", "end", "returned"), events);
      }
    });
  }

  @Test
  void clientHasGone_messageThatIsNotReceived_isNotLost() {
    run(() -> {
      try (HttpServer server =
          serve(socket -> {
            sleep(20);
            receives(socket);
          })) {
        try (NettyChannel client = client()) {
          send(client, TEXT_A + CLOSE);
        }
        sleep(120);
        assertEquals(List.of("a", "end", "returned"), events);
        assertEquals(0, server.connectionCount());
      }
    });
  }

  /// Its handler has learned of the reset by a choice, and takes its time to end.
  @Test
  void clientResets_handlerThatLearnsOfItByAChoice_isNotCancelled() {
    run(() -> {
      try (HttpServer server =
          serve(socket -> {
            assertThrows(
                ConnectionResetException.class,
                () ->
                    scheduler.select(
                        socket.receiving(), netty.waitable(netty.group().next().newPromise())));
            sleep(60);
          })) {
        NettyChannel client = client();
        client.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        client.close();
        sleep(120);
        assertEquals(List.of("returned"), events);
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void handlerReturns_nothingOfTheClientsEndIsLeft() {
    run(() -> {
      try (HttpServer server = serve(socket -> sleep(3))) {
        client().close();
        sleep(4);
        assertEquals(List.of("returned"), events);
        assertEquals(0, server.connectionCount());
      }
    });
  }
}
