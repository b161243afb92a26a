package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Computicles that wait for each other, on real threads. A circle is reported when it has lasted
/// for a second.
@EveryBackend
final class ComputicleDeadlockTest {

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean mountedTask;

  private final LinkedBlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();

  private ComputicleBuilder builder(String name) {
    return Computicle.builder(name)
        .grace(Duration.ZERO)
        .application(it ->
            it.backend(backend)
                .withoutWatchdog()
                .failureHandler((where, failure) -> reported.add(failure)));
  }

  @Test
  void computicles_joinEachOther_isReportedAndDrawn() throws Exception {
    var second = new CompletableFuture<Computicle<Void>>();
    Computicle<Void> one =
        builder("one")
            .start((app, mailbox) -> app.await(app.scheduler().completion(second)).join());
    Computicle<Void> two = builder("two").start((app, mailbox) -> one.join());
    second.complete(two);
    var deadlock = assertInstanceOf(DeadlockException.class, reported.take());
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
    var _ = one.waitForFinish();
    var _ = two.waitForFinish();
  }

  @Test
  void tasks_joinTasksThatTheyHaveSent_isReportedAndDrawn() throws Exception {
    try (Computicle<Void> one = builder("one").start();
        Computicle<Void> two = builder("two").start()) {
      var first = new CompletableFuture<RemoteTask<?>>();
      first.complete(
          one.exec(() -> {
            Object _ = two.exec(() -> joinOnceKnown(first)).join();
            return "never";
          }));
      var deadlock = assertInstanceOf(DeadlockException.class, reported.take());
      assertEquals(List.of("exec in one", "exec in two"), deadlock.cycle());
    }
  }

  private static Object joinOnceKnown(CompletableFuture<RemoteTask<?>> task) {
    Scheduler here = Scheduler.current();
    Object _ = here.await(here.completion(task)).join();
    return "never";
  }
}
