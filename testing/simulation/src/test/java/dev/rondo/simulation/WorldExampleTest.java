package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The world of docs/modules/simulation.md.
@EveryBackend
final class WorldExampleTest extends BackendTest {

  @Test
  void clients_talkToAServer_forTenMinutes() {
    var answers = new ArrayList<String>();
    try (World world = World.withSeed(42).applications(it -> it.backend(backend))) {
      WorldHost server =
          world.host(
              "server",
              host -> {
                Application app = host.application();
                try (TcpListener listener =
                    app.io().listen(new InetSocketAddress(host.address(), 7))) {
                  while (true) {
                    TcpSocket peer = listener.accept();
                    app.spawn(() -> answer(peer));
                  }
                }
              });
      world.hosts(
          "client",
          3,
          host -> {
            while (true) {
              host.application().sleep(Duration.ofSeconds(1 + host.random().nextInt(60)));
              answers.add(host.name() + ask(host, server));
            }
          });
      world.always("not too many answers", () -> answers.size() < 1_000);
      world.eventually("an answer", () -> !answers.isEmpty(), Duration.ofMinutes(2));
      world.runFor(Duration.ofMinutes(10)); // of virtual time
    }
    assertEquals(List.of(), answers.stream().filter(each -> !each.endsWith(" got 42")).toList());
  }

  private static void answer(TcpSocket peer) throws IOException {
    try (peer) {
      peer.write(ByteBuffer.wrap(new byte[] {42}));
    }
  }

  private static String ask(WorldHost host, WorldHost server) throws IOException {
    try (TcpSocket socket =
        host.application().io().connect(new InetSocketAddress(server.address(), 7))) {
      ByteBuffer answer = ByteBuffer.allocate(1);
      socket.readFully(answer);
      return " got " + answer.get(0);
    }
  }
}
