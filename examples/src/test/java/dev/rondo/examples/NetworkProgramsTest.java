package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The programs with sockets, processes and an orderly end, in virtual time.
@EveryBackend
final class NetworkProgramsTest {

  private static final int LONGEST_LINE_BYTES = 300;

  /// A number of lines that fills all buffers between the chat and a guest that does not read.
  private static final int MANY_LINES = 3_000;

  private static final String LONG_TEXT = "x".repeat(180);

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();

  private void run(Application.Main main) {
    var builder = Application.builder().backend(backend).clock(clock).bare();
    builder.run(main);
  }

  // The chat.

  private interface Evening {
    void spend(Application app, Chat chat, int port) throws Exception;
  }

  private void chat(Evening evening) {
    run(app -> {
      TcpListener listener = app.listen(0);
      var chat = new Chat(app, listener);
      app.spawn("accept", chat::accept);
      evening.spend(app, chat, listener.port());
      chat.close();
    });
  }

  private static TcpSocket guest(Application app, Chat chat, int port, String name)
      throws IOException {
    int before = chat.guests();
    TcpSocket socket = app.connect("127.0.0.1", port);
    socket.write(name + "\n");
    app.waitFor(() -> chat.guests() > before);
    return socket;
  }

  private static @Nullable String line(TcpSocket socket) throws IOException {
    return socket.readLine(LONGEST_LINE_BYTES);
  }

  @Test
  void chat_whatOneSays_allReadInTheSameOrder() {
    chat((app, chat, port) -> {
      try (TcpSocket ann = guest(app, chat, port, "Ann");
          TcpSocket ben = guest(app, chat, port, "Ben")) {
        assertEquals("* Ann has come", line(ann));
        for (TcpSocket each : List.of(ann, ben)) {
          assertEquals("* Ben has come", line(each));
        }
        ann.write("hello\n");
        assertEquals("Ann: hello", line(ann));
        ben.write("hi\n/quit\n");
        assertEquals("Ann: hello", line(ben));
        assertEquals("Ben: hi", line(ann));
        assertEquals("* Ben has left", line(ann));
        chat.close();
        assertEquals("* good night", line(ann));
        assertNull(line(ann));
      }
    });
  }

  @Test
  void chat_guestWhoReadsNothing_holdsNobodyUpAndIsShownOut() {
    chat((app, chat, port) -> {
      try (TcpSocket ann = guest(app, chat, port, "Ann");
          TcpSocket _ = guest(app, chat, port, "Ben")) {
        assertEquals("* Ann has come", line(ann));
        assertEquals("* Ben has come", line(ann));
        boolean left = false;
        for (int i = 0; i < 10 * MANY_LINES && !left; i++) {
          ann.write(i + " " + LONG_TEXT + "\n");
          String heard = line(ann);
          left = "* Ben has left".equals(heard);
          assertEquals("Ann: " + i + " " + LONG_TEXT, left ? line(ann) : heard);
          clock.skip(Duration.ofMillis(5));
        }
        assertTrue(left);
        assertEquals(1, chat.shownOut());
        assertEquals(1, chat.guests());
      }
    });
  }

  @Test
  void chat_guestWhoReadsLate_isToldHowManyHeMissed() {
    chat((app, chat, port) -> {
      try (TcpSocket ann = guest(app, chat, port, "Ann");
          TcpSocket ben = guest(app, chat, port, "Ben")) {
        assertEquals("* Ann has come", line(ann));
        assertEquals("* Ben has come", line(ann));
        for (int i = 0; i < MANY_LINES; i++) {
          say(ann, i);
        }
        assertEquals("* Ben has come", line(ben));
        int expected = 0;
        int missed = 0;
        while (expected < MANY_LINES) {
          String text = String.valueOf(line(ben));
          if (text.startsWith("* you missed ")) {
            int more = Integer.parseInt(text.replaceAll("\\D", ""));
            missed += more;
            expected += more;
          } else {
            assertTrue(text.startsWith("Ann: " + expected + " "), text);
            expected++;
          }
        }
        assertTrue(missed > 0);
      }
    });
  }

  @Test
  void chat_guestResetsTheConnection_isNoFailure() {
    List<Throwable> failures = new ArrayList<>();
    var builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .bare()
            .failureHandler((where, failure) -> failures.add(failure));
    builder.run(app -> {
      TcpListener listener = app.listen(0);
      var chat = new Chat(app, listener);
      app.spawn("accept", chat::accept);
      TcpSocket ann = guest(app, chat, listener.port(), "Ann");
      ann.setOption(StandardSocketOptions.SO_LINGER, 0).close();
      app.waitFor(() -> chat.guests() == 0);
      chat.close();
    });
    assertEquals(List.of(), failures);
  }

  @Test
  void chat_applicationShutsDown_guestsReadGoodNight() {
    run(app -> {
      TcpListener listener = app.listen(0);
      var chat = new Chat(app, listener);
      app.spawn("accept", chat::accept);
      app.spawn("evening", () -> chat.spend(Duration.ofHours(1)));
      try (TcpSocket ann = guest(app, chat, listener.port(), "Ann")) {
        assertEquals("* Ann has come", line(ann));
        app.shutdown(Duration.ofMinutes(10), Duration.ofMinutes(1)); // as on Ctrl-C
        assertEquals("* good night", line(ann));
        assertNull(line(ann));
      }
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  private static void say(TcpSocket guest, int number) throws IOException {
    String text = number + " " + LONG_TEXT;
    guest.write(text + "\n");
    assertEquals("Ann: " + text, line(guest));
  }

  // Others.

  @Test
  void pipeline_words_comeBackSortedAndCounted() {
    run(app -> assertEquals(List.of("2 A", "1 B", "3 C"), Pipeline.count(app, "c a c b a c")));
  }

  @Test
  void shutDown_whoListensFinishes_whoDoesNotIsCancelledAndCleansUp() {
    List<String> told = new ArrayList<>();
    run(app ->
        ShutDownWell.run(
            app, (who, what) -> told.add(clock.elapsed().toMillis() + " " + who + ": " + what)));
    assertEquals(
        List.of(
            "250 shutdown: tasks may go on for 1 s",
            "250 cook: order 1 is done",
            "250 orders: no more",
            "400 cook: order 2 is done",
            "400 cook: no order is left",
            "1250 guard: cancelled, locks the door",
            "1350 guard: the door is locked",
            "1350 the end: 0 tasks did not end"),
        told);
  }

  // The poller.

  @Test
  void poller_aSensorThatIsUnreliable_hasAllReadings() {
    run(app -> {
      TcpListener sensor = app.listen(0);
      app.spawn("sensor", () -> Poller.measure(app, sensor));
      assertEquals(
          List.of("reading 3: 21 degrees", "reading 6: 21 degrees"),
          Poller.poll(app, sensor.port(), 2));
      sensor.close();
    });
  }

  @Test
  void poller_noSensor_failsAfterAllAttempts() {
    run(app -> {
      int port;
      try (TcpListener sensor = app.listen(0)) {
        port = sensor.port();
      }
      var failure = assertThrows(TaskFailedException.class, () -> Poller.poll(app, port, 1));
      assertInstanceOf(ConnectException.class, failure.getCause());
      assertEquals(4, failure.getCause().getSuppressed().length);
    });
  }
}
