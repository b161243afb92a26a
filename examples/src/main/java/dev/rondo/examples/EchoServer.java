package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// An echo server and a hundred clients, all of them tasks on one thread. Each client sends lines
/// and reads them back; the server ends after the last client.
final class EchoServer {

  private static final int CLIENTS = 100;
  private static final int LINES = 100;
  private static final int LONGEST_LINE_BYTES = 80;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private EchoServer() {}

  static void main() {
    Application.run(app -> {
      TcpListener listener = app.listen(0);
      app.spawn("accept", () -> accept(app, listener));
      // A group waits for all its tasks; if one of them fails, the others are cancelled.
      var clients = app.<Integer>newGroup("clients");
      clients.run(() -> {
        for (int i = 0; i < CLIENTS; i++) {
          String name = "client " + i;
          clients.spawn(name, () -> converse(app, name, listener.port()));
        }
      });
      listener.close(); // ends accept()
      int lines = clients.results().stream().mapToInt(Integer::intValue).sum();
      IO.println("%d clients, %d lines came back".formatted(CLIENTS, lines));
    });
  }

  private static void accept(Application app, TcpListener listener) throws IOException {
    try {
      while (true) {
        TcpSocket socket = listener.accept().readTimeout(PATIENCE).writeTimeout(PATIENCE);
        app.spawn("echo " + socket.remoteAddress(), () -> echo(socket));
      }
    } catch (ChannelClosedException e) {
      // the listener was closed
    }
  }

  private static void echo(TcpSocket socket) throws IOException {
    try (socket) {
      socket.input().transferTo(socket.output()); // until the client's end of stream
    }
  }

  private static int converse(Application app, String name, int port) throws IOException {
    int lines = 0;
    try (TcpSocket socket = app.connect("127.0.0.1", port)) {
      for (int i = 0; i < LINES; i++) {
        String line = name + " line " + i;
        socket.write(line + "\n");
        if (!line.equals(socket.readLine(LONGEST_LINE_BYTES, StandardCharsets.UTF_8))) {
          throw new IOException("a different line came back than " + line);
        }
        lines++;
      }
    }
    return lines;
  }
}
