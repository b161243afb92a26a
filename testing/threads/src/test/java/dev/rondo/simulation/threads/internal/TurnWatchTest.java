package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Threads;
import dev.rondo.scheduler.testing.PinnedFrame;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Turns that block the thread of their world. The looks are those of the tests, and not of time.
final class TurnWatchTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// A thread that is none of the simulation lets go of the monitor when that was noticed.
  @Test
  void turn_thatDoesNotGoOn_failsTheRun_withItsStack() throws InterruptedException {
    Thread worldThread = Thread.currentThread();
    var monitor = new Object();
    var held = new CountDownLatch(1);
    var holder =
        new Thread(() -> {
          synchronized (monitor) {
            held.countDown();
            while (worldThread.getState() != Thread.State.BLOCKED) {
              Thread.onSpinWait();
            }
            TurnWatches.lookUntilItFails();
          }
        });
    holder.start();
    held.await();
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> PinnedFrame.run(() -> Threads.enter(monitor)));
    var failure = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    holder.join();
    assertTrue(failure.toString().contains("has blocked all of the world"), failure::toString);
    String stack = Arrays.toString(failure.getCause().getStackTrace());
    assertTrue(stack.contains("com.acme.threads.Threads.enter("), stack);
  }

  /// It runs, however little, between two looks.
  @Test
  void turn_thatComputes_isLeftAlone() {
    var watch = new TurnWatch();
    var seen = new ArrayList<Integer>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host(
          "host",
          host -> {
            for (int i = 0; i < 2 * TurnWatch.LOOKS; i++) {
              seen.add(watch.look());
            }
          });
      world.runFor(HOUR);
    }
    assertEquals(2 * TurnWatch.LOOKS, seen.size());
    assertEquals(Set.of(0), Set.copyOf(seen));
  }

  @Test
  void noTurn_isLeftAlone() {
    var watch = new TurnWatch();
    for (int i = 0; i < 2 * TurnWatch.LOOKS; i++) {
      assertEquals(0, watch.look());
    }
  }
}
