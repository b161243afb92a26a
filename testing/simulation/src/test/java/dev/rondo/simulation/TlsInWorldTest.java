package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.EveryBackend;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// TLS between hosts of a world.
@EveryBackend
final class TlsInWorldTest extends BackendTest {

  private static final int CLIENTS = 4;
  private static final int SEEDS = 5;

  /// The parts of a handshake would end in any order on threads of their own.
  @Test
  void handshakesAtTheSameTime_haveTheSameRun() {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<String> answered = new ArrayList<>();
      World.checkDeterminism(
          seed, world -> run(world.applications(it -> it.backend(backend)), answered));
      assertEquals(2 * CLIENTS, answered.size());
    }
  }

  private static void run(World world, List<String> answered) {
    WorldHost server = world.host("server", TlsInWorldTest::serve);
    world.hosts(
        "client",
        CLIENTS,
        host -> {
          Application app = host.application();
          app.sleep(Duration.ofSeconds(1));
          TlsClient tls = new TlsClient(app.scheduler(), Certificates.context(null, "server"));
          try (TcpSocket plain = app.io().connect(new InetSocketAddress(server.address(), 443));
              TlsSocket socket = tls.over(plain, "server")) {
            socket.readFully(ByteBuffer.allocate(1));
            answered.add(host.name());
          }
        });
    world.runFor(Duration.ofSeconds(2));
  }

  private static void serve(WorldHost host) throws Exception {
    Application app = host.application();
    TlsServer tls = new TlsServer(app.scheduler(), Certificates.context("server"));
    try (TcpListener listener = app.io().listen(new InetSocketAddress(host.address(), 443))) {
      while (true) {
        TcpSocket plain = listener.accept();
        app.spawn(() -> {
          try (TlsSocket socket = tls.over(plain)) {
            socket.write(ByteBuffer.wrap(new byte[] {42}));
          }
          return null;
        });
      }
    }
  }
}
