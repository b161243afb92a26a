package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.time.WaitForTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A node with a process of its own. Obeys the lines of its input, and prints what comes of them.
///
/// Arguments: its name, the addresses of all nodes by `name=host:port`, those of etcd by
/// `host:port`, and, for TLS, the folder of [#KEYS] and [#TRUSTED].
///
/// | line | does |
/// |---|---|
/// | `hold s` | waits for a lease of so many seconds; prints `token n` every 20 ms while it is held, and `lost` |
/// | `drop` | gives up the lease of `hold`, or waiting for it; prints `dropped` |
/// | `contend` | acquires a lease again and again, and uses it for a while, see [LeaseHistory] |
/// | `spread k,l` | takes part in serving keys; prints `began k` and `ended k`, and uses their leases, see [LeaseHistory] |
/// | `join` | joins again after it has left by itself; prints `joined` |
/// | `leave` | leaves the cluster, and ends |
/// | `end` | closes the scheduler, and ends |
/// | `use n` | begins with so many clients, see [ValueClient] |
/// | `read` | reads all values as a client does, and prints `read` |
/// | `add` | prints `sum n` |
/// | `work n` | begins with so many tasks that add to a counter; prints `worked n` each second, which is how often they have |
/// | `crowd n` | has so many tasks acquire and release a lease, with `in token`; prints `crowded` |
/// | `live` | goes on whatever happens, see [TrialLife] |
/// | `cycles n` | acquires and releases a lease so often, with `cycle token`; prints `cycled` |
///
/// It prints `starts` at once, and `failed` and the reason if something fails.
final class LeaseProcess {

  static final String KEYS = "keys.p12";
  static final String TRUSTED = "trusted.p12";

  private static final char[] PASSWORD = "changeit".toCharArray();

  private static final Duration TTL = Duration.ofSeconds(2);

  private static final Duration SPREAD_TTL = Duration.ofSeconds(10);

  private static final Duration STEP = Duration.ofMillis(20);

  private static final Duration CROWD_TTL = Duration.ofHours(1);

  /// How often a contended lease is used.
  private static final int ACTS = 5;

  private final Scheduler scheduler;
  private final WaitForCluster cluster;
  private final String name;
  private int clients;
  private int worked;
  private @Nullable Task<Void> holding;

  private LeaseProcess(Scheduler scheduler, WaitForCluster cluster, String name) {
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.name = name;
  }

  static ClusterConfig config(
      String name, List<String> voters, InetSocketAddress[] etcd, @Nullable ClusterTls tls) {
    List<InetSocketAddress> addresses =
        voters.stream().map(each -> address(each.substring(each.indexOf('=') + 1))).toList();
    List<String> names = voters.stream().map(each -> each.substring(0, each.indexOf('='))).toList();
    ClusterConfig config = ClusterConfig.of(name);
    return (tls == null ? config : config.secured(tls))
        .at(addresses.get(names.indexOf(name)))
        .with(addresses)
        .withEtcd(tls == null ? EtcdServers.local(etcd) : EtcdServers.secured(tls, etcd))
        .limited(
            ClusterLimits.USUAL
                .with(Time.JOIN, Duration.ofSeconds(60))
                .with(Time.SILENCE, Duration.ofSeconds(2))
                .with(Time.LEASE, SPREAD_TTL));
  }

  private static InetSocketAddress address(String text) {
    int colon = text.indexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private static ClusterTls tls(Path folder) throws Exception {
    return ClusterTls.of(store(folder.resolve(KEYS)), PASSWORD, store(folder.resolve(TRUSTED)));
  }

  private static KeyStore store(Path file) throws Exception {
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }

  public static void main(String[] args) throws Exception {
    IO.println("starts");
    InetSocketAddress[] etcd =
        Stream.of(args[2].split(",", -1))
            .map(LeaseProcess::address)
            .toArray(InetSocketAddress[]::new);
    ClusterConfig config =
        config(
            args[0],
            Arrays.asList(args[1].split(",", -1)),
            etcd,
            args.length > 3 ? tls(Path.of(args[3])) : null);
    try (Scheduler scheduler =
        Scheduler.builder()
            .failureHandler((where, failure) -> IO.println("failed " + failure.getMessage()))
            .build()) {
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
                  case "hold" -> {
                    var ttl = Duration.ofSeconds(Integer.parseInt(words.get(1)));
                    holding = scheduler.spawn("hold", () -> hold(ttl));
                  }
                  case "drop" -> {
                    requireNonNull(holding).cancel("dropped");
                    scheduler.yield();
                    IO.println("dropped");
                  }
                  case "contend" -> contend();
                  case "spread" -> spread(Arrays.asList(words.get(1).split(",", -1)));
                  case "join" -> {
                    cluster.join();
                    IO.println("joined");
                  }
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
                  case "work" -> work(Integer.parseInt(words.get(1)));
                  case "crowd" -> crowd(Integer.parseInt(words.get(1)));
                  case "live" -> new TrialLife(scheduler, cluster, name, this).run();
                  case "cycles" -> cycle(Integer.parseInt(words.get(1)));
                  default -> throw new IllegalArgumentException(words.getFirst());
                }
              });
    }
    scheduler.stop();
  }

  private void use(int count) {
    for (int i = 0; i < count; i++) {
      String client = "" + clients++;
      var _ =
          scheduler.spawn(
              "client " + client, new ValueClient(scheduler, cluster, name, client)::run);
    }
  }

  /// Says that something was done with a lease, and when: not later than the look at the clock.
  static void act(String what, Lease lease) {
    long nanos = System.nanoTime();
    IO.println("act %s %d %d .".formatted(what, lease.token(), nanos));
  }

  void contend() {
    while (cluster.isJoined()) {
      try (Lease lease = cluster.lease("contended").acquire(TTL)) {
        lease.run(() -> {
          for (int i = 0; i < ACTS; i++) {
            act("contended", lease);
            WaitForTime.on(scheduler).sleep(STEP);
          }
        });
      } catch (LeaseLostException | OutcomeUnknownException e) {
        // Another node has it, or this one leaves.
      }
    }
  }

  void spread(List<String> keys) {
    var _ =
        cluster.spread(
            "s",
            keys,
            (key, lease) -> {
              IO.println("began " + key);
              try {
                while (true) {
                  act(key, lease);
                  WaitForTime.on(scheduler).sleep(STEP);
                }
              } finally {
                IO.println("ended " + key);
              }
            });
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

  private void work(int tasks) {
    for (int i = 0; i < tasks; i++) {
      var _ =
          scheduler.spawn(
              "worker " + i,
              () -> {
                while (true) {
                  var _ = cluster.counter("worked").add(1);
                  worked++;
                }
              });
    }
    while (true) {
      worked = 0;
      WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
      IO.println("worked " + worked);
    }
  }

  private void crowd(int tasks) {
    TaskGroup<Void> group = scheduler.newGroup("crowd");
    group.run(() -> {
      for (int i = 0; i < tasks; i++) {
        group.spawn(
            "waits",
            () -> {
              try (Lease lease = cluster.lease("crowd").acquire(CROWD_TTL)) {
                IO.println("in " + lease.token());
              }
            });
      }
    });
    IO.println("crowded");
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
