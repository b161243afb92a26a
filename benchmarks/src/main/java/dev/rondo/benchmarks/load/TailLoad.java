package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.load.ClosedLoopGenerator.Order;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.HttpServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;

/// The slowest answers of an HTTP server with 64 connections, and the client's part in them. The
/// same servers answer four clients in turn. The first is `wrk`. The second sends again at once,
/// like `wrk`, and reads answers in the order of the system. The third first reads the answer for
/// which it has waited longest. The fourth sends at a constant rate. One server at a time runs on
/// core 0, and the client on core 1.
///
/// The first three clients keep a server busy all the time, so that a request waits for the
/// requests of the other 63 connections. At a constant rate the server is idle for a part of the
/// time, like most servers. The rates are the same for all servers: a half, and seven tenths, of
/// what bare Netty on epoll answers to the second client.
///
/// `wrk` does not report the bare measurements. After a slow answer it adds the latencies of the
/// requests that the connection would have sent at its mean rate. The same correction of our
/// client's measurements has its own rows.
public final class TailLoad {

  private static final String WORKLOAD = "http tails";
  private static final Set<HttpServers> SERVERS =
      EnumSet.of(
          HttpServers.BARE,
          HttpServers.RONDO,
          HttpServers.RONDO_EPOLL,
          HttpServers.NETTY_EPOLL,
          HttpServers.VERTX,
          HttpServers.HELIDON);
  private static final int CONNECTIONS = Wrk.CONNECTIONS;
  private static final int ROUNDS = 2;
  private static final int WARM_UPS = 6;
  private static final int SECONDS = 2;
  private static final double SECONDS_AT_A_RATE = 3;
  private static final double WARM_UP_SECONDS = 0.3;
  private static final int[] LOADS_PERCENT = {50, 70};
  private static final HttpServers YARDSTICK = HttpServers.NETTY_EPOLL;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double P99 = 99;
  private static final double PER_MILLE_999 = 99.9;

  private TailLoad() {}

  static void main() throws Exception {
    String whyNot = Wrk.whyNot();
    if (!whyNot.isEmpty()) {
      Sample.skip(whyNot);
      return;
    }
    ServerProcess.pinGenerator();
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (HttpServers each : SERVERS) {
        var server = new ServerProcess(HttpServers.class, each);
        servers.add(server);
        for (int i = 0; i < WARM_UPS; i++) {
          var _ = wrk(server);
        }
      }
      int most = mostPerSecond(servers.get(List.copyOf(SERVERS).indexOf(YARDSTICK)));
      for (int i = 0; i < ROUNDS; i++) {
        for (ServerProcess server : servers) {
          measure(server, most);
        }
      }
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private static LoadReport wrk(ServerProcess server) throws IOException {
    return Wrk.run(server, Wrk.GENERATOR_CORE, SECONDS, "http", "/").requireAnswers(server.who());
  }

  private static int mostPerSecond(ServerProcess server) throws IOException {
    Exchange exchange = Exchange.http(server.port(), HttpServers.text());
    try (var client =
        new ClosedLoopGenerator(server.port(), CONNECTIONS, exchange, Order.AS_LISTED)) {
      client.run(SECONDS);
      return (int) (client.messages() / SECONDS);
    }
  }

  private static void measure(ServerProcess server, int most) throws IOException {
    LoadReport report = wrk(server);
    print(server, "client=wrk", report.p50Micros(), report.p99Micros(), report.p999Micros());
    Exchange exchange = Exchange.http(server.port(), HttpServers.text());
    for (Order each : Order.values()) {
      closed(server, exchange, each);
    }
    for (int each : LOADS_PERCENT) {
      paced(server, exchange, each, most * each / 100);
    }
  }

  private static void closed(ServerProcess server, Exchange exchange, Order order)
      throws IOException {
    try (var client = new ClosedLoopGenerator(server.port(), CONNECTIONS, exchange, order)) {
      client.run(WARM_UP_SECONDS);
      client.reset();
      client.run(SECONDS);
      print(
          server,
          "client=" + order,
          client.percentileMicros(50),
          client.percentileMicros(P99),
          client.percentileMicros(PER_MILLE_999));
      Histogram corrected = client.correctedMicros(SECONDS);
      print(
          server,
          "client=" + order + ", corrected as by wrk",
          (double) corrected.getValueAtPercentile(50),
          (double) corrected.getValueAtPercentile(P99),
          (double) corrected.getValueAtPercentile(PER_MILLE_999));
    }
  }

  private static void paced(ServerProcess server, Exchange exchange, int loadPercent, int perSecond)
      throws IOException {
    try (var client = new PacedGenerator(server.port(), CONNECTIONS, exchange)) {
      client.run(perSecond, WARM_UP_SECONDS);
      ServerProcess.Usage before = server.usage();
      long begin = System.nanoTime();
      Histogram latencies = client.run(perSecond, SECONDS_AT_A_RATE);
      long nanos = System.nanoTime() - begin;
      String params = "load=" + loadPercent + " %";
      Sample.print(WORKLOAD, params, server.who(), "requests/s", perSecond);
      long cpuNanos = server.usage().cpuNanos() - before.cpuNanos();
      Sample.print(WORKLOAD, params, server.who(), "% of a core", 100.0 * cpuNanos / nanos);
      print(
          server,
          params,
          micros(latencies, 50),
          micros(latencies, P99),
          micros(latencies, PER_MILLE_999));
    }
  }

  private static double micros(Histogram latencies, double percentile) {
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  private static void print(
      ServerProcess server, String params, double p50, double p99, double p999) {
    Sample.print(WORKLOAD, params, server.who(), "p50 us", p50);
    Sample.print(WORKLOAD, params, server.who(), "p99 us", p99);
    Sample.print(WORKLOAD, params, server.who(), "p99.9 us", p999);
  }
}
