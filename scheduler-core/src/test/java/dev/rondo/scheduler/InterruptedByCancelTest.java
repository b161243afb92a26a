package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// On BOUND, a cancellation reaches a task that is blocked in the JDK as an interrupt.
@BackendsDiffer
class InterruptedByCancelTest extends SchedulerTest {

  private final CountDownLatch never = new CountDownLatch(1);

  @BeforeEach
  void onlyBound() {
    assumeTrue(backend.name().equals("BOUND"));
  }

  private Void block() throws InterruptedException {
    never.await();
    return null;
  }

  @Test
  void cancel_blockedInTheJdk_isCancelled() {
    Task<Void> task = scheduler.spawn(this::block);
    scheduler.spawn(() -> task.cancel("enough"));
    scheduler.start();
    assertEquals(TaskState.CANCELLED, task.taskState());
    var outcome = assertInstanceOf(Outcome.Cancelled.class, task.outcome());
    assertEquals("enough", outcome.cause().reason());
  }

  @Test
  void cancel_scopeBlockedInTheJdk_isTheScopesCancellation() {
    CancelScope scope = scheduler.newScope("scope");
    scheduler.spawn(() -> {
      scheduler.yield();
      scope.cancel("enough");
    });
    runTask(() -> {
      assertThrows(CancellationException.class, () -> scope.run(this::block));
      assertFalse(Thread.currentThread().isInterrupted());
    });
  }

  @Test
  void cancel_scopeIgnoresTheInterrupt_doesNotLeakIt() {
    CancelScope scope = scheduler.newScope("scope");
    scheduler.spawn(() -> {
      scheduler.yield();
      scope.cancel("enough");
      scheduler.yield();
      never.countDown();
    });
    runTask(() -> {
      scope.run(() -> {
        awaitUninterruptibly();
        return null;
      });
      assertFalse(Thread.currentThread().isInterrupted());
    });
    assertTrue(scope.isCancelled());
  }

  private void awaitUninterruptibly() {
    boolean interrupted = false;
    while (true) {
      try {
        never.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void cancel_betweenTwoBlockingCalls_reachesTheSecond() {
    var first = new CountDownLatch(1);
    Task<Void> task =
        scheduler.spawn(() -> {
          first.await();
          block();
        });
    scheduler.step();
    first.countDown(); // unblocks the task, which is now ready
    scheduler
        .host()
        .spawnSteps(
            "canceller",
            self -> {
              if (task.taskState() == TaskState.BLOCKED) {
                return StepResult.AGAIN;
              }
              assertTrue(task.cancel("enough"));
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void cancel_oneself_reachesTheNextBlockingCall() {
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.currentTask().cancel("enough");
          block();
        });
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void cancel_insideAShield_reachesTheFirstBlockingCallAfterIt() {
    CancelScope scope = scheduler.newScope("scope");
    runTask(() ->
        assertThrows(
            CancellationException.class,
            () ->
                scope.run(() -> {
                  scheduler.shielded(() -> scope.cancel("enough"));
                  return block();
                })));
  }

  @Test
  void cancel_ignoredByABlockingCall_isNotToldByInterruptAgain() {
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.currentTask().cancel("enough");
          awaitUninterruptibly(); // clears the interrupt, and blocks again
          trace("through");
        });
    for (int i = 0; i < 10; i++) {
      scheduler.step();
    }
    assertEquals(TaskState.BLOCKED, task.taskState());
    assertFalse(scheduler.step());
    never.countDown();
    scheduler.start();
    assertTrace("through");
  }

  @Test
  void cancel_interruptNotTakenByTheCall_doesNotBreakIntoAShield() {
    var cleaned = new CountDownLatch(1);
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            awaitUninterruptibly();
          } finally {
            scheduler.shielded(() -> {
              cleaned.await();
              trace("cleaned");
              return null;
            });
          }
          scheduler.yield();
        });
    scheduler.step();
    task.cancel("enough");
    scheduler.step();
    never.countDown();
    scheduler
        .host()
        .spawnSteps(
            "cleaner",
            self -> {
              cleaned.countDown();
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace("cleaned");
    assertTrue(task.isCancelled());
  }

  // Libraries that make another exception of the interrupt.

  private Void blockInALibrary() throws IOException {
    try {
      never.await();
      return null;
    } catch (InterruptedException e) {
      throw new IOException("interrupted while waiting for a connection");
    }
  }

  @Test
  void cancel_blockedInALibrary_isCancelledWithItsException() {
    Task<Void> task = scheduler.spawn(this::blockInALibrary);
    scheduler.spawn(() -> task.cancel("enough"));
    scheduler.start();
    var outcome = assertInstanceOf(Outcome.Cancelled.class, task.outcome());
    assertInstanceOf(IOException.class, outcome.cause().getSuppressed()[0]);
    assertEquals(List.of(), outcome.cause().failures());
  }

  @Test
  void cancel_blockedInASocket_isCancelled() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Task<Integer> task =
          scheduler.spawn(() -> {
            try (var socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
              return socket.getInputStream().read();
            }
          });
      scheduler.spawn(() -> {
        while (task.taskState() != TaskState.BLOCKED) {
          scheduler.yield();
        }
        task.cancel("enough");
      });
      scheduler.start();
      assertTrue(task.isCancelled(), task::toString);
    }
  }

