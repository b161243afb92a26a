package dev.rondo.benchmarks;

import dev.rondo.benchmarks.run.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A short HTTP/1.1 response on 64 kept connections, requested by `wrk` on core 1; one server at a
/// time on core 0, in turn.
///
/// The bare responders, `bare` and `rondo`, only look for the end of the request: their time is
/// system calls, as that of an echo. The cost of a parser and a header map is the distance from
/// `rondo` to `rondoHttpCore`, and from `bare` to Netty.
///
/// The slowest percent is sensitive to any other thread that competes for the server's core,
/// because the kernel gives it slices of 3 ms. With the larger servers that thread is the JVM's
/// compiler, for about ten seconds of load; hence the warm-up. A separate row shows how long the
/// serving thread was kept from its core.
public final class HttpLoad {

  private static final String WORKLOAD = "http hello";
  private static final String PARAMS = "connections=64";
  private static final int ROUNDS = 2;
  private static final String SECONDS = "2s";
  private static final int WARM_UPS = 6;
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
  private static final Pattern P50 = Pattern.compile("50%\\s+([\\d.]+)(us|ms|s)");
  private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s)");
  private static final Pattern WRONG = Pattern.compile("Socket errors.*|Non-2xx.*");

  private HttpLoad() {}

  static void main() throws Exception {
    if (!isThere("wrk")) {
      Sample.skip("wrk is not installed (the Debian package is called wrk)");
      return;
    }
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (HttpServers each : HttpServers.values()) {
        var server = new ServerProcess(HttpServers.class, each);
        servers.add(server);
        for (int i = 0; i < WARM_UPS; i++) {
          wrk(server);
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

  static boolean isThere(String program) throws InterruptedException {
    try {
      new ProcessBuilder(program, "-v")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// {@return the rate of requests}
  ///
  /// @param cores of the generator, as `taskset` takes them
  static double requestsPerSecond(ServerProcess server, String cores) throws IOException {
    return number(RATE, wrk(server, cores));
  }

  private static String wrk(ServerProcess server) throws IOException {
    return wrk(server, "1");
  }

  private static String wrk(ServerProcess server, String cores) throws IOException {
    Process process =
        new ProcessBuilder(
                "taskset",
                "-c",
                cores,
                "wrk",
                "-t1",
                "-c64",
                "-d" + SECONDS,
                "--latency",
                "http://127.0.0.1:" + server.port() + "/")
            .redirectErrorStream(true)
            .start();
    String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    Matcher wrong = WRONG.matcher(report);
    if (wrong.find()) {
      throw new IOException(server.who() + ": " + wrong.group());
    }
    return report;
  }

  private static void measure(ServerProcess server) throws IOException {
    ServerProcess.Usage before = server.usage();
    SchedStat threadsBefore = server.schedStat();
    long start = System.nanoTime();
    String report = wrk(server);
    long nanos = System.nanoTime() - start;
    long waited = server.schedStat().waitedNanosSince(threadsBefore);
    ServerProcess.Usage after = server.usage();
    double requests = number(REQUESTS, report);
    print(server, "CPU us/request", (after.cpuNanos() - before.cpuNanos()) / 1e3 / requests);
    print(server, "requests/s", number(RATE, report));
    print(server, "p50 us", micros(P50, report));
    print(server, "p99 us", micros(P99, report));
    print(server, "% of the time kept from its core", 100.0 * waited / nanos);
    print(
        server,
        "allocated B/request",
        (after.allocatedBytes() - before.allocatedBytes()) / requests);
  }

  private static void print(ServerProcess server, String measure, double value) {
    Sample.print(WORKLOAD, PARAMS, server.who(), measure, value);
  }

  private static double number(Pattern pattern, String report) throws IOException {
    return Double.parseDouble(found(pattern, report).group(1));
  }

  private static double micros(Pattern pattern, String report) throws IOException {
    Matcher found = found(pattern, report);
    double factor =
        switch (found.group(2)) {
          case "us" -> 1;
          case "ms" -> 1e3;
          default -> 1e6;
        };
    return Double.parseDouble(found.group(1)) * factor;
  }

  private static Matcher found(Pattern pattern, String report) throws IOException {
    Matcher matcher = pattern.matcher(report);
    if (!matcher.find()) {
      throw new IOException("wrk did not tell " + pattern + ": " + report);
    }
    return matcher;
  }
}
