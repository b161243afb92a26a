package dev.rondo.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// A blocked coroutine may be resumed in vain, because [Coroutine.Body#unblocked()] may be
/// spurious.
class BoundWakeupTest {

  private static final int ROUNDS = Integer.getInteger("rondo.test.wakeups", 2_000);

  /// How often a thread checks for the other before it gives up its processor. With fewer
  /// processors than threads the other cannot run before that.
  private static final int LOOKS_BEFORE_YIELD = 1_000;

  private final AtomicInteger reports = new AtomicInteger();

  /// Both written by one thread and read by the other.
  private volatile int turnsOfTheBody;

  private volatile int round;
  private volatile int unparked;

  private final class Parking implements Coroutine.Body {

    private volatile Thread thread;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the only writer
    public void run() {
      thread = Thread.currentThread();
      while (round < ROUNDS) {
        LockSupport.park();
        turnsOfTheBody++;
      }
    }

    @Override
    public void unblocked() {
      reports.incrementAndGet();
    }
  }

  @Test
  void resume_whileTheJdkUnblocks_losesNoWakeup() throws Exception {
    var body = new Parking();
    Coroutine coroutine = CoroutineBackends.bound().newCoroutine("parking", body);
    coroutine.resume();
    Thread waker = Thread.ofPlatform().daemon().start(() -> unparkEachRound(body.thread));
    int lost = 0;
    for (int i = 1; i <= ROUNDS; i++) {
      int reportsBefore = reports.get();
      int turnsBefore = turnsOfTheBody;
      round = i;
      spin(i % 197);
      coroutine.resume(); // in vain, or just in time
      int expected = i;
      until(() -> unparked == expected);
      if (turnsOfTheBody == turnsBefore) {
        lost += reports.get() == reportsBefore ? 1 : 0;
        coroutine.resume();
      }
    }
    waker.join();
    assertEquals(0, lost, "wakeups that neither resume saw nor unblocked reported");
  }

  private void unparkEachRound(Thread parked) {
    for (int i = 1; i <= ROUNDS; i++) {
      int expected = i;
      until(() -> round == expected);
      spin(i % 193); // before or after the resume, by varying times
      LockSupport.unpark(parked);
      unparked = i;
    }
  }

  private static void until(BooleanSupplier condition) {
    for (int looks = 1; !condition.getAsBoolean(); looks++) {
      if (looks % LOOKS_BEFORE_YIELD == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private static void spin(int times) {
    for (int i = times; i > 0; i--) {
      Thread.onSpinWait();
    }
  }
}
