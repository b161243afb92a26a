package com.acme.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.rondo.junit.RondoTest;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/// Tests of programs written for threads, whose classes each run loads again.
final class FreshClassesTest {

  private static int tests;

  /// Counts its starts in a static field, in a pool of threads of another host, and by virtual
  /// time: the second of two runs would see 2 if that had classes of the first.
  @RondoTest(schedules = 20, freshClasses = true)
  void statics_beginAgainWithEachRun(World given) {
    var counts = new ArrayList<Integer>();
    World world = BlockingJava.in(given);
    world.host("host", host -> counts.add(inPool()));
    world.runUntil(() -> !counts.isEmpty(), Duration.ofHours(1));
    assertEquals(List.of(1), counts);
    assertEquals(1, ++tests);
  }

  private static int inPool() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<Integer> started = pool.submit(Threads::started);
      Thread.sleep(Duration.ofMinutes(1));
      return started.get();
    }
  }

  /// A program of its own has other classes than the test.
  @RondoTest(freshClasses = true)
  void program_hasClassesOfItsOwn(World given) {
    var counts = new ArrayList<Integer>();
    World world = BlockingJava.in(given);
    IntConsumer tell = counts::add;
    world.host("one", BlockingJava.program(Started.class, tell));
    world.host("other", host -> counts.add(Threads.started()));
    world.runUntil(() -> counts.size() == 2, Duration.ofHours(1));
    assertEquals(List.of(1, 1), counts);
  }

  @RondoTest(freshClasses = true)
  void contextClassLoader_isThatOfTheRun(World given) {
    var loaders = new ArrayList<ClassLoader>();
    World world = BlockingJava.in(given);
    world.host(
        "host",
        host -> {
          var thread =
              new Thread(() -> loaders.add(Thread.currentThread().getContextClassLoader()));
          thread.start();
          thread.join();
        });
    world.runUntil(() -> !loaders.isEmpty(), Duration.ofHours(1));
    assertSame(FreshClassesTest.class.getClassLoader(), loaders.getFirst());
    assertNotSame(World.class.getClassLoader(), loaders.getFirst());
  }
}
