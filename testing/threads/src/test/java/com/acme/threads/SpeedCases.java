package com.acme.threads;

import dev.rondo.junit.RondoTest;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.threads.BlockingJava;
import dev.rondo.simulation.threads.CountedRuns;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Tests whose runs are measured: what a test costs that does next to nothing, and a small one, in
/// each of two ways. For `BlockingSpeedTest`.
public class SpeedCases {

  private static final int RUNS = 2_000;
  private static final int LIMIT = 600;
  private static final int PORT = 7;

  @RondoTest(schedules = RUNS, limitSeconds = LIMIT)
  void trivial(World given) {
    run(given, host -> {});
  }

  @RondoTest(schedules = RUNS, limitSeconds = LIMIT, freshClasses = true)
  void trivialWithFreshClasses(World given) {
    run(given, host -> {});
  }

  @RondoTest(schedules = RUNS, limitSeconds = LIMIT)
  void small(World given) {
    run(given, SpeedCases::twoSockets);
  }

  @RondoTest(schedules = RUNS, limitSeconds = LIMIT, freshClasses = true)
  void smallWithFreshClasses(World given) {
    run(given, SpeedCases::twoSockets);
  }

  private static void run(World given, WorldHost.Main program) {
    var ended = new ArrayList<Boolean>();
    World world = BlockingJava.in(given);
    world.host(
        "host",
        host -> {
          program.run(host);
          ended.add(true);
        });
    world.runUntil(() -> !ended.isEmpty(), Duration.ofHours(1));
    CountedRuns.count();
  }

  /// A pool of four threads: two serve, and two ask over a socket each, a minute later.
  private static void twoSockets(WorldHost host) throws Exception {
    try (var server = new ServerSocket(PORT);
        ExecutorService pool = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Future<?> _ = pool.submit(() -> serve(server));
        int number = i;
        answers.add(pool.submit(() -> ask(server, number)));
      }
      for (int i = 0; i < 2; i++) {
        if (answers.get(i).get() != i) {
          throw new AssertionError("another answer");
        }
      }
    }
  }

  private static Void serve(ServerSocket server) throws IOException {
    try (Socket peer = server.accept()) {
      peer.getOutputStream().write(peer.getInputStream().read());
    }
    return null;
  }

  private static int ask(ServerSocket server, int number) throws Exception {
    try (var client = new Socket(server.getInetAddress(), PORT)) {
      Thread.sleep(Duration.ofMinutes(1));
      client.getOutputStream().write(number);
      return client.getInputStream().read();
    }
  }
}
