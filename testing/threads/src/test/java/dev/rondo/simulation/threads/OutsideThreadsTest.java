package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.LimitedWait;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Waits with a limit for threads that are none of the simulation.
final class OutsideThreadsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// A real thread that is there until the end of a test.
  private static final class Real implements AutoCloseable {

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;

    /// @param first what it does at first
    Real(Runnable first) throws InterruptedException {
      var begun = new CountDownLatch(1);
      thread =
          new Thread(
              () -> {
                first.run();
                begun.countDown();
                standStill(end);
              },
              "real");
      thread.start();
      begun.await();
    }

    private static void standStill(CountDownLatch end) {
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      end.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static World world(TaskAction<Exception> program) {
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> program.run());
    return world;
  }

  private static SimulationFailedError failure(TaskAction<Exception> program) {
    World world = world(program);
    return assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
  }

  private static void assertHas(String part, Throwable failure) {
    String stack = Arrays.toString(failure.getStackTrace());
    assertTrue(stack.contains(part), stack);
  }

  /// Runs code on a real thread, to its end.
  private static void inRealThread(Runnable code) throws InterruptedException {
    var real = new Thread(code, "real");
    real.start();
    real.join();
  }

  @Test
  void join_withALimit_failsTheRunAtOnce_withBothStacks() throws InterruptedException {
    try (var real = new Real(() -> {})) {
      SimulationFailedError failure = failure(() -> real.thread.join(5_000));
      assertTrue(failure.toString().contains("at 0 s, host"), failure.toString());
      assertTrue(failure.toString().contains("waits for thread 'real'"), failure.toString());
      assertHas("OutsideThreadsTest", failure.getCause());
      assertHas("OutsideThreadsTest$Real.", failure.getCause().getCause());
    }
  }

  @Test
  void join_ofARealVirtualThread_failsTheRunAtOnce() throws InterruptedException {
    var end = new CountDownLatch(1);
    Thread real = Thread.ofVirtual().name("real").start(() -> Real.standStill(end));
    SimulationFailedError failure = failure(() -> real.join(Duration.ofSeconds(5)));
    end.countDown();
    real.join();
    assertTrue(failure.toString().contains("waits for thread 'real'"), failure.toString());
  }

  @Test
  void join_ofARealThreadThatHasEnded_isNoWait() throws InterruptedException {
    var real = new Real(() -> {});
    real.close();
    try (World world = world(() -> real.thread.join(5_000))) {
      world.runFor(HOUR);
    }
  }

  @Test
  void awaitTermination_ofAPoolOfTheTest_failsTheRunAtOnce() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1, work -> new Thread(work, "real"))) {
      pool.submit(() -> {}).get();
      SimulationFailedError failure = failure(() -> pool.awaitTermination(5, TimeUnit.SECONDS));
      assertTrue(failure.toString().contains("waits for thread 'real'"), failure.toString());
    }
  }

  @Test
  void waitFor_aSubprocessOfTheTest_isRefused() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("cat").start();
    SimulationFailedError failure = failure(() -> process.waitFor(5, TimeUnit.SECONDS));
    process.getOutputStream().close();
    process.waitFor();
    assertTrue(failure.toString().contains("the end of the subprocess"), failure.toString());
  }

  @Test
  void tryLock_ofALockThatARealThreadHolds_failsTheRunAtItsLimit() throws InterruptedException {
    var lock = new ReentrantLock();
    try (var _ = new Real(lock::lock)) {
      SimulationFailedError failure = failure(() -> lock.tryLock(5, TimeUnit.SECONDS));
      assertTrue(failure.toString().contains("for a lock of thread 'real'"), failure.toString());
      assertHas("ReentrantLock.tryLock", failure.getCause());
      assertHas("OutsideThreadsTest$Real.", failure.getCause().getCause());
    }
  }

  @Test
  void tryLock_ofALockThatARealVirtualThreadHolds_failsTheRunAtItsLimit()
      throws InterruptedException {
    var lock = new ReentrantLock();
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    Thread real =
        Thread.ofVirtual()
            .name("real")
            .start(() -> {
              lock.lock();
              begun.countDown();
              Real.standStill(end);
            });
    begun.await();
    SimulationFailedError failure = failure(() -> lock.tryLock(5, TimeUnit.SECONDS));
    end.countDown();
    real.join();
    assertTrue(failure.toString().contains("for a lock of thread 'real'"), failure.toString());
  }

  @Test
  void tryLock_ofALockThatAnotherThreadOfTheProgramHolds_isLeftAlone() throws Exception {
    var lock = new ReentrantLock();
    try (World world =
        world(() -> {
          lock.lock();
          try {
            var other = new Thread(() -> LimitedWait.tryLock(lock));
            other.start();
            other.join();
          } finally {
            lock.unlock();
          }
        })) {
      world.runFor(HOUR);
      inRealThread(() -> LimitedWait.passThrough(lock));
    }
  }

  @Test
  void tryLock_ofALockThatTheTestHolds_isLeftAlone() {
    var lock = new ReentrantLock();
    lock.lock();
    try (World world = world(() -> lock.tryLock(5, TimeUnit.SECONDS))) {
      world.runFor(HOUR);
    }
  }

  @ParameterizedTest
  @EnumSource
  void release_byARealThread_afterTheLimit_failsTheRun_withBothStacks(LimitedWait.Kind kind)
      throws InterruptedException {
    LimitedWait wait = kind.make();
    World world = world(wait::await);
    world.runFor(HOUR);
    inRealThread(wait::release);
    var failure = assertThrows(SimulationFailedError.class, world::close);
    assertTrue(
        failure.toString().contains("has waited up to a limit for thread 'real'"),
        failure.toString());
    assertHas(kind.waiter(), failure.getCause());
    assertHas(".release", failure.getCause().getCause());
  }

  @Test
  void release_byARealThread_isSeenAtTheNextTurn() throws InterruptedException {
    LimitedWait wait = LimitedWait.Kind.LATCH.make();
    World world =
        world(() -> {
          wait.await();
          Thread.sleep(HOUR);
        });
    world.runFor(Duration.ofMinutes(1));
    inRealThread(wait::release);
    assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
  }

  @ParameterizedTest
  @EnumSource
  void release_byTheTestItself_isLeftAlone(LimitedWait.Kind kind) {
    LimitedWait wait = kind.make();
    try (World world = world(wait::await)) {
      world.runFor(HOUR);
      wait.release();
      world.runFor(HOUR);
    }
  }

  @ParameterizedTest
  @EnumSource
  void release_byASimulatedThread_isLeftAlone(LimitedWait.Kind kind) {
    try (World world =
        world(() -> {
          kind.make().awaitInVain();
          kind.make().awaitRelease();
        })) {
      world.runFor(HOUR);
    }
  }

  /// The reader looks once a second, and would find the byte.
  @Test
  void release_ofAPipe_byARealThread_failsTheRun() throws Exception {
    var in = new PipedInputStream();
    var out = new PipedOutputStream(in);
    World world = world(() -> in.read());
    world.runFor(HOUR);
    inRealThread(() -> write(out));
    String failure = assertThrows(SimulationFailedError.class, world::close).toString();
    assertTrue(failure.contains("for thread 'real'"), failure);
  }

  private static void write(PipedOutputStream out) {
    try {
      out.write(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void release_afterManyOtherWaits_failsTheRun() throws InterruptedException {
    LimitedWait wait = LimitedWait.Kind.LATCH.make();
    World world =
        world(() -> {
          wait.await();
          for (int i = 0; i < 900; i++) {
            LimitedWait.Kind.LATCH.make().await();
          }
        });
    world.runFor(HOUR.multipliedBy(3));
    inRealThread(wait::release);
    assertThrows(SimulationFailedError.class, world::close);
  }

  /// Pools and timers that have a thread before the world begins.
  enum Shared {
    POOL {
      @Override
      AutoCloseable make() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, work -> new Thread(work, "real"));
        pool.submit(() -> {}).get();
        return pool;
      }

      @Override
      void use(AutoCloseable made) {
        ((ExecutorService) made).execute(() -> {});
      }
    },
    SCHEDULED_POOL {
      @Override
      AutoCloseable make() throws Exception {
        var pool = Executors.newScheduledThreadPool(1, work -> new Thread(work, "real"));
        pool.submit(() -> {}).get();
        return pool;
      }

      @Override
      void use(AutoCloseable made) {
        ((ScheduledExecutorService) made).schedule(() -> {}, 1, TimeUnit.SECONDS);
      }
    },
    FORK_JOIN_POOL {
      @Override
      AutoCloseable make() throws Exception {
        return pool();
      }

      @Override
      void use(AutoCloseable made) {
        ((ForkJoinPool) made).execute(() -> {});
      }
    },
    FORK_JOIN_POOL_OF_A_FUTURE {
      @Override
      AutoCloseable make() throws Exception {
        return pool();
      }

      @Override
      void use(AutoCloseable made) {
        CompletableFuture.runAsync(() -> {}, (ForkJoinPool) made).isDone();
      }
    },
    FORK_JOIN_POOL_LATER {
      @Override
      AutoCloseable make() throws Exception {
        return pool();
      }

      @Override
      void use(AutoCloseable made) {
        ((ForkJoinPool) made).schedule(() -> {}, 1, TimeUnit.SECONDS);
      }
    },
    FORK_JOIN_POOL_FROM_OUTSIDE {
      @Override
      AutoCloseable make() throws Exception {
        return pool();
      }

      @Override
      void use(AutoCloseable made) {
        ((ForkJoinPool) made).externalSubmit(ForkJoinTask.adapt(() -> {}));
      }
    },
    TIMER {
      @Override
      AutoCloseable make() {
        var timer = new Timer("real");
        return new OfTimer(timer);
      }

      @Override
      void use(AutoCloseable made) {
        ((OfTimer) made)
            .timer()
            .schedule(
                new TimerTask() {
                  @Override
                  public void run() {
                    // does not come so far
                  }
                },
                1_000);
      }
    };

    private record OfTimer(Timer timer) implements AutoCloseable {
      @Override
      public void close() {
        timer.cancel();
      }
    }

    private static ForkJoinPool pool() throws Exception {
      ForkJoinPool pool =
          new ForkJoinPool(
              1,
              of -> {
                var made = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(of);
                made.setName("real");
                return made;
              },
              null,
              false);
      pool.submit(() -> {}).get();
      return pool;
    }

    abstract AutoCloseable make() throws Exception;

    abstract void use(AutoCloseable made);
  }

  @ParameterizedTest
  @EnumSource
  void work_forARealThread_failsTheRunAtOnce_withItsStack(Shared shared) throws Exception {
    try (AutoCloseable made = shared.make()) {
      SimulationFailedError failure = failure(() -> shared.use(made));
      assertTrue(failure.toString().contains("at 0 s, host"), failure.toString());
      assertTrue(failure.toString().contains("gives work to thread 'real'"), failure.toString());
      assertHas("OutsideThreadsTest", failure.getCause());
    }
  }

  @Test
  void awaitTermination_ofAForkJoinPoolOfTheTest_failsTheRunAtOnce() throws Exception {
    try (ForkJoinPool pool = Shared.pool()) {
      for (TaskAction<Exception> each :
          List.<TaskAction<Exception>>of(
              () -> pool.awaitTermination(5, TimeUnit.SECONDS),
              () -> pool.awaitQuiescence(5, TimeUnit.SECONDS))) {
        SimulationFailedError failure = failure(each);
        assertTrue(failure.toString().contains("waits for thread 'real'"), failure.toString());
      }
    }
  }

  @Test
  void work_forTheCommonPoolOfTheJvm_isRefused() {
    ForkJoinPool common = ForkJoinPool.commonPool();
    SimulationFailedError failure = failure(() -> common.execute(() -> {}));
    assertTrue(failure.toString().contains("the common pool of the JVM"), failure.toString());
  }

  /// Otherwise it would use the common pool of the JVM.
  @Test
  void publisher_ofAProgram_hasThePoolOfItsHost() {
    var received = new ArrayList<Integer>();
    try (World world =
        world(() -> {
          var publisher = new SubmissionPublisher<Integer>();
          var end = publisher.consume(received::add);
          publisher.submit(1);
          publisher.close();
          end.join();
        })) {
      world.runFor(HOUR);
    }
    assertEquals(List.of(1), received);
  }

  /// Its threads are those of the program then.
  @Test
  void work_forAPoolOfTheTest_thatHasNoThread_isLeftAlone() {
    var ran = new ArrayList<String>();
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try (World world = world(() -> pool.submit(() -> ran.add("done")).get())) {
      world.runFor(HOUR);
    }
    assertEquals(List.of("done"), ran);
  }

  @Test
  void join_ofTheFirstThreadOfAProgram_isLeftAlone() {
    var joined = new ArrayList<Boolean>();
    try (World world =
        world(() -> {
          Thread first = Thread.currentThread();
          new Thread(() -> joined.add(LimitedWait.join(first))).start();
          Thread.sleep(1_000);
        })) {
      world.runFor(HOUR);
    }
    assertEquals(List.of(true), joined);
  }

  @Test
  void unpark_byARealThread_ofTheFirstThread_failsTheRun() throws InterruptedException {
    assertTrue(reachedFirst(LockSupport::unpark).contains("interrupted by thread 'real'"));
  }

  @Test
  void interrupt_byARealThread_ofTheFirstThread_failsTheRun() throws InterruptedException {
    assertTrue(reachedFirst(Thread::interrupt).contains("interrupted by thread 'real'"));
  }

  /// {@return the failure of a run, the first thread of which was reached while it was ready}
  private static String reachedFirst(Consumer<Thread> by) throws InterruptedException {
    var first = new AtomicReference<Thread>();
    World world =
        world(() -> {
          first.set(Thread.currentThread());
          Thread.yield();
          Thread.yield();
        });
    world.runUntil(() -> first.get() != null, HOUR);
    inRealThread(() -> by.accept(first.get()));
    return assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR)).toString();
  }

  /// It leaves a permit, and the next park would not wait.
  @Test
  void unpark_byARealThread_ofOneThatIsReady_failsTheRun() throws InterruptedException {
    assertTrue(reached(LockSupport::unpark).contains("interrupted by thread 'real'"));
  }

  @Test
  void interrupt_byARealThread_ofOneThatIsReady_failsTheRun() throws InterruptedException {
    assertTrue(reached(Thread::interrupt).contains("interrupted by thread 'real'"));
  }

  /// {@return the failure of a run, a thread of which was reached before its first turn}
  private static String reached(Consumer<Thread> by) throws InterruptedException {
    var started = new AtomicReference<Thread>();
    World world =
        world(() -> {
          var thread = new Thread(() -> {});
          thread.start();
          started.set(thread);
        });
    world.runUntil(() -> started.get() != null, HOUR);
    inRealThread(() -> by.accept(started.get()));
    return assertThrows(SimulationFailedError.class, world::close).toString();
  }
}
