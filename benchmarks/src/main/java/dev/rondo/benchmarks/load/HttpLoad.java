package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.HttpServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A short HTTP/1.1 response on 64 kept connections, requested by `wrk` on core 1; one server at a
/// time on core 0, in turn.
///
/// The bare responders, `bare` and `rondo`, only look for the end of the request. Like an echo,
/// they spend their time in system calls. The cost of a parser and a header map is the difference
/// between `rondo` and `rondoHttpCore`, and between `bare` and Netty.
///
/// The slowest percent is sensitive to any other thread that competes for the server's core,
/// because the kernel gives it slices of 3 ms. With the larger servers that thread is the JVM's
/// compiler, for about ten seconds of load; hence the warm-up. A separate row shows the time that
/// the serving thread waited for its core.
public final class HttpLoad {

  private static final String WORKLOAD = "http hello";
  private static final String PARAMS = "connections=" + Wrk.CONNECTIONS;
  private static final int ROUNDS = 2;
  private static final int SECONDS = 2;
  private static final int WARM_UPS = 6;

  private HttpLoad() {}

  static void main() throws Exception {
    String whyNot = Wrk.whyNot();
    if (!whyNot.isEmpty()) {
      Sample.skip(whyNot);
      return;
    }
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (HttpServers each : HttpServers.values()) {
        var server = new ServerProcess(HttpServers.class, each);
        servers.add(server);
        for (int i = 0; i < WARM_UPS; i++) {
          var _ = wrk(server);
        }
      }
      for (int i = 0; i < ROUNDS; i++) {
        for (ServerProcess server : servers) {
          measure(server);
        }
      }
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private static LoadReport wrk(ServerProcess server) throws IOException {
    return Wrk.run(server, Wrk.GENERATOR_CORE, SECONDS, "http", "/").requireAnswers(server.who());
  }

  private static void measure(ServerProcess server) throws IOException {
    ServerProcess.Usage before = server.usage();
    SchedStat threadsBefore = server.schedStat();
    long start = System.nanoTime();
    LoadReport report = wrk(server);
    long nanos = System.nanoTime() - start;
    long waited = server.schedStat().waitedNanosSince(threadsBefore);
    ServerProcess.Usage after = server.usage();
    double requests = report.requests();
    print(server, "CPU us/request", (after.cpuNanos() - before.cpuNanos()) / 1e3 / requests);
    print(server, "requests/s", report.perSecond());
    print(server, "p50 us", report.p50Micros());
    print(server, "p99 us", report.p99Micros());
    print(server, "% of the time kept from its core", 100.0 * waited / nanos);
    print(
        server,
        "allocated B/request",
        (after.allocatedBytes() - before.allocatedBytes()) / requests);
  }

  private static void print(ServerProcess server, String measure, double value) {
    Sample.print(WORKLOAD, PARAMS, server.who(), measure, value);
  }
}
