package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.threads.hook.Hook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Waits of the world, in real time.
final class RealWaitTest {

  private static final int SLEEPS = 50;

  /// As when the world itself has a thread try again. Otherwise it would not sleep any more, and
  /// with more threads than processors keep the one that it waits for from its work.
  @Test
  void sleep_afterTheCallerHasUnblockedAThread_isNoShorter() {
    assertFalse(sleepAfterUnblocking());
    long begin = System.nanoTime();
    for (int i = 0; i < SLEEPS; i++) {
      assertFalse(sleepAfterUnblocking());
    }
    long took = System.nanoTime() - begin;
    assertTrue(took > Duration.ofMillis(SLEEPS / 2).toNanos(), took + " ns");
  }

  private static boolean sleepAfterUnblocking() {
    Hook.unblocking();
    Hook.unblocked();
    return RealWait.sleep(() -> false);
  }

  @Test
  void until_endsWhenAnotherThreadHasUnblockedOne() throws InterruptedException {
    Thread sleeper = Thread.currentThread();
    var over = new AtomicBoolean();
    var other =
        new Thread(() -> {
          while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
          }
          over.set(true);
          Hook.unblocking();
          Hook.unblocked();
        });
    other.start();
    RealWait.until(over::get);
    assertTrue(over.get());
    other.join();
  }
}
