package dev.rondo.benchmarks.world;

import dev.rondo.benchmarks.run.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The cost of a world: the time of a gossip for each number of hosts, messages per second beside
/// loopback, virtual time per second of an idle cluster, and the heap of a connection. All times
/// are measured by [ThreadTime].
public final class WorldSpeed {

  private static final int[] HOSTS = {10, 30, 100, 300, 1_000};
  private static final int CONNECTIONS = 40;
  private static final int ROUNDS = 20_000;
  private static final int WARM_UP_ROUNDS = 5_000;

  /// The end of the first world undoes much of the compilation until then.
  private static final int WARM_UP_WORLDS = 2;

  private static final int IDLE_HOSTS = 100;
  private static final Duration IDLE = Duration.ofHours(2);
  private static final Duration WARM_UP = Duration.ofMinutes(20);
  private static final int OPEN = 10_000;
  private static final int PLOT_WIDTH = 50;

  private WorldSpeed() {}

  static void main() throws IOException {
    gossip();
    messages();
    idle();
    print("connection", "", "world", "B", ConnectionFootprint.bytes(OPEN));
  }

  private static void print(String what, String params, String who, String unit, double value) {
    Sample.print("world " + what, params, who, unit, value);
  }

  private static void gossip() {
    Gossip.Run _ = Gossip.run(HOSTS[HOSTS.length / 2], 0); // compiles
    var runs = new ArrayList<Gossip.Run>();
    for (int hosts : HOSTS) {
      Gossip.Run run = Gossip.run(hosts, 1);
      runs.add(run);
      print("gossip", "hosts=" + hosts, "world", "s", run.seconds());
    }
    plot(runs).forEach(System.out::println);
  }

  /// The time of each run as a bar.
  ///
  /// @throws IllegalArgumentException if there are no runs
  static List<String> plot(List<Gossip.Run> runs) {
    double longest =
        runs.stream()
            .mapToDouble(Gossip.Run::seconds)
            .max()
            .orElseThrow(() -> new IllegalArgumentException("runs is empty: nothing to plot"));
    var lines = new ArrayList<String>();
    lines.add("hosts  virtual s  messages  set-up s    cpu s");
    for (Gossip.Run run : runs) {
      String bar = "#".repeat((int) Math.ceil(PLOT_WIDTH * run.seconds() / longest));
      lines.add(
          String.format(
              Locale.ROOT,
              "%,5d  %9.0f  %,8d  %8.2f  %7.3f %s",
              run.hosts(),
              run.virtual().toMillis() / 1e3,
              run.messages(),
              run.setUpSeconds(),
              run.seconds(),
              bar));
    }
    return lines;
  }

  private static void messages() {
    String params = "connections=" + CONNECTIONS;
    for (int i = 0; i < WARM_UP_WORLDS; i++) {
      double _ = Echoes.world(CONNECTIONS, ROUNDS);
    }
    print("messages", params, "world", "1/s", Echoes.world(CONNECTIONS, ROUNDS));
    double _ = Echoes.loopback(CONNECTIONS, WARM_UP_ROUNDS);
    print("messages", params, "loopback", "1/s", Echoes.loopback(CONNECTIONS, ROUNDS));
  }

  private static void idle() {
    IdleCluster.Run _ = IdleCluster.run(IDLE_HOSTS, WARM_UP);
    IdleCluster.Run run = IdleCluster.run(IDLE_HOSTS, IDLE);
    print("idle", "hosts=" + IDLE_HOSTS, "world", "h/s", run.virtualPerSecond().toMillis() / 3.6e6);
  }
}
