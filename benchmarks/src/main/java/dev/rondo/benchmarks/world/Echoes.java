package dev.rondo.benchmarks.world;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/// A TCP echo server, and clients that wait for each answer of 64 bytes, in a world of five hosts,
/// or in one application over loopback. Both run on one thread.
final class Echoes {

  private static final int PORT = 7;
  private static final int BYTES = 64;
  private static final int CLIENT_HOSTS = 4;
  private static final Duration LIMIT = Duration.ofDays(365);

  private final int rounds;
  private int finished;

  private Echoes(int rounds) {
    this.rounds = rounds;
  }

  /// {@return messages per second of processor time, of both directions}
  static double world(int connections, int rounds) {
    var echoes = new Echoes(rounds);
    try (World world = World.withSeed(1)) {
      WorldHost server =
          world.host(
              "server",
              host -> {
                try (TcpListener listener = host.application().io().listen(address(host))) {
                  echoes.serve(host.application(), listener);
                }
              });
      InetSocketAddress address = address(server);
      int each = connections / CLIENT_HOSTS;
      world.hosts(
          "client", CLIENT_HOSTS, host -> echoes.connect(host.application(), address, each));
      long begin = ThreadTime.nanos();
      world.runUntil(() -> echoes.finished == CLIENT_HOSTS * each, LIMIT);
      return echoes.messagesPerSecond(begin);
    }
  }

  /// {@return messages per second of processor time, of both directions}
  static double loopback(int connections, int rounds) {
    var echoes = new Echoes(rounds);
    var rate = new double[1];
    Application.builder()
        .bare()
        .run(app -> {
          InetAddress loopback = InetAddress.getLoopbackAddress();
          try (TcpListener listener = app.io().listen(new InetSocketAddress(loopback, 0))) {
            var server = app.spawn("server", () -> echoes.serve(app, listener));
            long begin = ThreadTime.nanos();
            echoes.connect(app, new InetSocketAddress(loopback, listener.port()), connections);
            app.waitFor(() -> echoes.finished == connections);
            rate[0] = echoes.messagesPerSecond(begin);
            server.cancel("all clients have finished");
          }
        });
    return rate[0];
  }

  private static InetSocketAddress address(WorldHost host) {
    return new InetSocketAddress(host.address(), PORT);
  }

  private double messagesPerSecond(long begin) {
    return 2e9 * finished * rounds / (ThreadTime.nanos() - begin);
  }

  private void serve(Application app, TcpListener listener) throws Exception {
    while (true) {
      TcpSocket peer = listener.accept();
      app.spawn(() -> {
        try (peer) {
          ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
          while (true) {
            buffer.clear();
            peer.readFully(buffer);
            peer.write(buffer.flip());
          }
        } catch (EOFException e) {
          // the client has finished
        }
      });
    }
  }

  private void connect(Application app, InetSocketAddress address, int connections) {
    for (int i = 0; i < connections; i++) {
      app.spawn(() -> {
        try (TcpSocket socket = app.io().connect(address)) {
          ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
          for (int round = 0; round < rounds; round++) {
            socket.write(buffer.clear());
            socket.readFully(buffer.clear());
          }
          finished++;
        }
      });
    }
  }
}
