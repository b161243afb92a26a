package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/// Three replicas on one scheduler and one simulated host, in virtual time, with one disk.
final class OneLoopCluster {

  static final Settings SETTINGS =
      new Settings(
          Duration.ofMillis(50),
          Duration.ofMillis(250),
          Duration.ofMillis(200),
          Duration.ofMinutes(1),
          64,
          100);

  private static final int REPLICAS = 3;
  private static final int FIRST_PORT = 7000;

  /// The code of a test.
  interface Scenario {
    void run(OneLoopCluster cluster) throws Exception;
  }

  final Scheduler scheduler;
  final WaitForTime time;
  final Members members;
  private final WaitForIO io;
  private final SplittableRandom random = new SplittableRandom(17);
  private final SimulatedDisk disk = new SimulatedDisk(random.split());
  private final Map<Integer, Task<Void>> running = new HashMap<>();

  private OneLoopCluster(Scheduler scheduler, WaitForIO io) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.io = io;
    Map<Integer, SocketAddress> addresses = new TreeMap<>();
    for (int number = 1; number <= REPLICAS; number++) {
      addresses.put(
          number, new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), FIRST_PORT + number));
    }
    members = new Members(addresses);
  }

  /// Runs a scenario with all replicas.
  static void run(CoroutineBackend backend, Scenario scenario) {
    var clock = new VirtualClock();
    var host = SimulatedNetwork.on(clock).host("host", "10.0.0.1");
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder().backend(backend))) {
      var cluster = new OneLoopCluster(scheduler, host.install(scheduler));
      Task<Void> test =
          scheduler.spawn(
              "test",
              () -> {
                try {
                  cluster.members.numbers().forEach(cluster::start);
                  scheduler.within(Duration.ofMinutes(10), () -> scenario.run(cluster));
                } finally {
                  cluster.running.values().forEach(task -> task.cancel("the test is over"));
                }
              });
      scheduler.start();
      test.join();
    }
  }

  Path folder(int number) {
    return disk.path("/replica-" + number);
  }

  void start(int number) {
    running.put(
        number,
        scheduler.spawn(
            "replica " + number,
            () ->
                Replica.run(
                    scheduler,
                    number,
                    members,
                    SETTINGS,
                    folder(number),
                    io.listen(members.address(number)),
                    random.split())));
  }

  /// Ends a replica, and waits until it has closed everything.
  void stop(int number) {
    Task<Void> task = Objects.requireNonNull(running.remove(number));
    task.cancel("stopped by the test");
    assertThrows(CancellationException.class, task::join);
  }

  Client client() {
    return new Client(scheduler, members, Duration.ofSeconds(1), random.split());
  }

  /// {@return the storage of a replica that is stopped}
  Storage storage(int number) throws IOException {
    return new Storage(folder(number));
  }
}
