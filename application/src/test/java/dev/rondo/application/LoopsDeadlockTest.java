package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Tasks of several loops that wait for each other, on real threads. A circle is reported when it
/// has lasted for a second.
@EveryBackend
final class LoopsDeadlockTest {

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean mountedTask;

  private final LinkedBlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();

  private LoopGroup group(int loops) {
    return Application.builder()
        .backend(backend)
        .withoutWatchdog()
        .failureHandler((where, failure) -> reported.add(failure))
        .loops("test", loops);
  }

  private static void await(GroupLoop loop, CompletableFuture<?> future) {
    Object _ = loop.app().await(loop.app().scheduler().completion(future));
  }

  @Test
  void circle_ofTasksOfTwoLoops_isReportedOnceAndDrawn() throws Exception {
    try (LoopGroup group = group(2)) {
      group.start(loop -> {
        if (loop.index() == 0) {
          Task<?> a =
              loop.app()
                  .spawn(
                      "a",
                      () -> {
                        Task<?> self = loop.app().scheduler().currentTask();
                        await(loop, group.spawnOn(1, "b", other -> waitForC(group, other, self)));
                      });
          a.join();
        }
        loop.app().await(loop.app().shutdownRequested());
      });
      var deadlock = assertInstanceOf(DeadlockException.class, reported.take());
      assertEquals(3, deadlock.cycle().size());
      String message = deadlock.getMessage();
      for (String edge :
          List.of(
              "'a' of loop 'test-0' waits for ",
              ", held by 'b' of loop 'test-1'",
              "'b' of loop 'test-1' waits for ",
              ", held by 'c' of loop 'test-0'",
              "'c' of loop 'test-0' joins 'a' of loop 'test-0'")) {
        assertTrue(message.contains(edge), message);
      }
      assertTrue(
          message.startsWith("deadlock: tasks of several loops wait for each other; cycle: '"),
          message);
    }
    assertTrue(reported.stream().noneMatch(DeadlockException.class::isInstance));
  }

  private static Object waitForC(LoopGroup group, GroupLoop loop, Task<?> a) {
    await(
        loop,
        group.spawnOn(
            0,
            "c",
            other -> {
              a.join();
              return "never";
            }));
    return "never";
  }

  /// The last wait that closes the circle comes when the others have been looked at before.
  @Test
  void circle_thatIsClosedLate_isReported() throws Exception {
    var known = new CompletableFuture<Task<?>>();
    try (LoopGroup group = group(2)) {
      group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
      var late = new CompletableFuture<Void>();
      var b =
          group.spawnOn(
              1,
              "b",
              loop -> {
                known.complete(loop.app().scheduler().currentTask());
                await(loop, late);
                await(loop, group.spawnOn(0, "c", other -> joinOf(other, known.join())));
                return "never";
              });
      group.spawnOn(
          0,
          "a",
          loop -> {
            await(loop, b);
            return "never";
          });
      late.complete(null);
      var deadlock = assertInstanceOf(DeadlockException.class, reported.take());
      assertEquals(List.of("b", "c"), deadlock.cycle().stream().sorted().toList());
    }
  }

  private static Object joinOf(GroupLoop loop, Task<?> task) {
    Object _ = loop.app().await(loop.app().scheduler().completion(task));
    return "never";
  }
}
