package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.exploration.Choices;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Calls of `blocking(..)` on the hosts of a world: when they run, and in which order they end.
@EveryBackend
@BackendsDiffer
final class BlockingCallsTest extends BackendTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int CALLS = 20;

  /// How often a call looks for another one that must not run beside it.
  private static final int LOOKS = 2_000;

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  /// Begins calls in one task each, of which the first take the longest.
  private static void manyCalls(WorldHost host, List<String> trace) {
    for (int i = 0; i < CALLS; i++) {
      int number = i;
      host.application()
          .spawn(() -> {
            host.application().blocking(() -> yields((CALLS - number) * LOOKS / CALLS));
            trace.add(host.name() + "-" + number);
          });
    }
  }

  private static void yields(int count) {
    for (int i = 0; i < count; i++) {
      Thread.yield();
    }
  }

  private static List<String> names(String host) {
    return IntStream.range(0, CALLS).mapToObj(i -> host + "-" + i).toList();
  }

  @Test
  void ends_haveTheOrderOfTheBeginnings() {
    var trace = new ArrayList<String>();
    try (World world = world(42)) {
      world.host("host", host -> manyCalls(host, trace));
      world.runFor(HOUR);
    }
    assertEquals(names("host"), trace);
  }

  @Test
  void ends_amongTurnsOfOtherHosts_followFromTheSeed() {
    for (long seed = 0; seed < 5; seed++) {
      assertEquals(mixed(seed), mixed(seed));
    }
  }

  /// The order of turns of a busy host and of the calls of two others.
  private List<String> mixed(long seed) {
    var trace = new ArrayList<String>();
    try (World world = World.with(Choices.random(seed)).applications(it -> it.backend(backend))) {
      world.hosts("caller", 2, host -> manyCalls(host, trace));
      world.host(
          "busy",
          host -> {
            for (int i = 0; i < 4 * CALLS; i++) {
              trace.add("busy-" + i);
              host.scheduler().yield();
            }
          });
      world.runFor(HOUR);
      trace.add("" + world.digest());
    }
    return trace;
  }

  @Test
  void calls_ofAllHosts_runOneByOne_andBetweenTurns() {
    var running = new AtomicInteger();
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    try (World world = world(42)) {
      world.hosts(
          "host",
          2,
          host -> {
            for (int i = 0; i < CALLS; i++) {
              host.application()
                  .spawn(() ->
                      host.application()
                          .blocking(() -> {
                            running.incrementAndGet();
                            yields(LOOKS / CALLS);
                            seen.add(running.getAndDecrement());
                          }));
            }
          });
      world.host(
          "busy",
          host -> {
            for (int i = 0; i < 4 * CALLS; i++) {
              seen.add(1 + running.get());
              host.scheduler().yield();
            }
          });
      world.runFor(HOUR);
    }
    assertEquals(Collections.nCopies(6 * CALLS, 1), seen);
  }

  @Test
  void call_takesNoTurnAndNoTime_ofAnother() {
    var trace = new ArrayList<String>();
    try (World world = world(42)) {
      world.host(
          "host",
          host -> {
            Application app = host.application();
            app.spawn(() -> {
              app.sleep(HOUR);
              trace.add("an hour later");
            });
            trace.add(app.blocking(() -> "called") + " at " + world.elapsed());
          });
      world.runFor(HOUR);
    }
    assertEquals(List.of("called at PT0S", "an hour later"), trace);
  }

  @Test
  void call_thatFails_failsInTheTask() {
    var failure = new ArrayList<String>();
    try (World world = world(42)) {
      world.host(
          "host",
          host -> {
            try {
              host.application()
                  .blocking(() -> {
                    throw new IllegalStateException("from the call");
                  });
            } catch (IllegalStateException e) {
              failure.add(e.getMessage());
            }
          });
      world.runFor(HOUR);
    }
    assertEquals(List.of("from the call"), failure);
  }

  /// A plain future has a thread that waits for it, which no turn must wait for.
  @Test
  void plainFuture_thatATaskCompletes_isNoCallToWaitFor() {
    var trace = new ArrayList<String>();
    try (World world = world(42)) {
      world.host(
          "host",
          host -> {
            var future = new FutureTask<>(() -> "completed");
            host.application().spawn(future::run);
            trace.add(host.scheduler().await(host.scheduler().completion(future)));
          });
      world.runUntil(() -> !trace.isEmpty(), HOUR);
    }
    assertEquals(List.of("completed"), trace);
  }

  /// Nothing tells the world that no other thread will complete the future.
  @Test
  void completion_byATaskOfTheWorldLater_littlePatience_isTheSameRun() {
    World.checkDeterminism(
        42,
        world -> {
          var trace = new ArrayList<String>();
          world.applications(it -> it.backend(backend)).patience(Duration.ofNanos(1));
          world.host("host", host -> awaitOwnFutures(host, trace));
          world.runFor(HOUR);
          assertEquals(List.of("PT1S completed", "PT2S completed"), trace);
        });
  }

  private static void awaitOwnFutures(WorldHost host, List<String> trace) {
    Application app = host.application();
    for (int i = 0; i < 2; i++) {
      var future = new CompletableFuture<String>();
      app.spawn(() -> {
        app.sleep(Duration.ofSeconds(1));
        boolean _ = future.complete("completed");
      });
      String result = app.await(app.scheduler().completion(future));
      trace.add(host.world().elapsed() + " " + result);
    }
  }

  @Test
  void cleanUp_whileTheWorldCloses_mayCall() {
    var trace = new ArrayList<String>();
    try (World world = world(42)) {
      world.host(
          "host",
          host -> {
            try {
              host.application().sleep(HOUR.multipliedBy(2));
            } finally {
              host.scheduler()
                  .shielded(() -> trace.add(host.application().blocking(() -> "called")));
            }
          });
      world.runFor(HOUR);
    }
    assertEquals(List.of("called"), trace);
  }

  // A call that does not end.

  @Test
  void call_thatDoesNotEnd_failsTheRunWithItsStack() {
    var never = new CountDownLatch(1);
    try (World world = world(42).patience(SHORT)) {
      world.host(
          "host",
          host ->
              host.application()
                  .spawn("caller", () -> host.application().blocking(() -> waits(never))));
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertTrue(
          error
              .getMessage()
              .contains(
                  "'blocking call of task 'caller'' has not ended within 50 ms of real time, while"
                      + " the world stood still"),
          error.getMessage());
      assertTrue(
          Arrays.stream(error.getCause().getStackTrace())
              .anyMatch(frame -> frame.getMethodName().equals("waits")),
          () -> Arrays.toString(error.getCause().getStackTrace()));
      assertEquals(Duration.ZERO, world.elapsed());
    }
    assertEquals(1, never.getCount());
  }

  private static void waits(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  @Test
  void call_thatDoesNotEnd_isInterruptedWhenTheWorldCloses() throws InterruptedException {
    var never = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    try (World world = world(42).patience(SHORT)) {
      world.host(
          "host",
          host ->
              host.application()
                  .blocking(() -> {
                    try {
                      waits(never);
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                      throw e;
                    }
                  }));
      assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    }
    interrupted.await();
  }

  @Test
  void world_interruptedMeanwhile_failsAndKeepsTheInterrupt() {
    var never = new CountDownLatch(1);
    Thread own = Thread.currentThread();
    try (World world = world(42)) {
      world.host(
          "host",
          host ->
              host.application()
                  .blocking(() -> {
                    own.interrupt();
                    waits(never);
                  }));
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertTrue(Thread.interrupted());
      assertTrue(error.getMessage().contains("was interrupted"), error.getMessage());
    }
    assertFalse(Thread.interrupted());
  }

  @Test
  void patience_zeroOrLess_isRefused() {
    try (World world = world(42)) {
      for (Duration each : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
        var error = assertThrows(IllegalArgumentException.class, () -> world.patience(each));
        assertTrue(
            error.getMessage().startsWith("limit must be more than zero: limit="),
            error.getMessage());
      }
    }
  }
}
