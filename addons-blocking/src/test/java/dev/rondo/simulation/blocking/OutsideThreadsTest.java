package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.LimitedWait;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
    assertHas("await", failure.getCause());
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
