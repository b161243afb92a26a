package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Ten thousand connections open at once on one loop: accepted, echoed, closed, and none left. The
/// clients run in their own JVM, because both ends count against the limit of open files.
@Nightly("10,000 connections between two JVMs")
final class ManyConnectionsTest {

  private static final int CONNECTIONS = 10_000;
  private static final int SPARE_DESCRIPTORS = 200;
  private static final int MESSAGE_BYTES = 64;

  /// The clients.
  static final class Clients {

    private Clients() {}

    public static void main(String[] args) {
      int port = Integer.parseInt(args[0]);
      Application.runAndExit(app -> connectAll(app, port));
    }

    private static void connectAll(Application app, int port) throws IOException {
      var clients = new ArrayList<Task<Void>>();
      for (int i = 0; i < CONNECTIONS; i++) {
        TcpSocket socket = app.connect("127.0.0.1", port);
        int id = i;
        clients.add(app.spawn("client " + id, () -> converse(app, socket, id)));
      }
      app.waitFor(() -> app.signals().signal("close").waiterCount() == CONNECTIONS);
      app.signalAll("close");
      clients.forEach(Task::join);
    }

    private static void converse(Application app, TcpSocket socket, int id) throws IOException {
      try (socket) {
        var message = new byte[MESSAGE_BYTES];
        for (int i = 0; i < MESSAGE_BYTES; i++) {
          message[i] = (byte) (id * 31 + i);
        }
        socket.write(ByteBuffer.wrap(message));
        var answer = ByteBuffer.allocate(MESSAGE_BYTES);
        socket.readFully(answer);
        if (!answer.flip().equals(ByteBuffer.wrap(message))) {
          throw new IOException("client " + id + " got back other bytes than it sent");
        }
        app.waitForSignal("close");
      }
    }
  }

  private int echoed;
  private int mostOpen;
  private int open;

  @Test
  void tenThousandConnections_openAtOnce_areServedAndNothingIsLeft() {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
            && os.getMaxFileDescriptorCount() > CONNECTIONS + SPARE_DESCRIPTORS,
        "this machine does not allow that many open files");
    Application.run(app -> {
      Task<Void> server;
      try (TcpListener listener = app.listen(0)) {
        server = app.spawn("server", () -> serve(app, listener));
        int exit = app.blocking(() -> clients(listener.port()).waitFor());
        assertEquals(0, exit);
        app.waitFor(() -> open == 0);
      }
      server.join();
      assertEquals(CONNECTIONS, echoed);
      assertEquals(CONNECTIONS, mostOpen);
      assertEquals(0, ChannelFigures.of(app.scheduler()).open());
      assertEquals(0, ChannelFigures.of(app.scheduler()).waits());
    });
  }

  private static Process clients(int port) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Clients.class.getName(),
            Integer.toString(port))
        .inheritIO()
        .start();
  }

  private void serve(Application app, TcpListener listener) throws IOException {
    while (true) {
      TcpSocket socket;
      try {
        socket = listener.accept();
      } catch (ChannelClosedException e) {
        return;
      }
      open++;
      mostOpen = Math.max(mostOpen, open);
      app.spawn(() -> echo(socket));
    }
  }

  private void echo(TcpSocket socket) throws IOException {
    try (socket) {
      var buffer = ByteBuffer.allocate(MESSAGE_BYTES);
      while (socket.read(buffer) >= 0) {
        if (!buffer.hasRemaining()) {
          socket.write(buffer.flip());
          buffer.clear();
          echoed++;
        }
      }
    } finally {
      open--;
    }
  }
}
