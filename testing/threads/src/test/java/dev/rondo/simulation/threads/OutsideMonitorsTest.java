package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Entering;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.internal.TurnWatches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// Monitors that threads hold which are none of the simulation.
final class OutsideMonitorsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// What a run has shown.
  private record Story(List<Integer> passed, Duration elapsed, long digest) {}

  /// A real thread that holds a monitor until a simulated thread waits for it, and a while longer:
  /// until another one has a turn, or the world's thread waits.
  private static final class Holder {

    private final Thread world = Thread.currentThread();
    private final List<Thread> entering = new CopyOnWriteArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean otherTurn;
    private volatile boolean released;
    private volatile boolean over;

    Holder(Object monitor) throws InterruptedException {
      thread = new Thread(() -> hold(monitor), "real");
      thread.start();
      held.await();
    }

    private void hold(Object monitor) {
      synchronized (monitor) {
        held.countDown();
        while (!over
            && !(isWanted() && (otherTurn || world.getState() == Thread.State.TIMED_WAITING))) {
          Thread.yield();
        }
      }
      released = true;
    }

    private boolean isWanted() {
      return entering.stream().anyMatch(each -> each.getState() == Thread.State.BLOCKED);
    }

    /// Called by a simulated thread.
    void enters() {
      entering.add(Thread.currentThread());
    }

    /// Called by a simulated thread, which has the turn until the monitor is released if another
    /// one waits for it.
    void passes(int number) {
      if (number % 2 != 0 && isWanted()) {
        otherTurn = true;
        while (!released) {
          Thread.onSpinWait();
        }
      }
    }

    void end() throws InterruptedException {
      over = true;
      thread.join();
    }
  }

  /// A real thread that wants a monitor which a simulated thread has, before another one wants it.
  /// It holds it until one more has a turn, or the world's thread waits.
  private static final class Between {

    private final Thread world = Thread.currentThread();
    private final Thread thread;
    private final CountDownLatch wants = new CountDownLatch(1);
    private final List<Thread> entering = new CopyOnWriteArrayList<>();
    private volatile boolean has;
    private volatile boolean left;
    private volatile boolean otherTurn;

    Between(Object monitor) {
      thread =
          new Thread(() -> {
            OutsideMonitorsTest.await(wants);
            synchronized (monitor) {
              has = true;
              while (!otherTurn && world.getState() != Thread.State.TIMED_WAITING) {
                Thread.yield();
              }
            }
            left = true;
          });
      thread.start();
    }

    /// Called by the simulated thread that has the monitor.
    void start() {
      wants.countDown();
      while (thread.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
    }

    /// Called by a simulated thread.
    void enters() {
      entering.add(Thread.currentThread());
    }

    /// Called by a simulated thread, which has the turn until the monitor is left if another one
    /// waits for it.
    void passes(int number) {
      if (has && entering.stream().anyMatch(each -> each.getState() == Thread.State.BLOCKED)) {
        otherTurn = true;
        while (!left) {
          Thread.onSpinWait();
        }
      }
    }
  }

  /// Threads of a host.
  private interface Program {
    void run(IntConsumer passes) throws Exception;
  }

  private static Story story(long seed, Program program) {
    var passed = new ArrayList<Integer>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host(
          "host",
          host -> {
            program.run(passed::add);
            passed.add(-1);
          });
      world.runUntil(() -> passed.contains(-1), HOUR);
      return new Story(List.copyOf(passed), world.elapsed(), world.digest());
    }
  }

  @RepeatedTest(20)
  void monitor_thatARealThreadHolds_doesNotChangeTheRun(RepetitionInfo repetition)
      throws InterruptedException {
    long seed = repetition.getCurrentRepetition();
    Story story = story(seed, passes -> Entering.inAndOut(new Object(), number -> {}, passes));
    var monitor = new Object();
    var holder = new Holder(monitor);
    try {
      assertEquals(
          story,
          story(
              seed,
              passes ->
                  Entering.inAndOut(
                      monitor, number -> holder.enters(), passes.andThen(holder::passes))));
      assertFalse(holder.otherTurn);
    } finally {
      holder.end();
    }
  }

  /// It comes to the monitor between two simulated threads.
  @RepeatedTest(20)
  void monitor_thatARealThreadWaitsFor_doesNotChangeTheRun(RepetitionInfo repetition)
      throws InterruptedException {
    long seed = repetition.getCurrentRepetition();
    Story story =
        story(seed, passes -> Entering.oneAfterTheOther(new Object(), () -> {}, () -> {}, passes));
    var monitor = new Object();
    var real = new Between(monitor);
    assertEquals(
        story,
        story(
            seed,
            passes ->
                Entering.oneAfterTheOther(
                    monitor, real::start, real::enters, passes.andThen(real::passes))));
    real.thread.join();
    assertFalse(real.otherTurn);
  }

  @RepeatedTest(5)
  void monitor_ofNotifiedThreads_isLeftInTheirTurns(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Story story = story(seed, passes -> Entering.notified(new Object(), passes));
    assertEquals(Duration.ofMillis(12), story.elapsed());
    assertEquals(2, story.passed().getFirst());
  }

  /// Its thread lets go of the monitor when that was noticed.
  @Test
  void monitor_thatARealThreadDoesNotLeave_failsTheRun_withBothStacks() throws Exception {
    var monitor = new Object();
    Thread world = Thread.currentThread();
    var held = new CountDownLatch(1);
    var noticed = new CountDownLatch(1);
    var real = new Thread(() -> holdUntil(monitor, held, noticed), "real");
    real.start();
    held.await();
    var looking = new Thread(() -> lookAt(world), "looking");
    looking.start();
    String failure;
    Throwable cause;
    try (World own = BlockingJava.in(World.withSeed(7))) {
      own.host("host", host -> Entering.pass(monitor));
      var thrown = assertThrows(SimulationFailedError.class, () -> own.runFor(HOUR));
      failure = thrown.toString();
      cause = thrown.getCause();
    } finally {
      noticed.countDown();
      real.join();
      looking.join();
    }
    assertTrue(failure.contains("at 0 s, host"), failure);
    assertTrue(
        failure.contains(
            "too long in real time for the monitor of a java.lang.Object of thread 'real'"),
        failure);
    assertHas("Entering.pass", cause);
    assertHas("OutsideMonitorsTest.holdUntil", cause.getCause());
  }

  private static void holdUntil(Object monitor, CountDownLatch held, CountDownLatch end) {
    synchronized (monitor) {
      held.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void lookAt(Thread world) {
    while (world.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    TurnWatches.lookUntilItFails();
  }

  private static void assertHas(String part, Throwable failure) {
    String stack = Arrays.toString(failure.getStackTrace());
    assertTrue(stack.contains(part), stack);
  }

  /// One that another thread has wanted or waited on: any other is taken for one that the simulated
  /// thread has itself, because it runs on the same thread.
  @Test
  @SuppressWarnings("WaitNotInLoop") // it has the JVM make room for those that wait
  void monitor_thatTheTestHolds_failsTheRunAtOnce() throws InterruptedException {
    var monitor = new Object();
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> Entering.pass(monitor));
    synchronized (monitor) {
      monitor.wait(1);
      var failure = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertTrue(
          failure.toString().contains("java.lang.Object that the thread which runs the world has"),
          failure.toString());
      assertHas("Entering.pass", failure.getCause());
    }
  }

  /// When the limit is over, the monitor is not free.
  @Test
  void wait_withALimit_onAMonitorThatARealThreadHoldsThen_endsAtItsLimit() throws Exception {
    var monitor = new Object();
    var waits = new CountDownLatch(1);
    var held = new CountDownLatch(1);
    Thread world = Thread.currentThread();
    var real =
        new Thread(() -> {
          await(waits);
          synchronized (monitor) {
            held.countDown();
            while (world.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
        });
    real.start();
    Story story =
        story(
            7,
            passes -> {
              var other =
                  new Thread(() -> {
                    waits.countDown();
                    while (held.getCount() > 0) {
                      Thread.onSpinWait();
                    }
                  });
              other.start();
              Entering.await(monitor, 5);
              passes.accept(1);
            });
    real.join();
    assertEquals(List.of(1, -1), story.passed());
    assertEquals(Duration.ofMillis(5), story.elapsed());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// While a turn is under way: it would be taken for a notification by the thread that has it.
  @Test
  void notification_byARealThread_failsTheRun_withBothStacks() throws Exception {
    var monitor = new Object();
    var notifying = new CountDownLatch(1);
    var real =
        new Thread(
            () -> {
              await(notifying);
              Entering.notify(monitor);
            },
            "real");
    real.start();
    World world = BlockingJava.in(World.withSeed(7));
    world.host(
        "host",
        host -> {
          var waiter = new Thread(() -> awaitForEver(monitor));
          waiter.start();
          Thread.sleep(1_000);
          notifying.countDown();
          while (real.isAlive()) {
            Thread.onSpinWait();
          }
          Thread.sleep(1_000);
        });
    var failure = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    assertTrue(failure.toString().contains("was notified by thread 'real'"), failure.toString());
    assertHas("Entering.await", failure.getCause());
    assertHas("Entering.notify", failure.getCause().getCause());
  }

  private static void awaitForEver(Object monitor) {
    try {
      Entering.await(monitor, 0);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
