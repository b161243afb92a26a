package dev.rondo.examples.auction;

import dev.rondo.application.Application;
import dev.rondo.io.TcpSocket;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A client of the auction: a task with a real socket and straight-line code.
public final class Bidder {

  private static final int LONGEST_LINE_BYTES = 80;

  private final Application app;
  private final String name;
  private final int port;
  private final Random random;

  public Bidder(Application app, String name, int port, long seed) {
    this.app = app;
    this.name = name;
    this.port = port;
    this.random = new Random(seed);
  }

  /// Joins, waits for the auction to open, and bids until it is over.
  ///
  /// @return the server's last line
  public String bid() throws IOException {
    try (TcpSocket socket = join()) {
      app.waitForSignal("open");
      int known = 0;
      while (true) {
        app.sleep(Duration.ofMillis(50 + random.nextInt(200)));
        String answer = ask(socket, "BID " + (known + 1 + random.nextInt(20)));
        if (answer.startsWith("SOLD") || answer.equals("BYE")) {
          return answer;
        }
        known = Integer.parseInt(answer.substring(answer.indexOf(' ') + 1));
      }
    }
  }

  /// Joins, and then stays silent until the server closes the connection.
  ///
  /// @return the server's last line
  @Nullable
  public String sleepIn() throws IOException {
    try (TcpSocket socket = join()) {
      app.waitForSignal("open");
      return socket.readLine(LONGEST_LINE_BYTES);
    }
  }

  private TcpSocket join() throws IOException {
    TcpSocket socket = app.connect("127.0.0.1", port);
    ask(socket, "JOIN " + name);
    return socket;
  }

  private static String ask(TcpSocket socket, String line) throws IOException {
    socket.write(line + "\n");
    String answer = socket.readLine(LONGEST_LINE_BYTES);
    if (answer == null) {
      throw new EOFException("the server hung up on " + line);
    }
    return answer;
  }
}
