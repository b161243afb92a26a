package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.EchoServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.util.List;

/// The cost of a message, and the heap of a connection, for up to ten thousand connections: TCP
/// echo of 64 bytes, with all connections active. One server at a time runs on core 0. The
/// generator, which is this process, runs on core 1.
///
/// The heap is measured after garbage collection, while all connections wait for a message. The
/// memory of the system is not counted, because it is the same for all servers.
public final class ConnectionsLoad {

  private static final String WORKLOAD = "connections";
  private static final int[] CONNECTIONS = {1, 100, 1_000, 10_000};
  private static final int MOST = CONNECTIONS[CONNECTIONS.length - 1];
  private static final int ROUNDS = 2;
  private static final double SECONDS = 2.4;
  private static final double WARM_UP_SECONDS = 1;

  /// Warms each server up with short connections, so that later ones run compiled code.
  private static final int FIRST_WARM_UPS = 6;

  private static final int WARM_UP_CONNECTIONS = 100;

  private static final List<EchoServers> SERVERS =
      List.of(
          EchoServers.BARE,
          EchoServers.BARE_EPOLL,
          EchoServers.RONDO,
          EchoServers.RONDO_EPOLL,
          EchoServers.NETTY_EPOLL,
          EchoServers.VIRTUAL_THREADS);

  private ConnectionsLoad() {}

  static void main() throws Exception {
    ServerProcess.pinGenerator();
    for (int i = 0; i < ROUNDS; i++) {
      for (EchoServers each : SERVERS) {
        try (var server = new ServerProcess(EchoServers.class, each)) {
          warmUp(server);
          long heapBytes = Long.parseLong(server.report());
          for (int connections : CONNECTIONS) {
            measure(server, connections, heapBytes);
          }
        }
      }
    }
  }

  private static void warmUp(ServerProcess server) throws IOException {
    for (int i = 0; i < FIRST_WARM_UPS; i++) {
      try (var generator = new ClosedLoopGenerator(server.port(), WARM_UP_CONNECTIONS)) {
        generator.run(WARM_UP_SECONDS);
      }
    }
  }

  /// @param heapBytes the heap of the server without connections
  private static void measure(ServerProcess server, int connections, long heapBytes)
      throws IOException {
    try (var generator = new ClosedLoopGenerator(server.port(), connections)) {
      generator.run(WARM_UP_SECONDS);
      generator.reset();
      long before = server.usage().cpuNanos();
      generator.run(SECONDS);
      double nanos = server.usage().cpuNanos() - before;
      Sample.print(
          WORKLOAD,
          "connections=" + connections,
          server.who(),
          "CPU ns/message",
          nanos / generator.messages());
      if (connections == MOST) {
        double bytes = Long.parseLong(server.report()) - heapBytes;
        Sample.print("footprint", "connection", server.who(), "B", bytes / connections);
      }
    }
  }
}
