package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Computicles that wait for each other, on real threads. A cycle is reported when it has lasted
/// for a second of their clock, which this thread moves on.
final class ComputicleDeadlockTest extends BackendTest {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();
  private final AtomicLong nanos = new AtomicLong();
  private final Ticker clock =
      new Ticker() {
        @Override
        public long read() {
          return nanos.get();
        }
      };

  private ComputicleBuilder builder(String name) {
    return Computicle.builder(name)
        .grace(Duration.ZERO)
        .application(it ->
            it.backend(backend)
                .bare()
                .scheduler(scheduler -> scheduler.ticker(clock))
                .failureHandler((where, failure) -> reported.add(failure)));
  }

  /// Lets second after second pass, in which each loop does what it has to do.
  private DeadlockException awaitReport(List<Computicle<Void>> loops) {
    Throwable found = null;
    while (found == null) {
      nanos.addAndGet(SECOND_NANOS);
      for (Computicle<Void> each : loops) {
        each.exec(() -> {}).join();
      }
      found = reported.poll();
    }
    return assertInstanceOf(DeadlockException.class, found);
  }

  @Test
  void computicles_joinEachOther_isReportedOnceAndDrawn() {
    var second = new CompletableFuture<Computicle<Void>>();
    Computicle<Void> one =
        builder("one")
            .start((app, mailbox) -> app.await(app.scheduler().completion(second)).join());
    Computicle<Void> two = builder("two").start((app, mailbox) -> one.join());
    second.complete(two);
    DeadlockException deadlock = awaitReport(List.of(one, two));
    assertEquals(List.of("main", "main"), deadlock.cycle());
    String message = deadlock.getMessage();
    for (String edge :
        List.of(
            "'main' of loop 'one' waits for completion of computicle 'two',"
                + " held by 'main' of loop 'two'",
            "'main' of loop 'two' waits for completion of computicle 'one',"
                + " held by 'main' of loop 'one'")) {
      assertTrue(message.contains(edge), message);
    }
    one.quit(Duration.ZERO);
    two.quit(Duration.ZERO);
    one.join();
    two.join();
    assertEquals(List.of(), reported.stream().toList());
  }

  @Test
  void tasks_joinTasksThatTheyHaveSent_isReportedAndDrawn() {
    try (Computicle<Void> one = builder("one").start();
        Computicle<Void> two = builder("two").start()) {
      var first = new CompletableFuture<RemoteTask<?>>();
      first.complete(
          one.exec(() -> {
            Object _ = two.exec(() -> joinOnceKnown(first)).join();
            return "never";
          }));
      DeadlockException deadlock = awaitReport(List.of(one, two));
      assertEquals(
          List.of("exec in one", "exec in two"), deadlock.cycle().stream().sorted().toList());
    }
  }

  private static Object joinOnceKnown(CompletableFuture<RemoteTask<?>> task) {
    Scheduler here = Scheduler.current();
    Object _ = here.await(here.completion(task)).join();
    return "never";
  }
}
