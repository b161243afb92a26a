package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.application.Application;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pools of loops.
final class PoolTest extends BackendTest {

  /// For a thread that is about to end.
  private static final long PATIENCE_MILLIS = 200_000;

  /// On which no grace ends.
  private static final Ticker STOPPED =
      new Ticker() {
        @Override
        public long read() {
          return 0;
        }
      };

  /// Each run has the same choices; the threads make other orders of them.
  private static final long SEED = 19;

  private final ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();

  private Pool pool(int size) {
    return new Pool(
        "jobs",
        size,
        app ->
            app.backend(backend).bare().failureHandler((where, failure) -> reported.add(failure)));
  }

  @AfterEach
  void noThreadIsLeft() throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("jobs-")) {
        each.join(PATIENCE_MILLIS);
        assertFalse(each.isAlive(), () -> each + " is left");
      }
    }
  }

  /// Its caller has no pool that it could close. See [#noThreadIsLeft()].
  @Test
  void create_whoseLoopsCannotAllBegin_leavesNone() {
    var made = new AtomicInteger();
    var refusal = new IllegalStateException("no more");
    var thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                new Pool(
                    "jobs",
                    3,
                    app -> {
                      app.backend(backend);
                      if (made.incrementAndGet() == 3) {
                        throw refusal;
                      }
                    }));
    assertSame(refusal, thrown);
  }

  @Test
  void jobs_runToTheirEnd_andMayYieldAndWait() {
    Endpoint<Integer> answers = new Endpoint<>("answers", 2);
    try (Pool pool = pool(2)) {
      List<RemoteTask<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int number = i;
        all.add(
            pool.spawn(() -> {
              Scheduler.current().yield();
              answers.send(number);
              return number * 2;
            }));
      }
      int sum = 0;
      for (int i = 0; i < 50; i++) {
        sum += answers.receive();
      }
      assertEquals(1225, sum);
      for (int i = 0; i < 50; i++) {
        assertEquals(i * 2, all.get(i).join());
      }
    }
  }

  @Test
  void results_areAwaitedByTasks() {
    try (Pool pool = pool(1);
        Scheduler scheduler = builder().build()) {
      runOn(
          scheduler,
          () -> {
            RemoteTask<Scheduler> job = pool.spawn(() -> Scheduler.current());
            assertFalse(job.join() == scheduler);
            return scheduler.select(job.ended(), pool.spawn(() -> 1).ended());
          });
    }
  }

  @Test
  void failingJob_leavesThePoolAlive() {
    try (Pool pool = pool(1)) {
      var failure = new IllegalStateException("broken");
      RemoteTask<Object> job =
          pool.spawn(() -> {
            Scheduler.current().yield();
            throw failure;
          });
      assertSame(failure, assertThrows(TaskFailedException.class, job::join).getCause());
      assertEquals(1, pool.spawn(() -> 1).join());
    }
  }

  @Test
  void resize_toZeroAndBack_keepsPendingJobs() {
    try (Pool pool = pool(0)) {
      RemoteTask<Integer> job = pool.spawn(() -> 7);
      assertEquals(new PoolCounts(1, 0, 0), pool.counts());
      pool.resize(2);
      assertEquals(7, job.join());
      pool.resize(0);
      assertEquals(0, pool.size());
      RemoteTask<Integer> later = pool.spawn(() -> 8);
      pool.resize(1);
      assertEquals(8, later.join());
      assertEquals(1, pool.size());
    }
  }

  @Test
  void resize_down_finishesBegunJobs() {
    Endpoint<String> go = new Endpoint<>("go", 0);
    try (Pool pool = pool(1)) {
      RemoteTask<String> job = pool.spawn(() -> go.receive());
      go.send("went on", Duration.ofSeconds(20)); // so it has begun
      assertEquals("went on", job.join());
      RemoteTask<String> second = pool.spawn(() -> go.receive() + go.receive());
      go.send("a");
      pool.resize(0);
      go.send("b");
      assertEquals("ab", second.join());
    }
  }

  @Test
  void resize_down_endsTheLeastBusyLoop() {
    Endpoint<Scheduler> busy = new Endpoint<>("busy", 0);
    Endpoint<String> go = new Endpoint<>("go", 0);
    var computes = new AtomicBoolean(true);
    var begun = new AtomicBoolean();
    try (Pool pool = pool(1)) {
      RemoteTask<Void> first =
          pool.spawn(() -> {
            begun.set(true);
            while (computes.get()) {
              Thread.onSpinWait();
            }
          });
      while (!begun.get()) {
        Thread.onSpinWait();
      }
      pool.resize(2);
      RemoteTask<String> second = // on the newest loop, because the other one computes
          pool.spawn(() -> {
            busy.send(Scheduler.current());
            return go.receive();
          });
      Scheduler newest = busy.receive();
      computes.set(false);
      first.join();
      pool.resize(1);
      assertSame(newest, pool.spawn(() -> Scheduler.current()).join());
      go.send("ends");
      assertEquals("ends", second.join());
    }
  }

  @Test
  void job_beginsOnAFreeLoop_thoughOneThatHasWaitedComputes() {
    var computes = new AtomicBoolean(true);
    var begun = new AtomicBoolean();
    try (Pool pool = pool(2)) {
      RemoteTask<Void> first =
          pool.spawn(() -> {
            for (int i = 0; i < 3; i++) {
              Scheduler.current().yield(); // its loop waits for the next job meanwhile
            }
            begun.set(true);
            while (computes.get()) {
              Thread.onSpinWait();
            }
          });
      while (!begun.get()) {
        Thread.onSpinWait();
      }
      try {
        for (int i = 0; i < 4; i++) { // more than loops
          int number = i;
          assertEquals(number, pool.spawn(() -> number).join());
        }
      } finally {
        computes.set(false);
      }
      first.join();
    }
  }

  @Test
  void counts_tellRunningFromSuspended() {
    Endpoint<String> asked = new Endpoint<>("asked", 0);
    try (Pool pool = pool(1)) {
      RemoteTask<String> waiting = pool.spawn(() -> asked.receive());
      RemoteTask<PoolCounts> observing = pool.spawn(pool::counts);
      assertEquals(new PoolCounts(0, 1, 1), observing.join());
      asked.send("go");
      assertEquals("go", waiting.join());
    }
  }

  @Test
  void cancel_beforeItBegins_neverRuns() {
    try (Pool pool = pool(0)) {
      RemoteTask<Object> job =
          pool.spawn(() -> {
            throw new AssertionError("ran");
          });
      assertTrue(job.cancel("not needed"));
      pool.resize(1);
      var told = assertThrows(CancellationException.class, job::join);
      assertEquals(
          "task 'job of jobs' was cancelled before it began: not needed", told.getMessage());
      assertEquals(1, pool.spawn(() -> 1).join());
    }
  }

  @Test
  void close_cancelsWhatDoesNotEnd_andFailsWhatHasNotBegun() {
    Endpoint<String> begun = new Endpoint<>("begun", 0);
    Pool pool = pool(1);
    RemoteTask<Object> endless =
        pool.spawn(() -> {
          begun.send("begun");
          return Scheduler.current().suspend();
        });
    assertEquals("begun", begun.receive());
    pool.resize(0);
    RemoteTask<Object> never = pool.spawn(() -> null);
    pool.close(Duration.ZERO);
    assertThrows(CancellationException.class, endless::join);
    var told = assertThrows(TaskFailedException.class, never::join).getCause();
    assertInstanceOf(ComputicleEndedException.class, told);
    assertEquals(
        "pool 'jobs' was closed before remote task 'job of jobs' began", told.getMessage());
    assertEquals(new PoolCounts(0, 0, 0), pool.counts());
    assertThrows(ComputicleEndedException.class, () -> pool.spawn(() -> 1));
    assertThrows(ComputicleEndedException.class, () -> pool.resize(1));
    pool.close();
  }

  @Test
  void close_letsPendingJobsEnd() {
    Pool pool = pool(2);
    List<RemoteTask<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(pool.spawn(() -> 1));
    }
    pool.close();
    assertEquals(20, all.stream().mapToInt(RemoteTask::join).sum());
  }

  @Test
  void close_jobThatDoesNotCleanUpInTime_fails() {
    Endpoint<String> begun = new Endpoint<>("begun", 0);
    Pool pool = pool(1);
    RemoteTask<Object> stubborn =
        pool.spawn(() -> {
          try {
            begun.send("begun");
            return Scheduler.current().suspend();
          } finally {
            Scheduler.current().shielded(() -> Scheduler.current().suspend());
          }
        });
    assertEquals("begun", begun.receive());
    pool.close(Duration.ZERO);
    var told = assertThrows(TaskFailedException.class, stubborn::join).getCause();
    assertInstanceOf(TaskAbandonedException.class, told);
  }

  @Test
  void close_byAJob_isRefused() {
    try (Pool pool = pool(1)) {
      RemoteTask<String> job =
          pool.spawn(() -> assertThrows(IllegalStateException.class, pool::close).getMessage());
      assertEquals(
          "close() of pool 'jobs' by one of its jobs, for whose end it would wait", job.join());
    }
  }

  @Test
  void close_byATask_waitsThoughItIsCancelled() {
    Endpoint<String> go = new Endpoint<>("go", 0);
    try (Scheduler scheduler = builder().build()) {
      runOn(
          scheduler,
          () -> {
            Pool pool = pool(1);
            RemoteTask<String> job = pool.spawn(() -> go.receive());
            Task<Boolean> closing =
                scheduler.spawn(() -> {
                  pool.close();
                  return job.isDone();
                });
            scheduler.yield();
            closing.cancel("enough");
            go.send("went on");
            assertTrue(closing.join());
            return job.join();
          });
    }
  }

  @Test
  void parentFails_itsJobsAreCancelledAtOnce() {
    var failure = new IllegalStateException("broken");
    List<RemoteTask<?>> jobs = new ArrayList<>();
    var parent =
        Computicle.builder("jobs-parent")
            .application(app -> app.backend(backend).bare())
            .start((app, mailbox) -> {
              Pool pool =
                  new Pool(
                      "jobs",
                      1,
                      loop -> loop.backend(backend).bare().scheduler(own -> own.ticker(STOPPED)));
              jobs.add(pool.spawn(() -> Scheduler.current().suspend()));
              pool.spawn(() -> {}).join();
              throw failure;
            });
    assertSame(failure, assertThrows(TaskFailedException.class, parent::join).getCause());
    assertThrows(CancellationException.class, jobs.getFirst()::join);
  }

  @Test
  void parentFails_computiclesOfItsJobsAreCancelledAtOnce() {
    var failure = new IllegalStateException("broken");
    var parent =
        Computicle.builder("jobs-parent")
            .application(app -> app.backend(backend).bare())
            .start((app, mailbox) -> {
              pool(1).spawn(() -> startForLong()).join();
              throw failure;
            });
    assertSame(failure, assertThrows(TaskFailedException.class, parent::join).getCause());
    assertEquals(List.of(), List.copyOf(reported));
  }

  private void startForLong() {
    Computicle.builder("jobs-child")
        .application(app -> app.backend(backend).bare())
        .grace(Duration.ofHours(1))
        .start((app, mailbox) -> app.scheduler().suspend());
  }

  @Test
  void parentEnds_poolEnds() {
    List<RemoteTask<?>> jobs = new ArrayList<>();
    List<Pool> pools = new ArrayList<>();
    try (Scheduler scheduler = builder().build()) {
      runOn(
          scheduler,
          () -> {
            pools.add(pool(1));
            pools.add(pool(0));
            return pools.stream().map(each -> jobs.add(each.spawn(() -> 1))).toList();
          });
    }
    assertEquals(1, jobs.getFirst().join());
    assertThrows(TaskFailedException.class, () -> jobs.getLast().join());
    for (Pool each : pools) {
      assertThrows(ComputicleEndedException.class, () -> each.spawn(() -> 2));
      each.close();
    }
  }

  @Test
  void loopThatAJobEnds_isReplaced() {
    Endpoint<String> never = new Endpoint<>("never", 0);
    try (Pool pool = pool(1)) {
      RemoteTask<String> neighbour = pool.spawn(() -> never.receive());
      pool.spawn(() -> Application.current().stop());
      assertEquals(3, pool.spawn(() -> 3).join());
      assertThrows(CancellationException.class, neighbour::join);
      assertEquals(1, pool.size());
    }
  }

  @Test
  void loopThatAJobEnds_leavesAJobThatItWasAboutToTake() throws Exception {
    try (Pool pool = pool(1)) {
      RemoteTask<RemoteTask<Integer>> ending =
          pool.spawn(() -> {
            Scheduler.current().yield(); // the loop waits for the next job meanwhile
            RemoteTask<Integer> next = pool.spawn(() -> 3);
            Application.current().stop();
            return next;
          });
      assertEquals(3, ending.join().toCompletableFuture().get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void loopThatAJobEnds_cleansUp_jobsBeginOnAnother() throws Exception {
    Endpoint<Scheduler> begun = new Endpoint<>("begun", 0);
    Endpoint<String> go = new Endpoint<>("go", 0);
    var cleans = new CountDownLatch(1);
    var gate = new CompletableFuture<Void>();
    try (Pool pool = pool(2)) {
      RemoteTask<String> first =
          pool.spawn(() -> {
            begun.send(Scheduler.current());
            return go.receive();
          });
      Scheduler busy = begun.receive();
      RemoteTask<Boolean> ending;
      do {
        ending = pool.spawn(() -> Scheduler.current() != busy && endOwnLoop(cleans, gate));
      } while (!ending.join());
      cleans.await();
      try {
        for (int i = 0; i < 5; i++) { // at the first, the ending loop may have a turn
          RemoteTask<Scheduler> next = pool.spawn(() -> Scheduler.current());
          assertSame(busy, next.toCompletableFuture().get(10, TimeUnit.SECONDS));
        }
      } finally {
        gate.complete(null);
        go.send("ends");
      }
      assertEquals("ends", first.join());
    }
  }

  /// Ends the loop of the caller, which cleans up until a gate opens.
  private static boolean endOwnLoop(CountDownLatch cleans, CompletableFuture<Void> gate) {
    Application app = Application.current();
    app.spawn(() -> {
      try {
        app.scheduler().suspend();
      } finally {
        app.shielded(() -> {
          app.yield(); // the other tasks of the loop end meanwhile
          app.yield();
          cleans.countDown();
          app.await(app.scheduler().completion(gate));
        });
      }
    });
    app.yield();
    app.stop();
    return true;
  }

  @Test
  void toCompletableFuture_endsAsTheJobDoes() throws Exception {
    var failure = new IllegalStateException("broken");
    try (Pool pool = pool(1)) {
      assertEquals(1, pool.spawn(() -> 1).toCompletableFuture().get());
      RemoteTask<Object> failing =
          pool.spawn(() -> {
            throw failure;
          });
      CompletableFuture<Object> failed = failing.toCompletableFuture();
      assertSame(failure, assertThrows(ExecutionException.class, failed::get).getCause());
      assertSame(failure, failed.exceptionNow());
      RemoteTask<Object> endless = pool.spawn(() -> Scheduler.current().suspend());
      CompletableFuture<Object> cancelled = endless.toCompletableFuture();
      assertTrue(endless.cancel("enough"));
      assertThrows(CancellationException.class, cancelled::get);
      assertTrue(cancelled.isCancelled());
    }
  }

  @Test
  void failureThatNoCallerAwaits_isReported() {
    var failure = new IllegalStateException("broken");
    try (Pool pool = pool(1)) {
      pool.spawn(() -> {
        throw failure;
      });
    }
    assertEquals(List.of(failure), List.copyOf(reported));
  }

  /// docs/semantics.md, rule 46.
  @Test
  void failureThatIsJoinedLater_isNotReported() {
    var joined = new IllegalStateException("joined");
    var lost = new IllegalStateException("lost");
    try (Pool pool =
        new Pool(
            "jobs",
            1,
            app ->
                app.backend(backend)
                    .bare()
                    .failureHandler((where, failure) -> reported.add(failure))
                    .scheduler(own -> own.ticker(STOPPED)))) {
      var first =
          pool.spawn(() -> {
            throw joined;
          });
      pool.spawn(() -> {
        throw lost;
      });
      pool.spawn(() -> {}).join();
      assertSame(joined, assertThrows(TaskFailedException.class, first::join).getCause());
    }
    assertEquals(List.of(lost), List.copyOf(reported));
  }

  @Test
  void resize_whileJobsCome_losesNone() {
    var random = new Random(SEED);
    List<RemoteTask<Integer>> all = new ArrayList<>();
    try (Pool pool = pool(0)) {
      for (int i = 0; i < 500; i++) {
        int number = i;
        all.add(
            pool.spawn(() -> {
              Scheduler.current().yield();
              return number;
            }));
        if (random.nextInt(5) == 0) {
          pool.resize(random.nextInt(4));
        }
      }
      pool.resize(2);
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals(i, all.get(i).join());
    }
    assertEquals(List.of(), List.copyOf(reported));
  }

  @Test
  void size_belowZero_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> pool(-1));
  }
}
