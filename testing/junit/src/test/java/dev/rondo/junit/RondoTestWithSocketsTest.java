package dev.rondo.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// `@RondoTest` with sockets of the real loopback.
final class RondoTestWithSocketsTest {

  private record Pair(TcpSocket client, TcpSocket server) implements AutoCloseable {

    static Pair open(Application app) throws IOException {
      try (TcpListener listener = app.listen(0)) {
        Task<TcpSocket> client = app.spawn(() -> app.connect("localhost", listener.port()));
        TcpSocket server = listener.accept();
        return new Pair(client.join(), server);
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @RondoTest
  void sleep_socketsClosed_ends(Application app) throws IOException {
    Pair.open(app).close();
    app.sleep(Duration.ofDays(1));
  }

  @RondoTest
  void readTimeout_nothingComes_passes(Application app) throws IOException {
    try (Pair pair = Pair.open(app)) {
      pair.server().readTimeout(Duration.ofHours(1));
      assertThrows(TimedOutException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
    }
  }

  @RondoTest
  void sleep_whileASocketIsAwaited_ends(Application app) throws IOException {
    try (Pair pair = Pair.open(app)) {
      Task<Integer> reading = app.spawn(() -> pair.server().read(ByteBuffer.allocate(1)));
      app.sleep(Duration.ofMinutes(1));
      pair.client().write(ByteBuffer.allocate(1));
      assertEquals(1, reading.join());
    }
  }
}