  @Test
  void cancel_failsForAReasonThatDoesNotTellOfTheInterrupt_isCancelledAndReported() {
    var lost = new IllegalStateException("the connection is lost");
    Task<Void> task =
        scheduler.spawn(() -> {
          awaitUninterruptiblyOnce();
          throw lost;
        });
    scheduler.spawn(() -> task.cancel("enough"));
    scheduler.start();
    assertTrue(task.isCancelled(), task::toString);
    assertEquals(List.of(lost), takeFailures());
  }

  private void awaitUninterruptiblyOnce() {
    try {
      never.await();
    } catch (InterruptedException e) {
      trace("interrupted");
      assertTrace("interrupted");
    }
  }

  @Test
  void within_blockedInALibrary_timesOutWithItsException() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class,
              () -> scheduler.within(Duration.ofSeconds(1), this::blockInALibrary));
      assertInstanceOf(IOException.class, told.getCause());
      assertFalse(Thread.currentThread().isInterrupted());
    });
  }

  @Test
  void within_blockedInTheJdk_timesOutWithItsException() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class, () -> scheduler.within(Duration.ofSeconds(1), this::block));
      assertInstanceOf(InterruptedException.class, told.getCause());
    });
  }

  @Test
  void within_anotherLimitInside_theOneThatIsOverIsTold() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(
                      Duration.ofSeconds(1),
                      () -> scheduler.within(Duration.ofSeconds(5), this::blockInALibrary)));
      assertTrue(told.getMessage().contains("1 s"), told.getMessage());
    });
  }

  @Test
  void cancel_scopeBlockedInALibrary_isTheScopesCancellation() {
    CancelScope scope = scheduler.newScope("scope");
    scheduler.spawn(() -> {
      scheduler.yield();
      scope.cancel("enough");
    });
    runTask(() -> {
      var told = assertThrows(CancellationException.class, () -> scope.run(this::blockInALibrary));
      assertInstanceOf(IOException.class, told.getCause().getSuppressed()[0]);
    });
  }

  @Test
  void cancel_groupOfTasksInALibrary_endsAsCancelled() {
    runTask(() -> {
      TaskGroup<Void> group = scheduler.newGroup("group");
      var children = new ArrayList<Task<Void>>();
      group.run(() -> {
        children.add(group.spawn("reader", this::blockInALibrary));
        scheduler.yield();
        group.cancel("no more");
      });
      assertTrue(children.getFirst().isCancelled());
    });
  }
}
