package dev.rondo.benchmarks;

import dev.rondo.benchmarks.run.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The HTTP server of `addons-netty` beside Netty's codecs with handlers that are written for the
/// job, which is the limit, and beside other servers. One server at a time on core 0, in turn; the
/// generator on core 1: `wrk`, `h2load`, or for WebSockets this process.
///
/// The rates of a server with many threads include those that compile its code: hence the warm-up.
public final class WebLoad {

  private static final int SOCKETS = 64;
  private static final int ROOM_SOCKETS = 10_000;
  private static final int ROUNDS = 2;
  private static final int SECONDS = 3;
  private static final int WARM_UP_SECONDS = 2;
  private static final int WARM_UPS = 4;

  private final WebJob job;

  private WebLoad(WebJob job) {
    this.job = job;
  }

  static void main(String[] args) throws Exception {
    WebJob job = WebJob.valueOf(args[0].toUpperCase(Locale.ROOT));
    String whyNot =
        switch (job) {
          case HTTP2 -> H2load.whyNot();
          case ECHO, ROOM -> "";
          default -> Wrk.whyNot();
        };
    if (whyNot.isEmpty()) {
      ServerProcess.pinGenerator();
      new WebLoad(job).run(servers());
    } else {
      Sample.skip(whyNot);
    }
  }

  /// {@return the servers; `-Dweb.servers=RONDO,NETTY` names some of them}
  private static List<WebServers> servers() {
    String named = System.getProperty("web.servers", "");
    return List.of(WebServers.values()).stream()
        .filter(each -> named.isEmpty() || List.of(named.split(",", -1)).contains(each.name()))
        .toList();
  }

  private void run(List<WebServers> chosen) throws Exception {
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (WebServers each : chosen) {
        var server = new ServerProcess(WebServers.class, each, ServerProcess.CORE, job.name());
        servers.add(server);
        try (Generator generator = generator(server)) {
          for (int i = 0; i < WARM_UPS; i++) {
            var _ = generator.run(WARM_UP_SECONDS);
          }
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

  /// Loads one server.
  private interface Generator extends AutoCloseable {

    LoadReport run(int seconds) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  private Generator generator(ServerProcess server) throws IOException {
    return switch (job) {
      case HTTP2 -> seconds -> H2load.run(server, seconds, job.path());
      case TLS -> seconds -> Wrk.run(server, Wrk.GENERATOR_CORE, seconds, "https", job.path());
      case ECHO, ROOM -> sockets(server);
      default -> seconds -> Wrk.run(server, Wrk.GENERATOR_CORE, seconds, "http", job.path());
    };
  }

  private Generator sockets(ServerProcess server) throws IOException {
    boolean echo = job == WebJob.ECHO;
    var sockets =
        new SocketGenerator(server.port(), job.path(), echo ? SOCKETS : ROOM_SOCKETS, echo);
    return new Generator() {
      @Override
      public LoadReport run(int seconds) throws IOException {
        return sockets.run(seconds);
      }

      @Override
      public void close() throws IOException {
        sockets.close();
      }
    };
  }

  private void measure(ServerProcess server) throws IOException {
    try (Generator generator = generator(server)) {
      if (job.isWebSocket()) {
        var _ = generator.run(WARM_UP_SECONDS / 2); // the connections are new
      }
      ServerProcess.Usage usageBefore = server.usage();
      SchedStat threadsBefore = server.schedStat();
      LoadReport report = generator.run(SECONDS);
      double ranNanos = server.schedStat().ranNanosSince(threadsBefore);
      ServerProcess.Usage usage = server.usage();
      print(server, "CPU us/request", ranNanos / 1e3 / report.requests());
      print(server, "requests/s", report.perSecond());
      print(server, "p50 us", report.p50Micros());
      print(server, "p99 us", report.p99Micros());
      print(server, "p99.9 us", report.p999Micros());
      print(
          server,
          "allocated B/request",
          (usage.allocatedBytes() - usageBefore.allocatedBytes()) / report.requests());
    }
  }

  private void print(ServerProcess server, String measure, double value) {
    Sample.print(
        "web " + job.name().toLowerCase(Locale.ROOT), size(), server.who(), measure, value);
  }

  private String size() {
    return switch (job) {
      case HTTP2 -> "connections=%d streams=%d".formatted(H2load.CONNECTIONS, H2load.STREAMS);
      case ECHO -> "connections=" + SOCKETS;
      case ROOM -> "connections=" + ROOM_SOCKETS;
      default -> "connections=" + Wrk.CONNECTIONS;
    };
  }
}
