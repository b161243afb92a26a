package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.acme.threads.Entering;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;

/// Monitors that threads hold which are none of the simulation.
final class OutsideMonitorsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// What a run has shown.
  private record Story(List<Integer> passed, long digest) {}

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
        while (!over && !(isWanted() && (otherTurn || world.getState() == Thread.State.TIMED_WAITING))) {
          Thread.onSpinWait();
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
    void passes() {
      if (isWanted()) {
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

  private static Story story(long seed, Object monitor, Runnable enters, Runnable passes) {
    var passed = new ArrayList<Integer>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host(
          "host",
          host -> {
            Entering.inAndOut(
                monitor,
                number -> enters.run(),
                number -> {
                  passed.add(number);
                  if (number % 2 != 0) {
                    passes.run();
                  }
                });
            passed.add(-1);
          });
      world.runUntil(() -> passed.contains(-1), HOUR);
      return new Story(List.copyOf(passed), world.digest());
    }
  }

  @RepeatedTest(20)
  void monitor_thatARealThreadHolds_doesNotChangeTheRun(
      org.junit.jupiter.api.RepetitionInfo repetition) throws InterruptedException {
    long seed = repetition.getCurrentRepetition();
    Story story = story(seed, new Object(), () -> {}, () -> {});
    var monitor = new Object();
    var holder = new Holder(monitor);
    try {
      assertEquals(story, story(seed, monitor, holder::enters, holder::passes));
      assertFalse(holder.otherTurn);
    } finally {
      holder.end();
    }
  }
}
