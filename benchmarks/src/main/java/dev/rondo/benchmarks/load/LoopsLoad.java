package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.LoopsServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Echo and HTTP on one loop and on two loops, on both cores. The generator has no core of its own.
/// Two loops share both cores with it, and gain only the time that one loop leaves idle. A machine
/// with more cores shows a larger gain.
public final class LoopsLoad {

  private static final String WORKLOAD = "loops";
  private static final String PARAMS = "connections=64";
  private static final String CORES = "0,1";
  private static final int CONNECTIONS = 64;
  private static final int WARM_UPS = 4;
  private static final int ROUNDS = 3;
  private static final double SECONDS = 1.5;
  private static final double NANOS_PER_SECOND = 1e9;

  private LoopsLoad() {}

  static void main() throws Exception {
    boolean http = Wrk.isThere("wrk");
    List<ServerProcess> servers = new ArrayList<>();
    List<LoopsServers> kinds = new ArrayList<>();
    try {
      for (LoopsServers each : LoopsServers.values()) {
        if (each.isEcho() || http) {
          kinds.add(each);
          servers.add(new ServerProcess(LoopsServers.class, each, CORES));
        }
      }
      for (int round = -WARM_UPS; round < ROUNDS; round++) {
        for (int i = 0; i < servers.size(); i++) {
          ServerProcess server = servers.get(i);
          double rate =
              kinds.get(i).isEcho() ? echo(server) : HttpLoad.requestsPerSecond(server, CORES);
          if (round >= 0) {
            Sample.print(WORKLOAD, PARAMS, server.who(), "messages/s", rate);
          }
        }
      }
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private static double echo(ServerProcess server) throws IOException {
    try (var generator = new ClosedLoopGenerator(server.port(), CONNECTIONS)) {
      long before = System.nanoTime();
      generator.run(SECONDS);
      return generator.messages() * NANOS_PER_SECOND / (System.nanoTime() - before);
    }
  }
}
