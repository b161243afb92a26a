package dev.rondo.simulation.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Printing;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.observe.RecordedEvent;
import dev.rondo.simulation.World;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/// What simulated processes print.
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
final class ProcessOutputTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final PrintStream outBefore = System.out;
  private final PrintStream errBefore = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream ownOut = new PrintStream(out, false, UTF_8);
  private final PrintStream ownErr = new PrintStream(err, false, UTF_8);

  @BeforeEach
  void setStreams() {
    System.setOut(ownOut);
    System.setErr(ownErr);
  }

  @AfterEach
  void resetStreams() {
    System.setOut(outBefore);
    System.setErr(errBefore);
  }

  private static World world() {
    return BlockingJava.in(World.withSeed(7));
  }

  @Test
  void lines_ofAProcess_areThoseOfTheTest_inTheirOrder() {
    try (World world = world()) {
      world.host("host", host -> Printing.both("a"));
      world.runFor(HOUR);
    }
    assertEquals("a out ö\n", out.toString(UTF_8));
    assertTrue(
        err.toString(UTF_8).startsWith("a err\njava.lang.IllegalStateException: a broken\n\tat "),
        err.toString(UTF_8));
  }

  @Test
  void lines_areWritten_whenTheTurnIsOver() {
    var seen = new ArrayList<String>();
    try (World world = world()) {
      world.host(
          "host",
          host -> {
            Printing.lines("a", 1);
            seen.add(out.toString(UTF_8));
            System.out.println("b");
            seen.add(out.toString(UTF_8));
          });
      world.runFor(HOUR);
    }
    assertEquals(List.of("a1\n", "a1\n"), seen);
    assertEquals("a1\nb\n", out.toString(UTF_8));
  }

  /// Nobody wants to read what a thousand runs print that go well.
  @Test
  void lines_ofASearch_areThoseOfTheRunThatShowsItsFailure() {
    var runs = new ArrayList<Integer>();
    Exploration found =
        new Explorer(Strategy.uniform(1))
            .runs(1_000)
            .explore(choices -> {
              try (World world = BlockingJava.in(World.with(choices))) {
                int drawn = choices.nextInt(100);
                runs.add(drawn);
                world.host(
                    "host",
                    host -> {
                      System.out.println("draws " + drawn);
                      System.err.println("of " + host.name());
                    });
                world.runFor(HOUR);
                assertTrue(drawn < 90, "it fails");
              }
            });
    assertTrue(found.failure().isPresent());
    assertTrue(runs.size() > 3, runs.toString());
    assertEquals("draws 90\n", out.toString(UTF_8));
    assertEquals("of host\n", err.toString(UTF_8));

    out.reset();
    Strategy again = Strategy.replay(found.shrunk().orElseThrow());
    Exploration _ =
        new Explorer(again)
            .explore(choices -> {
              try (World world = BlockingJava.in(World.with(choices))) {
                int drawn = choices.nextInt(100);
                world.host("host", host -> System.out.println("again " + drawn));
                world.runFor(HOUR);
              }
            });
    assertEquals("again 90\n", out.toString(UTF_8));
  }

  /// Something outside decides, so the failure does not come again: what is shown is one more try.
  @Test
  void lines_ofASearchWhoseFailureDoesNotComeAgain_areThoseOfOneRun() {
    assertEquals(3, printing(10, 1));
    assertEquals("run 3\n", out.toString(UTF_8));
  }

  @Test
  void lines_ofTheOnlyRun_areWritten() {
    assertEquals(1, printing(1, 0));
    assertEquals("run 1\n", out.toString(UTF_8));
  }

  @Test
  void lines_ofASearchThatPasses_areNotWritten() {
    assertEquals(10, printing(10, 0));
    assertEquals("", out.toString(UTF_8));
  }

  /// Makes runs that print their numbers.
  ///
  /// @param failing the number of the run that fails; 0 for none
  /// @return how many there were
  private static int printing(int runs, int failing) {
    var run = new int[1];
    Exploration _ =
        new Explorer(Strategy.uniform(1))
            .runs(runs)
            .explore(choices -> {
              int number = ++run[0];
              try (World world = BlockingJava.in(World.with(choices))) {
                world.host("host", host -> System.out.println("run " + number));
                world.runFor(HOUR);
              }
              assertNotEquals(failing, number);
            });
    return run[0];
  }

  @Test
  void lines_areDrawnWithTheRun_thoseOfAStackTraceTogether() {
    List<RecordedEvent> events;
    try (World world = world()) {
      world.recorder(1_000);
      world.host(
          "host",
          host -> {
            System.out.print("begin ");
            Thread.sleep(1_000);
            System.out.println("end\n\nnext");
            new IllegalStateException("broken").printStackTrace();
            System.out.println("x".repeat(1_000));
          });
      world.runFor(HOUR);
      events =
          world.recording().events().stream()
              .filter(each -> each.text().startsWith("prints: "))
              .toList();
    }
    assertEquals(
        List.of(
            "prints: begin end",
            "prints: next",
            "prints: java.lang.IllegalStateException: broken",
            "prints: " + "x".repeat(200) + ".."),
        events.stream().map(RecordedEvent::text).toList());
    assertEquals(List.of("host"), events.stream().map(RecordedEvent::lane).distinct().toList());
    assertEquals("", events.getFirst().detail());
    String trace = events.get(2).detail();
    assertTrue(trace.startsWith("java.lang.IllegalStateException: broken\n\tat "), trace);
    assertEquals("x".repeat(1_000), events.get(3).detail());
  }

  @Test
  void setOut_ofAProcess_isItsOwn() {
    var own = new ArrayList<String>();
    try (World world = world()) {
      world.host("a", host -> own.add(Printing.toItself("a")));
      world.host("b", host -> own.add(Printing.toItself("b")));
      world.runFor(HOUR);
      assertNotSame(ownOut, System.out);
    }
    assertEquals(List.of("a to itself", "b to itself"), own.stream().sorted().toList());
    assertEquals(List.of("a to all", "b to all"), out.toString(UTF_8).lines().sorted().toList());
    assertSame(ownOut, System.out);
    assertSame(ownErr, System.err);
  }

  @Test
  void setOut_ofAProcess_isOverWithItsNextStart() {
    try (World world = world()) {
      var host =
          world.host(
              "host",
              own -> {
                System.out.print("begin ");
                System.setOut(new PrintStream(new ByteArrayOutputStream(), true, UTF_8));
                System.out.print("unseen ");
                Thread.sleep(HOUR);
              });
      world.runFor(Duration.ofMinutes(1));
      host.crash();
      host.restart();
      world.runFor(Duration.ofMinutes(1));
    }
    assertEquals("begin begin ", out.toString(UTF_8));
  }

  /// The test's own thread and others print where they did, also by a stream that they had before.
  @Test
  void lines_ofOtherThreads_areWrittenAtOnce() throws InterruptedException {
    PrintStream during;
    try (World world = world()) {
      world.host("host", host -> Thread.sleep(HOUR));
      world.runFor(Duration.ofMinutes(1));
      during = System.out;
      Printing.lines("test", 1);
      var real = new Thread(() -> Printing.lines("real", 1));
      real.start();
      real.join();
      assertEquals("test1\nreal1\n", out.toString(UTF_8));
    }
    during.println("after");
    assertEquals("test1\nreal1\nafter\n", out.toString(UTF_8));
  }

  @Test
  void setOut_ofTheTest_duringAWorld_isWhereProcessesPrintThen() {
    var other = new ByteArrayOutputStream();
    var otherStream = new PrintStream(other, false, UTF_8);
    try (World world = world()) {
      world.host(
          "host",
          host -> {
            Printing.lines("a", 1);
            Thread.sleep(10_000);
            Printing.lines("b", 1);
            Thread.sleep(10_000);
            Printing.lines("c", 1);
          });
      world.runFor(Duration.ofSeconds(5));
      PrintStream before = System.out;
      System.setOut(otherStream);
      world.runFor(Duration.ofSeconds(10));
      System.setOut(before);
      world.runFor(HOUR);
    }
    assertEquals("b1\n", other.toString(UTF_8));
    assertEquals("a1\nc1\n", out.toString(UTF_8));
    assertSame(ownOut, System.out);
  }

  /// It prints now and then, as a logger does, and the world's thread waits for it.
  @Test
  void stream_thatARealThreadHolds_doesNotChangeTheRun() throws InterruptedException {
    long digest = digest();
    String lines = out.toString(UTF_8);
    out.reset();
    Thread world = Thread.currentThread();
    var held = new CountDownLatch(1);
    var over = new AtomicBoolean();
    var seen = new ArrayList<Thread.State>();
    var real =
        new Thread(() -> {
          synchronized (ownOut) {
            held.countDown();
            Thread.State state;
            while ((state = world.getState()) != Thread.State.BLOCKED && !over.get()) {
              Thread.onSpinWait();
            }
            seen.add(state);
          }
        });
    real.start();
    held.await();
    try {
      assertEquals(digest, digest());
    } finally {
      over.set(true);
      real.join();
    }
    assertEquals(lines, out.toString(UTF_8));
    assertEquals(List.of(Thread.State.BLOCKED), seen);
  }

  private static long digest() {
    try (World world = BlockingJava.in(World.withSeed(3))) {
      world.host("host", host -> Printing.inThreads());
      world.runFor(HOUR);
      return world.digest();
    }
  }
}
