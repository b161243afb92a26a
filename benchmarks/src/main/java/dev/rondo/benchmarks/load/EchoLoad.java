package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.EchoServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// TCP echo of 64 bytes over loopback in a closed loop: each connection sends its next message when
/// the last one has returned. One server at a time runs on core 0. The generator, which is this
/// process, runs on core 1. The servers take turns.
///
/// Nearly all of the cost of a message is system calls: one read, one write, and a share of
/// `epoll_wait` that falls as more connections are ready at once. Compared to the hand-written loop
/// Rondo adds the switch to the connection's task and back. With one connection all of the cost is
/// the wake-up of the other core.
///
/// With many connections the slowest percent depends on the order of service. Linux lists channels
/// first that it has listed before. So a message that arrives just after a select waits for the
/// rest of that round and for the whole next round. Rondo first serves the connection that was
/// served longest ago, so there the message waits for one round.
public final class EchoLoad {

  static final int MESSAGE_BYTES = 64;

  private static final String WORKLOAD = "tcp echo";
  private static final int[] CONNECTIONS = {1, 50, 1_000};
  private static final int ROUNDS = 3;
  private static final double SECONDS = 1.2;

  /// With many connections each has few messages per second, and the slowest percent would show one
  /// interruption of the server.
  private static final double SECONDS_OF_MANY = 3.6;

  private static final int MANY = 1_000;
  private static final double WARM_UP_SECONDS = 0.4;

  /// Warms each server up with short connections, so that later ones run compiled code.
  private static final int FIRST_WARM_UPS = 8;

  private static final int WARM_UP_CONNECTIONS = 100;

  private EchoLoad() {}

  static void main() throws Exception {
    ServerProcess.pinGenerator();
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (EchoServers each : EchoServers.values()) {
        var server = new ServerProcess(EchoServers.class, each);
        servers.add(server);
        for (int i = 0; i < FIRST_WARM_UPS; i++) {
          try (var generator = new ClosedLoopGenerator(server.port(), WARM_UP_CONNECTIONS)) {
            generator.run(WARM_UP_SECONDS);
          }
        }
      }
      for (int connections : CONNECTIONS) {
        for (int i = 0; i < ROUNDS; i++) {
          for (ServerProcess server : servers) {
            measure(server, connections);
          }
        }
      }
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private static void measure(ServerProcess server, int connections) throws IOException {
    try (var generator = new ClosedLoopGenerator(server.port(), connections)) {
      generator.run(WARM_UP_SECONDS);
      generator.reset();
      ServerProcess.Usage usageBefore = server.usage();
      SchedStat threadsBefore = server.schedStat();
      long before = System.nanoTime();
      generator.run(connections < MANY ? SECONDS : SECONDS_OF_MANY);
      long nanos = System.nanoTime() - before;
      long waited = server.schedStat().waitedNanosSince(threadsBefore);
      ServerProcess.Usage usage = server.usage();
      double messages = generator.messages();
      String params = "connections=" + connections;
      print(
          params,
          server,
          "CPU us/message",
          (usage.cpuNanos() - usageBefore.cpuNanos()) / 1e3 / messages);
      print(params, server, "messages/s", messages * 1e9 / nanos);
      print(params, server, "p50 us", generator.percentileMicros(50));
      print(params, server, "p99 us", generator.percentileMicros(99));
      print(params, server, "% of the time kept from its core", 100.0 * waited / nanos);
      print(
          params,
          server,
          "allocated B/message",
          (usage.allocatedBytes() - usageBefore.allocatedBytes()) / messages);
    }
  }

  private static void print(String params, ServerProcess server, String measure, double value) {
    Sample.print(WORKLOAD, params, server.who(), measure, value);
  }
}
