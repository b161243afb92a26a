package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.load.ClusterMembers.Sender;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.ServerProcess;

/// Messages from one member of a cluster to another: the rate, and the time of a confirmed message.
/// The receiver runs on core 0. The sender, which is this process, runs on core 1. The kinds of
/// members take turns.
public final class ClusterLoad {

  private static final String WORKLOAD = "cluster";
  private static final int ROUNDS = 3;
  private static final int[] SIZES = {100, 1 << 10, 16 << 10};
  private static final double SECONDS = 2;
  private static final double WARM_UP_SECONDS = 5;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  private ClusterLoad() {}

  static void main() throws Exception {
    ServerProcess.pinGenerator();
    for (int i = 0; i < ROUNDS; i++) {
      for (ClusterMembers each : ClusterMembers.values()) {
        try (var receiver = new ServerProcess(ClusterMembers.class, each)) {
          each.send(receiver.port(), sender -> measure(receiver.who(), sender));
        }
      }
    }
  }

  private static void measure(String who, Sender sender) throws Exception {
    var _ = perSecond(sender, SIZES[0], WARM_UP_SECONDS);
    var _ = roundTripNanos(sender, SIZES[0], SECONDS);
    for (int size : SIZES) {
      var _ = perSecond(sender, size, SECONDS);
      double rate = perSecond(sender, size, SECONDS);
      print(who, size, "messages/s", rate);
      print(who, size, "MB/s", rate * size / 1e6);
      print(who, size, "confirmed, us", roundTripNanos(sender, size, SECONDS) / NANOS_PER_MICRO);
    }
  }

  private static double perSecond(Sender sender, int bytes, double seconds) throws Exception {
    byte[] message = new byte[bytes];
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * NANOS_PER_SECOND);
    long sent = 0;
    do {
      sender.send(message);
      sent++;
    } while (System.nanoTime() - end < 0);
    sender.sendConfirmed(message);
    return (sent + 1) * NANOS_PER_SECOND / (System.nanoTime() - begin);
  }

  private static double roundTripNanos(Sender sender, int bytes, double seconds) throws Exception {
    byte[] message = new byte[bytes];
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * NANOS_PER_SECOND);
    long sent = 0;
    do {
      sender.sendConfirmed(message);
      sent++;
    } while (System.nanoTime() - end < 0);
    return (double) (System.nanoTime() - begin) / sent;
  }

  private static void print(String who, int bytes, String measure, double value) {
    Sample.print(WORKLOAD, "bytes=" + bytes, who, measure, value);
  }
}
