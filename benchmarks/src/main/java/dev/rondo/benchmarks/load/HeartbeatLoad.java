package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.HeartbeatServers;
import dev.rondo.benchmarks.servers.Heartbeats;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/// The fairness of a loop: the lateness of a heartbeat of 100 Hz, and the time of an echo, while
/// the loop also starts 10,000 short jobs and arms and cancels 10,000 timers a second. One server
/// at a time runs on core 0. The generator, which is this process, runs on core 1. The servers take
/// turns.
///
/// The echoes come at a constant rate. So all servers do the same work, and the processor row shows
/// its share of the core.
public final class HeartbeatLoad {

  private static final String WORKLOAD = "heartbeat";
  private static final int CONNECTIONS = 50;
  private static final int ROUNDS = 2;
  private static final int MESSAGES_PER_SECOND = 25_000;
  private static final double SECONDS = 12;

  /// The compilers share the core of the loop, and take slices of milliseconds. They make the beats
  /// of the first seconds late.
  private static final double WARM_UP_SECONDS = 15;

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double PER_MILLE_999 = 99.9;

  private HeartbeatLoad() {}

  static void main() throws Exception {
    ServerProcess.pinGenerator();
    for (int i = 0; i < ROUNDS; i++) {
      for (HeartbeatServers each : HeartbeatServers.values()) {
        try (var server = new ServerProcess(HeartbeatServers.class, each)) {
          measure(server);
        }
      }
    }
  }

  private static void measure(ServerProcess server) throws IOException {
    try (var generator = new PacedGenerator(server.port(), CONNECTIONS, Exchange.ECHO)) {
      generator.run(MESSAGES_PER_SECOND, WARM_UP_SECONDS);
      Heartbeats.parse(server.report());
      ServerProcess.Usage before = server.usage();
      long begin = System.nanoTime();
      Histogram echoes = generator.run(MESSAGES_PER_SECOND, SECONDS);
      long nanos = System.nanoTime() - begin;
      long cpuNanos = server.usage().cpuNanos() - before.cpuNanos();
      Heartbeats.Report beats = Heartbeats.parse(server.report());
      print(server, "% of a core", 100.0 * cpuNanos / nanos);
      print(server, "beats", beats.beats());
      print(server, "beat late, p50 us", beats.median());
      print(server, "beat late, p99 us", beats.p99());
      print(server, "beat late, p99.9 us", beats.p999());
      print(server, "beat late, worst us", beats.worst());
      print(server, "echo, p50 us", micros(echoes, 50));
      print(server, "echo, p99 us", micros(echoes, 99));
      print(server, "echo, p99.9 us", micros(echoes, PER_MILLE_999));
      print(server, "echo, worst us", echoes.getMaxValue() / NANOS_PER_MICRO);
    }
  }

  private static double micros(Histogram latencies, double percentile) {
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  private static void print(ServerProcess server, String measure, double value) {
    Sample.print(WORKLOAD, "messages/s=" + MESSAGES_PER_SECOND, server.who(), measure, value);
  }
}
