package dev.rondo.benchmarks;

import com.google.common.base.Splitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// TCP echo of 64 bytes over loopback in a closed loop: each connection sends its next message when
/// the last has come back. One server at a time on core 0, the generator (this process) on core 1.
/// The servers take turns, three rounds; the medians are told, and how far the rounds spread.
///
/// System properties: `load.servers` (names of [EchoServers], `HAND,RONDO`), `load.connections`
/// (`1,50,1000`), `load.rounds`, `load.seconds` of each measurement.
final class EchoLoad {

  static final int MESSAGE_BYTES = 64;

  private static final double WARM_UP_SECONDS = 0.5;

  /// At first each server is warmed up with connections that come and go: what was compiled in the
  /// meantime is used by the next connection at the latest.
  private static final int FIRST_WARM_UPS = 6;

  private static final int WARM_UP_CONNECTIONS = 100;

  private EchoLoad() {}

  /// One measurement.
  ///
  /// @param perSecond messages
  /// @param cpuMicros of the server process per message
  private record Row(double perSecond, double cpuMicros, double p50Micros, double p99Micros) {}

  /// A server in a process of its own that tells its port, and its processor time when asked.
  private record Peer(Process process, BufferedReader answers, PrintWriter questions, int port) {

    static Peer start(EchoServers server) throws IOException {
      var command = new ArrayList<String>(List.of("taskset", "-c", "0"));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
              .filter(it -> it.startsWith("--add-"))
              .toList());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "-Djdk.virtualThreadScheduler.parallelism=1",
              "-Djdk.virtualThreadScheduler.maxPoolSize=1",
              "-Xmx512m",
              "-cp",
              System.getProperty("java.class.path"),
              EchoServers.class.getName(),
              server.name()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII);
      String port = answers.readLine();
      if (port == null) {
        throw new IOException(server + " did not start");
      }
      var questions = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
      return new Peer(process, answers, questions, Integer.parseInt(port));
    }

    long cpuNanos() throws IOException {
      questions.println("cpu");
      return Long.parseLong(answers.readLine());
    }

    void stop() {
      questions.close(); // it ends with its input
      process.destroy();
    }
  }

  static void main() throws Exception {
    pin(1);
    List<EchoServers> servers = new ArrayList<>();
    for (String name : list("load.servers", "HAND,RONDO,NETTY_NIO,NETTY_EPOLL,VIRTUAL")) {
      servers.add(EchoServers.valueOf(name));
    }
    int rounds = Integer.getInteger("load.rounds", 3);
    double seconds = Double.parseDouble(System.getProperty("load.seconds", "1.5"));
    Map<EchoServers, Peer> peers = new EnumMap<>(EchoServers.class);
    try {
      for (EchoServers server : servers) {
        Peer peer = Peer.start(server);
        peers.put(server, peer);
        for (int i = 0; i < FIRST_WARM_UPS; i++) {
          measure(peer, WARM_UP_CONNECTIONS, WARM_UP_SECONDS);
        }
      }
      for (String connections : list("load.connections", "1,50,1000")) {
        compare(peers, Integer.parseInt(connections), rounds, seconds);
      }
    } finally {
      peers.values().forEach(Peer::stop);
    }
  }

  private static List<String> list(String property, String otherwise) {
    return Splitter.on(',').splitToList(System.getProperty(property, otherwise));
  }

  private static void pin(int core) throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("taskset", "-apc", Integer.toString(core), self).start().waitFor();
  }

  private static void compare(
      Map<EchoServers, Peer> peers, int connections, int rounds, double seconds) throws Exception {
    Map<EchoServers, List<Row>> rows = new EnumMap<>(EchoServers.class);
    for (int i = 0; i < rounds; i++) {
      for (Map.Entry<EchoServers, Peer> each : peers.entrySet()) {
        rows.computeIfAbsent(each.getKey(), server -> new ArrayList<>())
            .add(measure(each.getValue(), connections, seconds));
      }
    }
    System.out.printf(
        "%n%d connections, %d bytes, medians of %d rounds%n", connections, MESSAGE_BYTES, rounds);
    System.out.printf(
        "%-12s %10s %14s %10s %10s   %s%n",
        "server", "msgs/s", "CPU us/msg", "p50 us", "p99 us", "CPU of the rounds");
    rows.forEach((server, all) ->
        System.out.printf(
            Locale.ROOT,
            "%-12s %10.0f %14.2f %10.0f %10.0f   %.2f to %.2f%n",
            server,
            median(all.stream().mapToDouble(Row::perSecond).sorted().toArray()),
            median(all.stream().mapToDouble(Row::cpuMicros).sorted().toArray()),
            median(all.stream().mapToDouble(Row::p50Micros).sorted().toArray()),
            median(all.stream().mapToDouble(Row::p99Micros).sorted().toArray()),
            all.stream().mapToDouble(Row::cpuMicros).min().orElseThrow(),
            all.stream().mapToDouble(Row::cpuMicros).max().orElseThrow()));
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }

  private static Row measure(Peer peer, int connections, double seconds) throws IOException {
    try (var generator = new EchoGenerator(peer.port(), connections)) {
      generator.run(WARM_UP_SECONDS);
      generator.reset();
      long cpuBefore = peer.cpuNanos();
      long before = System.nanoTime();
      generator.run(seconds);
      long nanos = System.nanoTime() - before;
      long cpu = peer.cpuNanos() - cpuBefore;
      return new Row(
          generator.messages() * 1e9 / nanos,
          cpu / 1e3 / generator.messages(),
          generator.percentileMicros(50),
          generator.percentileMicros(99));
    }
  }
}
