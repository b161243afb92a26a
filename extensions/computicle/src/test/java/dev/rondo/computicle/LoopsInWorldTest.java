package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The loops of one host of a simulated world run on the world's thread, in an order that follows
/// from the seed.
final class LoopsInWorldTest extends BackendTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int PORT = 7;

  private final List<String> order = new ArrayList<>();

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  /// Two computicles and a pool contend for messages, and sleep in between.
  private void contend(WorldHost host) {
    Endpoint<Integer> numbers = new Endpoint<>("numbers", 2);
    List<Computicle<Void>> loops = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      loops.add(
          Computicle.start(
              name,
              (app, mailbox) -> {
                for (int each : numbers) {
                  order.add(name + each);
                  app.sleep(Duration.ofMillis(1 + each % 3));
                }
              }));
    }
    try (Pool pool = new Pool("pool", 2)) {
      List<RemoteTask<Integer>> jobs = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int number = i;
        jobs.add(
            pool.spawn(() -> {
              Application.current().sleep(Duration.ofMillis(2));
              order.add("job" + number);
              return number;
            }));
      }
      for (int i = 0; i < 20; i++) {
        numbers.send(i);
      }
      numbers.close();
      loops.forEach(Computicle::join);
      assertEquals(15, jobs.stream().mapToInt(RemoteTask::join).sum());
    }
    order.add("end");
  }

  private List<String> contendIn(World world) {
    order.clear();
    world.host("server", this::contend);
    world.runUntil(() -> order.contains("end"), HOUR);
    return List.copyOf(order);
  }

  @Test
  void sameSeed_sameRun_otherSeed_anotherOne() {
    var orders = new HashSet<List<String>>();
    var digests = new HashSet<Long>();
    for (int seed = 1; seed <= 5; seed++) {
      List<String> first;
      long digest;
      try (World world = world(seed)) {
        first = contendIn(world);
        digest = world.digest();
        assertTrue(world.elapsed().compareTo(Duration.ofSeconds(1)) < 0, () -> "waited in vain");
      }
      try (World world = world(seed)) {
        assertEquals(first, contendIn(world), "seed " + seed);
        assertEquals(digest, world.digest(), "seed " + seed);
      }
      orders.add(first);
      digests.add(digest);
    }
    assertNotEquals(1, orders.size(), "the seed decides the order");
    assertEquals(5, digests.size());
  }

  @Test
  void checkDeterminism_seesEachTurnOfAllLoops() {
    World.checkDeterminism(7, world -> contendIn(world.applications(it -> it.backend(backend))));
  }

  @Test
  void terminate_aTaskOfAFurtherLoopGoesOn_isReportedAndTheHostIsDown() {
    try (World world = world(1)) {
      WorldHost host =
          world.host(
              "server",
              it -> {
                Computicle<Void> _ =
                    Computicle.start(
                        "worker",
                        (app, mailbox) ->
                            app.scheduler()
                                .shielded(() -> {
                                  app.sleep(HOUR);
                                  order.add("goes on");
                                }));
                it.application().sleep(HOUR);
              });
      host.tolerate(TaskAbandonedException.class::isInstance);
      world.runFor(Duration.ofSeconds(1));
      host.terminate(Duration.ZERO, Duration.ofSeconds(5));
      world.runFor(Duration.ofSeconds(30));
      assertFalse(host.isUp());
      assertFalse(host.toleratedFailures().isEmpty());
      world.runFor(HOUR);
      assertEquals(List.of(), order);
    }
  }

  @Test
  void loops_haveTheThreadTheClockAndTheNetworkOfTheHost() {
    Thread here = Thread.currentThread();
    List<Object> seen = new ArrayList<>();
    try (World world = world(1)) {
      world.host(
          "server",
          "10.0.0.7",
          host -> {
            Computicle<Void> worker = Computicle.builder("worker").start();
            Scheduler own = host.scheduler();
            worker
                .exec(() -> {
                  Application app = Application.current();
                  assertFalse(app.scheduler() == own);
                  app.sleep(Duration.ofMinutes(10));
                  try (TcpListener listener = app.listen(PORT);
                      TcpSocket socket = listener.accept()) {
                    seen.add(socket.input().read());
                  }
                })
                .join();
            seen.add(host.world().elapsed().toMinutes());
            worker.close();
          });
      world.host(
          "client",
          host -> {
            host.application().sleep(Duration.ofMinutes(11));
            try (TcpSocket socket = host.application().connect("10.0.0.7", PORT)) {
              socket.output().write(42);
            }
          });
      world.runUntil(() -> seen.size() == 2, HOUR);
      assertTrue(world.report().contains("server"));
    }
    assertEquals(List.of(42, 11L), seen);
    assertSame(here, Thread.currentThread());
  }

  @Test
  void join_limit_isVirtual_andFailuresReachTheJoiner() {
    var failure = new IllegalStateException("broken");
    try (World world = world(1)) {
      world.host(
          "server",
          host -> {
            Computicle<Void> worker =
                Computicle.start(
                    "worker",
                    (app, mailbox) -> {
                      app.sleep(Duration.ofMinutes(2));
                      throw failure;
                    });
            assertThrows(TimedOutException.class, () -> worker.join(Duration.ofMinutes(1)));
            assertSame(failure, assertThrows(TaskFailedException.class, worker::join).getCause());
            order.add("told after " + host.world().elapsed().toMinutes());
          });
      world.runUntil(() -> order.size() == 1, HOUR);
    }
    assertEquals(List.of("told after 2"), order);
  }

  @Test
  void crash_endsAllLoopsOfTheHost_andARestartBeginsAnew() {
    assumeTrue(backend.sharesThread());
    try (World world = world(1)) {
      WorldHost server =
          world.host(
              "server",
              host -> {
                order.add("boot");
                Computicle.start(
                    "worker",
                    (app, mailbox) -> {
                      while (true) {
                        app.sleep(Duration.ofSeconds(1));
                        order.add("tick");
                      }
                    });
                host.application().sleep(HOUR);
              });
      world.runFor(Duration.ofMillis(2_500));
      assertEquals(List.of("boot", "tick", "tick"), order);
      assertTrue(server.dump().contains("loop 'worker'"), server::dump);
      server.crash();
      world.runFor(Duration.ofSeconds(5));
      assertEquals(3, order.size(), "nothing runs on a host that is down");
      server.restart();
      world.runFor(Duration.ofMillis(1_500));
      assertEquals(List.of("boot", "tick", "tick", "boot", "tick"), order);
      server.pause();
      world.runFor(Duration.ofSeconds(5));
      assertEquals(5, order.size(), "nothing runs on a host that is paused");
      server.resume();
      world.runFor(Duration.ofSeconds(1));
      assertTrue(order.size() > 5);
    }
  }

  @Test
  void worldEnds_loopsThatAreLeftEnd() {
    List<Computicle<?>> left = new ArrayList<>();
    try (World world = world(1)) {
      world.host(
          "server",
          host -> {
            left.add(
                Computicle.start(
                    "worker",
                    (app, mailbox) -> {
                      left.add(Computicle.builder("grandchild").start());
                      app.sleep(HOUR);
                    }));
            host.application().sleep(HOUR);
          });
      world.runFor(Duration.ofSeconds(1));
    }
    assertEquals(2, left.size());
    assertTrue(left.stream().allMatch(Computicle::isDone));
  }
}
