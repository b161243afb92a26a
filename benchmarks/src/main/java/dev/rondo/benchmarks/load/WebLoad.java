package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.ServerProcess;
import dev.rondo.benchmarks.servers.WebJob;
import dev.rondo.benchmarks.servers.WebServers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The HTTP server of `rondo-http` beside other servers, and beside the limit, Netty's codecs with
/// handlers that are written for the job. One server at a time runs on core 0. The generator runs
/// on core 1: `wrk`, `h2load`, or for WebSockets this process.
///
/// A server is warmed up on both cores, each time with new connections unless they are ten
/// thousand, until its compiler threads are idle, or for a limited time. The time of compiler
/// threads is not counted, because it does not belong to requests; the time of the collector is
/// counted. After the warm-up the server has core 0 alone.
public final class WebLoad {

  private static final int SOCKETS = 64;
  private static final int ROOM_SOCKETS = 10_000;
  private static final int TCP_SOCKETS = 64;
  private static final int ROUNDS = 3;
  private static final int SECONDS = 2;
  private static final int LEAST_WARM_UPS = 4;
  private static final int MOST_WARM_UPS = 20;
  private static final String WARM_UP_CORES = "0,1";

  /// Below this part of a round's time the compilers are idle.
  private static final double IDLE_COMPILERS = 0.01;

  private final WebJob job;

  private WebLoad(WebJob job) {
    this.job = job;
  }

  static void main(String[] args) throws Exception {
    WebJob job = WebJob.valueOf(args[0].toUpperCase(Locale.ROOT));
    String whyNot =
        switch (job) {
          case HTTP2 -> H2load.whyNot();
          case TCP, ECHO, ROOM -> "";
          default -> Wrk.whyNot();
        };
    if (whyNot.isEmpty()) {
      ServerProcess.pinGenerator();
      new WebLoad(job).run(servers(job));
    } else {
      Sample.skip(whyNot);
    }
  }

  /// {@return the servers; `-Dweb.servers=RONDO,BARE` names some of them}
  private static List<WebServers> servers(WebJob job) {
    String named = System.getProperty("web.servers", "");
    return List.of(WebServers.values()).stream()
        .filter(each -> each.does(job))
        .filter(each -> named.isEmpty() || List.of(named.split(",", -1)).contains(each.name()))
        .toList();
  }

  private void run(List<WebServers> chosen) throws Exception {
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (WebServers each : chosen) {
        var server = new ServerProcess(WebServers.class, each, WARM_UP_CORES, job.name());
        servers.add(server);
        warmUp(server);
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

  private void warmUp(ServerProcess server) throws IOException, InterruptedException {
    if (job == WebJob.ROOM) {
      try (Generator same = generator(server)) {
        warmUp(server, () -> same.run(1));
      }
    } else {
      warmUp(
          server,
          () -> {
            try (Generator other = generator(server)) {
              return other.run(1);
            }
          });
    }
    server.pin(ServerProcess.CORE);
  }

  /// A second under load.
  private interface WarmUp {
    LoadReport run() throws IOException;
  }

  private static void warmUp(ServerProcess server, WarmUp warmUp) throws IOException {
    boolean warm = false;
    for (int i = 0; i < MOST_WARM_UPS && !warm; i++) {
      SchedStat before = server.compilerStat();
      long beginNanos = System.nanoTime();
      var _ = warmUp.run();
      double compiledNanos = server.compilerStat().ranNanosSince(before);
      warm =
          i + 1 >= LEAST_WARM_UPS
              && compiledNanos < IDLE_COMPILERS * (System.nanoTime() - beginNanos);
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
      case TCP -> bytes(server);
      case ECHO, ROOM -> sockets(server);
      default -> seconds -> Wrk.run(server, Wrk.GENERATOR_CORE, seconds, "http", job.path());
    };
  }

  private static Generator bytes(ServerProcess server) throws IOException {
    var clients = new ClosedLoopGenerator(server.port(), TCP_SOCKETS);
    return new Generator() {
      @Override
      public LoadReport run(int seconds) throws IOException {
        clients.reset();
        clients.run(seconds);
        return new LoadReport(
            clients.messages(),
            (double) clients.messages() / seconds,
            clients.percentileMicros(50),
            clients.percentileMicros(99),
            clients.percentileMicros(99.9));
      }

      @Override
      public void close() throws IOException {
        clients.close();
      }
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
        var _ = generator.run(1); // the connections are new
      }
      ServerProcess.Usage usageBefore = server.usage();
      SchedStat threadsBefore = server.schedStat();
      SchedStat compilersBefore = server.compilerStat();
      LoadReport report = generator.run(SECONDS).requireAnswers(server.who());
      double compiledNanos = server.compilerStat().ranNanosSince(compilersBefore);
      double ranNanos = server.schedStat().ranNanosSince(threadsBefore) - compiledNanos;
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
      case TCP -> "connections=" + TCP_SOCKETS;
      case ECHO -> "connections=" + SOCKETS;
      case ROOM -> "connections=" + ROOM_SOCKETS;
      default -> "connections=" + Wrk.CONNECTIONS;
    };
  }
}
