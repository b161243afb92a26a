package dev.rondo.examples;

import static dev.rondo.application.Rondo.*;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Promise;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The static words, in the style of the test programs of TINN (William Adams, 2013), where
/// `spawn`, `periodic`, `waitFor` and `stop` are global functions of Lua: tasks take turns, a clock
/// ticks, and a predicate on its ticks ends the program.
final class Tinn {

  private static final Duration TICK = Duration.ofMillis(100);
  private static final int LAST_TICK = 5;
  private static final int NUMBERS = 5_000;
  private static final int LONGEST_LINE_BYTES = 80;

  private final Application app;
  private int tick;
  private int seen;
  private long turns;

  private Tinn(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> new Tinn(app).run());
  }

  private void run() throws Exception {
    takeTurns();
    watchTheClock();
    waitForHalfTime();
    talk();
    losePatience();
    waitFor(() -> tick >= LAST_TICK);
    say("waitFor", "%d ticks are over; the spinner has had %,d turns", tick, turns);
    stop(); // otherwise the spinner would run for ever
  }

  /// One task spins, and two count: each lets the others run after every step.
  private void takeTurns() {
    spawn(this::spin);
    Task<String> twos = spawn(() -> count(2));
    Task<String> fives = spawn(() -> count(5));
    say("spawn", "two tasks have counted %s and %s", twos.join(), fives.join());
  }

  private void spin() {
    while (true) {
      turns++;
      yieldNow();
    }
  }

  private static String count(int divisor) {
    int count = 0;
    for (int number = 1; number <= NUMBERS; number++) {
      if (number % divisor == 0) {
        count++;
      }
      yieldNow();
    }
    return "%,d multiples of %d".formatted(count, divisor);
  }

  /// Starts everything that depends on the clock.
  private void watchTheClock() {
    periodic(TICK, () -> say("periodic", "tick %d", ++tick));
    delay(TICK.dividedBy(2), () -> say("delay", "half a tick is over"));
    when(() -> tick >= 2, () -> say("when", "the second tick, and no other"));
    whenever(
        () -> tick > seen,
        () -> {
          seen = tick;
          say("whenever", "a tick, whichever it is");
        });
    signalOnPredicate(() -> tick >= 3, "half-time");
    onSignal("half-time", () -> say("onSignal", "half-time"));
  }

  /// A predicate sends the signal; a task that waits for it fulfills a promise.
  private void waitForHalfTime() {
    Promise<Integer> news = new Promise<>(app.scheduler(), "news");
    spawn(() -> {
      waitForSignal("half-time");
      news.fulfill(signalAll("pause"));
    });
    spawn(() -> waitForSignal("pause"));
    spawn(() -> waitForSignal("pause"));
    say("signalAll", "%d tasks were waiting for the pause", await(news));
    spawn(() -> waitForSignal("whistle"));
    spawn(() -> waitForSignal("whistle"));
    sleep(TICK.dividedBy(4));
    say("signalOne", "the first of two tasks was woken: %b", signalOne("whistle"));
    say("signalAllImmediate", "%d task runs before all others", signalAllImmediate("whistle"));
  }

  /// A server and a client, with real sockets.
  private void talk() throws IOException {
    TcpListener listener = listen(0);
    spawn(() -> {
      try (listener;
          TcpSocket socket = listener.accept()) {
        socket.input().transferTo(socket.output());
      }
    });
    try (TcpSocket socket = connect("127.0.0.1", listener.port())) {
      socket.write("hello\n");
      say("connect", "the echo server answers '%s'", socket.readLine(LONGEST_LINE_BYTES));
    }
  }

  private void losePatience() {
    timeout(TICK);
    try {
      waitForSignal("extra time");
    } catch (TimedOutException e) {
      say("timeout", "no extra time was signalled within %d ms", TICK.toMillis());
    }
    timeout(Duration.ZERO); // no limit from now on
  }

  /// Prints a line, with the time and the word that caused it.
  @SuppressWarnings("AnnotateFormatMethod")
  private void say(String word, String text, @Nullable Object... args) {
    double seconds = app.runningTime().toNanos() / 1e9;
    System.out.printf(Locale.ROOT, "%5.2f s  %-9s %s%n", seconds, word, text.formatted(args));
  }
}
