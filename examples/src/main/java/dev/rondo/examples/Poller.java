package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.time.Backoff;
import dev.rondo.time.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Polls a sensor. An attempt that takes too long or fails is repeated after a growing pause. When
/// there are enough readings, the polling task is cancelled where it waits. Its group ends after
/// it.
final class Poller {

  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final int ATTEMPTS = 5;
  private static final int LONGEST_LINE_BYTES = 80;

  private Poller() {}

  static void main() {
    Application.run(app -> {
      TcpListener sensor = app.listen(0);
      app.spawn("sensor", () -> measure(app, sensor));
      poll(app, sensor.port(), 5).forEach(IO::println);
      sensor.close(); // ends the sensor
    });
  }

  /// {@return a number of readings} Suspends its task. If the sensor does not answer at all, this
  /// throws a `TaskFailedException` whose cause is the failure of the last attempt.
  static List<String> poll(Application app, int port, int wanted) {
    var readings = new ArrayList<String>();
    TaskGroup<Void> polling = app.newGroup("polling");
    polling.run(() -> {
      polling.spawn("poller", () -> pollForEver(app, port, readings));
      app.waitFor(() -> readings.size() >= wanted);
      polling.cancel("enough");
    }); // returns when the poller has ended, and throws its failure
    return readings;
  }

  private static void pollForEver(Application app, int port, List<String> readings)
      throws IOException {
    var pauses = Backoff.exponential(ATTEMPTS, FIRST_PAUSE);
    var retry = new Retry(app.scheduler(), pauses, new Random());
    while (true) {
      readings.add(retry.run(() -> app.within(PATIENCE, () -> ask(app, port))));
      app.sleep(INTERVAL);
    }
  }

  private static String ask(Application app, int port) throws IOException {
    try (TcpSocket socket = app.connect("127.0.0.1", port)) {
      String line = socket.readLine(LONGEST_LINE_BYTES);
      if (line == null) {
        throw new IOException("no reading");
      }
      return line;
    }
  }

  /// An unreliable sensor. Of three connections it drops the first, is too slow for the second, and
  /// answers the third.
  static void measure(Application app, TcpListener listener) throws IOException {
    try {
      for (int i = 1; ; i++) {
        int connection = i;
        TcpSocket socket = listener.accept();
        app.spawn(
            "measure " + i,
            () -> {
              try (socket) {
                switch (connection % 3) {
                  case 1 -> {} // drops it
                  case 2 -> app.sleep(PATIENCE.multipliedBy(2));
                  default -> socket.write("reading %d: 21 degrees\n".formatted(connection));
                }
              }
            });
      }
    } catch (ChannelClosedException e) {
      // the listener was closed
    }
  }
}
