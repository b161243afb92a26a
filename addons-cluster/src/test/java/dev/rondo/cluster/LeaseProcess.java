package dev.rondo.cluster;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// A voter with a process of its own. Obeys the lines of its input, and prints what comes of them.
///
/// Arguments: its name, the ports of all voters by `name=port`, and the folder of all logs.
///
/// | line | does |
/// |---|---|
/// | `hold s` | waits for a lease of so many seconds; prints `token n` every 20 ms while it is held, and `lost` |
/// | `leave` | leaves the cluster, and ends |
/// | `end` | closes the scheduler, and ends |
/// | `use n` | begins with so many clients, see [ValueClient] |
/// | `read` | reads all values as a client does, and prints `read` |
/// | `add` | prints `sum n` |
/// | `cycles n` | acquires and releases a lease so often, with `cycle token`; prints `cycled` |
final class LeaseProcess {

  static final Duration TTL = Duration.ofSeconds(2);

  private static final Duration STEP = Duration.ofMillis(20);

  private final Scheduler scheduler;
  private final WaitForCluster cluster;
  private final String name;

  private LeaseProcess(Scheduler scheduler, WaitForCluster cluster, String name) {
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.name = name;
  }

  static ClusterConfig config(String name, List<String> voters, Path folder) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    List<InetSocketAddress> addresses =
        voters.stream()
            .map(each -> Integer.parseInt(each.substring(each.indexOf('=') + 1)))
            .map(port -> new InetSocketAddress(loopback, port))
            .toList();
    List<String> names = voters.stream().map(each -> each.substring(0, each.indexOf('='))).toList();
    return ClusterConfig.of(name)
        .at(addresses.get(names.indexOf(name)))
        .with(addresses)
        .withVoters(names, folder.resolve(name))
        .limited(
            ClusterLimits.USUAL
                .withJoin(Duration.ofSeconds(60))
                .withSilence(Duration.ofSeconds(2))
                .withLease(TTL));
  }

  public static void main(String[] args) throws Exception {
    ClusterConfig config = config(args[0], Arrays.asList(args[1].split(",", -1)), Path.of(args[2]));
    try (Scheduler scheduler = Scheduler.builder().build()) {
      var process =
          new LeaseProcess(scheduler, WaitForCluster.on(scheduler, config), config.node());
      scheduler.spawn("main", process::run);
      scheduler.start();
    }
  }

  private void run() throws IOException {
    cluster.join();
    IO.println("joined");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = scheduler.blocking(in::readLine)) != null; ) {
      List<String> words = Arrays.asList(line.split(" ", -1));
      var _ =
          scheduler.spawn(
              line,
              () -> {
                switch (words.getFirst()) {
                  case "hold" -> hold(Duration.ofSeconds(Integer.parseInt(words.get(1))));
                  case "leave" -> {
                    cluster.leave();
                    scheduler.stop();
                  }
                  case "end" -> scheduler.stop();
                  case "use" -> use(Integer.parseInt(words.get(1)));
                  case "read" -> {
                    new ValueClient(scheduler, cluster, name, "reader").readAll();
                    IO.println("read");
                  }
                  case "add" -> IO.println("sum " + cluster.counter("c").add(1));
                  case "cycles" -> cycle(Integer.parseInt(words.get(1)));
                  default -> throw new IllegalArgumentException(words.getFirst());
                }
              });
    }
    scheduler.stop();
  }

  private void use(int clients) {
    for (int i = 0; i < clients; i++) {
      var client = new ValueClient(scheduler, cluster, name, "" + i);
      var _ = scheduler.spawn("client " + i, client::run);
    }
  }

  private void hold(Duration ttl) {
    try (Lease lease = cluster.lease("l").acquire(ttl)) {
      lease.run(() -> {
        while (true) {
          IO.println("token " + lease.token());
          WaitForTime.on(scheduler).sleep(STEP);
        }
      });
    } catch (LeaseLostException e) {
      IO.println("lost");
    }
  }

  private void cycle(int cycles) {
    for (int i = 0; i < cycles; i++) {
      try (Lease lease = cluster.lease("cycles").acquire(TTL)) {
        IO.println("cycle " + lease.token());
      }
    }
    IO.println("cycled");
  }
}
