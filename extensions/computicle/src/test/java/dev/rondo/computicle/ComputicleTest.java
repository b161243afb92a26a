package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Computicles, started and used by threads and by tasks.
final class ComputicleTest extends BackendTest {

  /// For a thread that is about to end.
  private static final long PATIENCE_MILLIS = 200_000;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FOR_LONG = Duration.ofHours(1);

  private final IllegalStateException failure = new IllegalStateException("broken");
  private final ConcurrentLinkedQueue<Throwable> own = new ConcurrentLinkedQueue<>();

  private ComputicleBuilder worker() {
    return Computicle.builder("worker")
        .application(
            app -> app.backend(backend).bare().failureHandler((where, thrown) -> own.add(thrown)));
  }

  private void run(TaskAction<?> main) {
    try (Scheduler scheduler = builder().build()) {
      runOn(
          scheduler,
          () -> {
            main.run();
            return null;
          });
    }
  }

  @AfterEach
  void noThreadIsLeft() throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals("worker")) {
        each.join(PATIENCE_MILLIS);
        assertFalse(each.isAlive(), "its thread is left");
      }
    }
  }

  // Messages.

  @Test
  void messages_areReceivedInOrder_andQuitEndsTheMailbox() {
    var got = new ArrayList<String>();
    Computicle<String> worker =
        worker().mailbox(2).start((app, mailbox) -> mailbox.forEach(got::add));
    for (String each : List.of("a", "b", "c", "d")) {
      worker.send(each);
    }
    worker.quit();
    worker.join();
    assertEquals(List.of("a", "b", "c", "d"), got);
    assertEquals(List.of(), worker.undelivered());
    assertTrue(worker.isDone());
  }

  @Test
  void messages_fromTasks_suspendTheSender() {
    run(() -> {
      var got = new ArrayList<Integer>();
      Computicle<Integer> worker =
          worker().mailbox(1).start((app, mailbox) -> mailbox.forEach(got::add));
      for (int i = 0; i < 100; i++) {
        worker.send(i);
      }
      worker.close();
      assertEquals(100, got.size());
    });
  }

  @Test
  void send_afterQuit_saysThatTheMessageWasNotTaken() {
    Computicle<String> worker =
        worker().start((app, mailbox) -> app.await(app.shutdownRequested()));
    worker.quit();
    var told = assertThrows(ClosedException.class, () -> worker.send("late"));
    assertEquals(
        "send to endpoint 'mailbox of worker', which was closed: the message was not taken",
        told.getMessage());
    worker.join();
    assertThrows(ClosedException.class, () -> worker.mailbox().trySend("late"));
  }

  @Test
  void undelivered_isWhatNoTaskHasReceived() {
    Computicle<String> worker =
        worker().start((app, mailbox) -> app.await(app.shutdownRequested()));
    assertTrue(worker.mailbox().trySend("a"));
    assertTrue(worker.mailbox().trySend("b"));
    assertEquals(List.of(), worker.undelivered());
    worker.close();
    assertEquals(List.of("a", "b"), worker.undelivered());
  }

  @Test
  void sender_waitingWhenItEnds_isTold() throws Exception {
    var begun = new CountDownLatch(1);
    Computicle<String> worker =
        worker()
            .mailbox(0)
            .start((app, mailbox) -> {
              begun.await();
              throw failure;
            });
    run(() -> {
      Task<ClosedException> sender =
          Scheduler.current()
              .spawn(() -> assertThrows(ClosedException.class, () -> worker.send("never")));
      Scheduler.current().yield();
      begun.countDown();
      ClosedException told = sender.join();
      assertEquals(
          "send to endpoint 'mailbox of worker', whose receiver has failed: the message was not"
              + " taken",
          told.getMessage());
      assertSame(failure, told.getCause());
      assertSame(failure, assertThrows(TaskFailedException.class, worker::join).getCause());
    });
  }

  // Code.

  @Test
  void exec_returnsItsResult_toThreadsAndTasks() {
    Computicle<Void> worker = worker().start();
    RemoteTask<String> asked = worker.exec(() -> Thread.currentThread().getName());
    assertFalse(asked.join().isEmpty());
    run(() -> {
      Scheduler here = Scheduler.current();
      assertEquals(7, worker.exec(() -> 7).join());
      assertEquals(8, here.await(worker.exec(() -> 8).ended()));
      assertEquals(9, here.await(here.completion(worker.exec(() -> 9).toCompletableFuture())));
      assertTrue(
          worker.exec(() -> Scheduler.current() != here).join(), "another scheduler runs it");
    });
    worker.close();
  }

  @Test
  void exec_keepsTheOrder() {
    var got = new ArrayList<Integer>();
    Computicle<Void> worker = worker().start();
    for (int i = 0; i < 50; i++) {
      int number = i;
      worker.exec(() -> got.add(number));
    }
    worker.exec(() -> {}).join();
    worker.close();
    assertEquals(50, got.size());
    assertEquals(got.stream().sorted().toList(), got);
  }

  @Test
  void exec_failure_reachesTheJoiner_andTheComputicleLives() {
    Computicle<Void> worker = worker().start();
    RemoteTask<Object> failing =
        worker.exec(() -> {
          throw failure;
        });
    var told = assertThrows(TaskFailedException.class, failing::join);
    assertSame(failure, told.getCause());
    assertEquals(1, worker.exec(() -> 1).join());
    worker.close();
  }

  @Test
  void exec_failureThatNobodyAwaits_isReported() {
    Computicle<Void> worker = worker().start();
    worker.exec(() -> {
      throw failure;
    });
    worker.close();
    assertEquals(List.of(failure), List.copyOf(own));
  }

  @Test
  void exec_cancel_reachesTheTask() {
    Computicle<Void> worker = worker().start();
    var begun = new CountDownLatch(1);
    RemoteTask<Object> waiting =
        worker.exec(() -> {
          begun.countDown();
          return Scheduler.current().suspend();
        });
    assertDoesNotWait(begun);
    assertTrue(waiting.cancel("enough"));
    var told = assertThrows(CancellationException.class, waiting::join);
    assertTrue(told.getMessage().contains("enough"), told.getMessage());
    assertFalse(waiting.cancel("again"));
    worker.close();
  }

  private static void assertDoesNotWait(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void exec_afterQuit_isRefused() {
    Computicle<Void> worker = worker().start();
    worker.exec(() -> {}).join();
    worker.quit();
    worker.join();
    var told = assertThrows(ComputicleEndedException.class, () -> worker.exec(() -> {}));
    assertEquals(
        "computicle 'worker' has quit: the code was not taken and does not run", told.getMessage());
  }

  @Test
  void exec_leftWhenItIsCancelled_isTold() {
    Computicle<Void> worker = worker().start();
    RemoteTask<Object> endless = worker.exec(() -> Scheduler.current().suspend());
    worker.quit(Duration.ZERO);
    worker.join();
    assertThrows(RuntimeException.class, endless::join);
    assertTrue(endless.isDone());
  }

  // Its end.

  @Test
  void failure_reachesAllJoiners() {
    var go = new CountDownLatch(1);
    Computicle<String> worker =
        worker()
            .start((app, mailbox) -> {
              go.await();
              throw failure;
            });
    run(() -> {
      Task<?> joiner =
          Scheduler.current()
              .spawn(() ->
                  assertSame(
                      failure, assertThrows(TaskFailedException.class, worker::join).getCause()));
      Scheduler.current().yield();
      go.countDown();
      joiner.join();
    });
    assertSame(failure, assertThrows(TaskFailedException.class, worker::join).getCause());
    assertSame(failure, assertThrows(TaskFailedException.class, worker::join).getCause());
    assertEquals(List.of(), List.copyOf(own));
  }

  @Test
  void failure_thatNobodyJoins_isReportedToTheParent() {
    run(() -> {
      Computicle<String> worker =
          worker()
              .start((app, mailbox) -> {
                throw failure;
              });
      Scheduler.current().blocking(worker::blockUntilEnded);
    });
    assertEquals(List.of(failure), takeFailures());
  }

  @Test
  void failure_thatNobodyJoins_withoutAParent_isReportedToItsOwnHandler() {
    Computicle<String> worker =
        worker()
            .start((app, mailbox) -> {
              throw failure;
            });
    worker.blockUntilEnded();
    assertEquals(List.of(failure), List.copyOf(own));
    assertSame(failure, assertThrows(TaskFailedException.class, worker::join).getCause());
  }

  @Test
  void checkedFailure_isTheCause() {
    var checked = new IOException("broken");
    Computicle<String> worker =
        worker()
            .start((app, mailbox) -> {
              mailbox.receive();
              throw checked;
            });
    worker.mailbox().trySend("go");
    assertSame(checked, assertThrows(TaskFailedException.class, worker::join).getCause());
  }

  @Test
  void join_limit_leavesItAlone() {
    Computicle<Void> worker = worker().start();
    var told = assertThrows(TimedOutException.class, () -> worker.join(Duration.ofNanos(1)));
    assertEquals("gave up after 1 ns: end of computicle 'worker'", told.getMessage());
    assertFalse(worker.isDone());
    worker.close();
  }

  @Test
  void join_cancelledTask_leavesItAlone() {
    Computicle<Void> worker = worker().start();
    run(() -> {
      Task<?> joiner = Scheduler.current().spawn(() -> worker.join());
      Scheduler.current().yield();
      joiner.cancel("enough");
      assertThrows(CancellationException.class, joiner::join);
      assertFalse(worker.isDone());
    });
    worker.close();
  }

  @Test
  void join_interruptedThread_leavesItAlone() {
    Computicle<Void> worker = worker().start();
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, worker::join);
    assertTrue(Thread.interrupted());
    assertFalse(worker.isDone());
    worker.close();
  }

  @Test
  void join_byItself_isRefused() {
    Computicle<Void> worker = worker().start();
    for (RemoteTask<?> each :
        List.of(
            worker.exec(() -> assertThrows(IllegalStateException.class, worker::join)),
            worker.exec(() -> assertThrows(IllegalStateException.class, () -> worker.join(SECOND))),
            worker.exec(() -> assertThrows(IllegalStateException.class, worker::close)))) {
      var told = assertInstanceOf(IllegalStateException.class, each.join());
      assertTrue(told.getMessage().contains("use quit()"), told.getMessage());
    }
    worker.close();
  }

  @Test
  void main_returns_itQuits() {
    Computicle<String> worker = worker().start((app, mailbox) -> {});
    worker.join();
    assertThrows(ClosedException.class, () -> worker.send("late"));
  }

  @Test
  void main_returns_theMailboxCloses_andItsReadersEnd() {
    var got = new ArrayList<String>();
    var sent = new CountDownLatch(1);
    Computicle<String> worker =
        worker()
            .start((app, mailbox) -> {
              sent.await(); // what is sent when it has returned is refused
              mailbox.receive();
              app.spawn("reader", () -> mailbox.forEach(got::add));
            });
    List.of("first", "a", "b").forEach(worker::send);
    sent.countDown();
    worker.join(SECOND.multipliedBy(10));
    assertEquals(List.of("a", "b"), got);
  }

  @Test
  void close_cancelsWhatDoesNotEnd() {
    Computicle<String> worker =
        worker().grace(Duration.ZERO).start((app, mailbox) -> app.scheduler().suspend());
    worker.close();
    assertTrue(worker.isDone());
  }

  @Test
  void main_cancelled_isNoFailure() {
    Computicle<String> worker = worker().start((app, mailbox) -> app.scheduler().suspend());
    worker.quit(Duration.ZERO);
    worker.blockUntilEnded();
    assertEquals(List.of(), List.copyOf(own));
    worker.join();
  }

  @Test
  void parentEnds_itEnds() {
    List<Computicle<?>> started = new ArrayList<>();
    run(() -> {
      Computicle<String> worker =
          worker().grace(Duration.ZERO).start((app, mailbox) -> app.scheduler().suspend());
      worker.mailbox().trySend("kept");
      started.add(worker);
    });
    assertTrue(started.getFirst().isDone());
    assertEquals(List.of("kept"), started.getFirst().undelivered());
  }

  @Test
  void grandchildren_endWithTheirParents() {
    List<Computicle<?>> started = new ArrayList<>();
    var begun = new CountDownLatch(1);
    Computicle<String> worker =
        worker()
            .start((app, mailbox) -> {
              started.add(worker().start());
              begun.countDown();
              app.await(app.shutdownRequested());
            });
    assertDoesNotWait(begun);
    worker.close();
    assertTrue(started.getFirst().isDone());
  }

  @Test
  void parentReturns_itFinishesWhatItHas() {
    var got = new ArrayList<Integer>();
    worker()
        .start((app, mailbox) -> {
          Computicle<Integer> child =
              worker()
                  .start((own, numbers) -> {
                    for (int each : numbers) {
                      own.yield();
                      got.add(each);
                    }
                  });
          List.of(1, 2, 3).forEach(child::send);
        })
        .join();
    assertEquals(List.of(1, 2, 3), got);
  }

  @Test
  void parentFails_itIsCancelledAtOnce_andCleansUp() {
    var started = new ArrayList<Computicle<?>>();
    var cleanedUp = new CountDownLatch(1);
    Computicle<Void> parent =
        worker()
            .start((app, mailbox) -> {
              started.add(
                  worker()
                      .grace(FOR_LONG)
                      .start((own, nothing) -> {
                        try {
                          own.scheduler().suspend();
                        } finally {
                          own.scheduler().shielded(() -> own.yield());
                          cleanedUp.countDown();
                        }
                      }));
              started.getFirst().exec(() -> {}).join();
              throw failure;
            });
    assertSame(failure, assertThrows(TaskFailedException.class, parent::join).getCause());
    assertTrue(started.getFirst().isDone());
    assertEquals(0, cleanedUp.getCount());
    assertEquals(List.of(), List.copyOf(own));
  }

  @Test
  void parentIsCancelled_itsChildrenAreAtOnce() {
    var begun = new CountDownLatch(1);
    Computicle<Void> parent =
        worker()
            .start((app, mailbox) -> {
              worker().grace(FOR_LONG).start((own, nothing) -> own.scheduler().suspend());
              begun.countDown();
              app.scheduler().suspend();
            });
    assertDoesNotWait(begun);
    parent.quit(Duration.ZERO);
    parent.join();
  }

  @Test
  void parentStops_whileItsMainWaits_itsChildrenAreCancelledAtOnce() {
    Computicle<Void> parent =
        worker()
            .start((app, mailbox) -> {
              startForLong();
              app.stop();
              app.scheduler().suspend();
            });
    parent.join();
  }

  @Test
  void grandparentFails_itIsCancelledAtOnce_whoseParentIsCancelled() {
    assertGrandchildIsCancelledAtOnce((app, mailbox) -> {
      startForLong();
      app.scheduler().suspend();
    });
  }

  @Test
  void grandparentFails_itIsCancelledAtOnce_thoughItsParentReturns() {
    assertGrandchildIsCancelledAtOnce((app, mailbox) -> {
      startForLong();
      mailbox.forEach(each -> {});
    });
  }

  @Test
  void grandparentFails_itIsCancelledAtOnce_thoughItsParentHadReturned() {
    assertGrandchildIsCancelledAtOnce((app, mailbox) -> {
      startForLong();
      app.scheduler().spawn("server", () -> app.scheduler().suspend());
    });
  }

  private void assertGrandchildIsCancelledAtOnce(Computicle.Main<String> main) {
    Computicle<Void> parent =
        worker()
            .start((app, nothing) -> {
              Computicle<String> child = worker().grace(FOR_LONG).start(main);
              child.exec(() -> {}).join(); // main has had its turn
              throw failure;
            });
    assertSame(failure, assertThrows(TaskFailedException.class, parent::join).getCause());
  }

  private void startForLong() {
    worker().grace(FOR_LONG).start((app, nothing) -> app.scheduler().suspend());
  }

  @Test
  void grandparentFails_itIsCancelledAtOnce_whileItsParentWaitsForIt() {
    var grandchildQuits = new CountDownLatch(1);
    Computicle<Void> parent =
        worker()
            .start((app, nothing) -> {
              worker()
                  .start((child, none) ->
                      worker()
                          .grace(FOR_LONG)
                          .start((grandchild, no) -> {
                            grandchild.await(grandchild.shutdownRequested());
                            grandchildQuits.countDown();
                            grandchild.scheduler().suspend();
                          }));
              assertDoesNotWait(grandchildQuits); // its parent closes
              throw failure;
            });
    assertSame(failure, assertThrows(TaskFailedException.class, parent::join).getCause());
  }

  @Test
  void ended_besideOtherEvents() {
    run(() -> {
      Computicle<Void> worker = worker().start();
      Endpoint<String> words = new Endpoint<>("words", 1);
      words.trySend("word");
      Scheduler here = Scheduler.current();
      assertEquals(1, here.select(worker.ended(), words.receiving()).index());
      worker.quit();
      assertEquals(0, here.select(worker.ended(), words.receiving()).index());
    });
  }

  /// A virtual thread would pass on that it is a daemon.
  @Test
  void thread_startedByATask_isNoDaemon() {
    Application.builder()
        .backend(backend)
        .run(app -> {
          try (var own =
              Computicle.<String>start("no daemon", (inner, mailbox) -> mailbox.receive())) {
            Thread thread =
                Thread.getAllStackTraces().keySet().stream()
                    .filter(each -> each.getName().equals("no daemon"))
                    .findFirst()
                    .orElseThrow();
            assertFalse(thread.isDaemon());
            own.send("end");
          }
        });
  }
}
