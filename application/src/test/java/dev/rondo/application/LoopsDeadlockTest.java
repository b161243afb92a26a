package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.BackendTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Tasks of several loops that wait for each other, on real threads. A cycle is reported when it
/// has lasted for a second of their clock, which this thread moves on.
final class LoopsDeadlockTest extends BackendTest {

  private static final long SECOND_NANOS = 1_000_000_000;

  /// More seconds than any wait is checked for a cycle.
  private static final int LONGER_THAN_ALL_SEARCHES = 600;

  private final ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();
  private final AtomicLong nanos = new AtomicLong();
  private final Ticker clock =
      new Ticker() {
        @Override
        public long read() {
          return nanos.get();
        }
      };

  private LoopGroup group() {
    return Application.builder()
        .backend(backend)
        .bare()
        .scheduler(scheduler -> scheduler.ticker(clock))
        .failureHandler((where, failure) -> reported.add(failure))
        .loops("test", 2);
  }

  private static void await(LoopGroup.Member loop, CompletableFuture<?> future) {
    Object _ = loop.app().await(loop.app().scheduler().completion(future));
  }

  private static Object awaitForEver(LoopGroup.Member loop, CompletableFuture<?> future) {
    await(loop, future);
    return "never";
  }

  private static Object join(LoopGroup.Member loop, Task<?> task) {
    Object _ = loop.app().await(loop.app().scheduler().completion(task));
    return "never";
  }

  private static void start(LoopGroup group) {
    group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
  }

  /// Lets a second pass, in which each loop does its work.
  private void passSecond(LoopGroup group) {
    nanos.addAndGet(SECOND_NANOS);
    for (int i = 0; i < 2; i++) {
      group.spawnOn(i, "look", loop -> "").join();
    }
  }

  private DeadlockException awaitReport(LoopGroup group) {
    Throwable found;
    do {
      passSecond(group);
      found = reported.poll();
    } while (found == null);
    return assertInstanceOf(DeadlockException.class, found);
  }

  @Test
  void cycle_ofTasksOfTwoLoops_isReportedOnceAndDrawn() throws Exception {
    try (LoopGroup group = group()) {
      start(group);
      var ofA = new CompletableFuture<Task<?>>();
      group.spawnOn(
          0,
          "a",
          loop -> {
            ofA.complete(loop.app().scheduler().currentTask());
            return awaitForEver(
                loop,
                group.spawnOn(
                    1,
                    "b",
                    other ->
                        awaitForEver(other, group.spawnOn(0, "c", last -> ofA.join().join()))));
          });
      DeadlockException deadlock = awaitReport(group);
      assertEquals(List.of("a", "b", "c"), deadlock.cycle().stream().sorted().toList());
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
      for (int i = 0; i < LONGER_THAN_ALL_SEARCHES; i++) {
        passSecond(group);
      }
    }
    assertTrue(reported.stream().noneMatch(DeadlockException.class::isInstance));
  }

  /// The wait that closes the cycle begins when the other waits are no longer checked, and is for a
  /// task of the same loop.
  @Test
  void cycle_closedByAWaitForATaskOfTheSameLoop_muchLater_isReported() throws Exception {
    try (LoopGroup group = group()) {
      start(group);
      var close = new CompletableFuture<Void>();
      var ofA = new CompletableFuture<Task<?>>();
      CompletableFuture<Object> c =
          group.spawnOn(
              0,
              "c",
              loop -> {
                await(loop, close);
                return ofA.join().join();
              });
      CompletableFuture<Object> b = group.spawnOn(1, "b", loop -> awaitForEver(loop, c));
      group.spawnOn(
          0,
          "a",
          loop -> {
            ofA.complete(loop.app().scheduler().currentTask());
            return awaitForEver(loop, b);
          });
      for (int i = 0; i < LONGER_THAN_ALL_SEARCHES; i++) {
        passSecond(group);
      }
      close.complete(null);
      assertEquals(List.of("a", "b", "c"), awaitReport(group).cycle().stream().sorted().toList());
    }
  }

  /// One wait leads into the cycle and is not on it.
  @Test
  void cycle_thatOthersWaitFor_isReportedWithoutThem() throws Exception {
    try (LoopGroup group = group()) {
      start(group);
      CompletableFuture<Object> b =
          group.spawnOn(
              1,
              "b",
              loop -> {
                Task<?> self = loop.app().scheduler().currentTask();
                return awaitForEver(loop, group.spawnOn(0, "c", other -> join(other, self)));
              });
      group.spawnOn(0, "a", loop -> awaitForEver(loop, b));
      assertEquals(List.of("b", "c"), awaitReport(group).cycle().stream().sorted().toList());
    }
  }
}
