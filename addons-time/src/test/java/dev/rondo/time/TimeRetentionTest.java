package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TimerHandle;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A disarmed timer and its action can be collected: near timers, far timers, and timers in
/// between, alone and in a crowd.
final class TimeRetentionTest extends OnEveryBackend {

  private static final long[] DELAYS_MILLIS = {0, 1, 1_000, 3_600_000, Long.MAX_VALUE / 4};

  /// The action of a timer.
  private static final class Held {
    void run() {}
  }

  private static void assertCollected(WeakReference<?> reference) {
    for (int i = 0; i < 20 && reference.get() != null; i++) {
      System.gc();
    }
    assertNull(reference.get(), "is still held");
  }

  private List<TimerHandle> crowd() {
    var crowd = new ArrayList<TimerHandle>();
    for (int i = 1; i < 200; i++) {
      crowd.add(time().at(scheduler().host().deadlineAfter(ms(i * 20L)), () -> {}));
    }
    return crowd;
  }

  private void eachInACrowdAndAlone(Supplier<WeakReference<?>> disarmed) {
    assertCollected(disarmed.get());
    List<TimerHandle> crowd = crowd();
    assertCollected(disarmed.get());
    crowd.forEach(TimerHandle::cancel);
  }

  @Test
  void at_cancelled_notHeld() {
    for (long millis : DELAYS_MILLIS) {
      eachInACrowdAndAlone(() -> {
        var held = new Held();
        var alarm = time().at(scheduler().host().deadlineAfter(ms(millis)), held::run);
        assertTrue(alarm.cancel());
        return new WeakReference<>(held);
      });
    }
  }

  @Test
  void delay_cancelled_notHeld() {
    for (long millis : DELAYS_MILLIS) {
      eachInACrowdAndAlone(() -> {
        var held = new Held();
        assertTrue(time().delay(ms(millis), held::run).cancel());
        scheduler().start();
        return new WeakReference<>(held);
      });
    }
  }

  @Test
  void delay_cancelledInTheStepThatFoundItDue_notHeld() {
    var timer = new Timer[1];
    time().delay(ms(10), () -> timer[0].cancel());
    WeakReference<?> reference = cancelledLater(timer);
    scheduler().start();
    timer[0] = null;
    run(() -> {}); // replaces the last task that had a turn
    assertCollected(reference);
  }

  private WeakReference<?> cancelledLater(Timer[] timer) {
    var held = new Held();
    timer[0] = time().delay(ms(10), held::run);
    return new WeakReference<>(held);
  }

  @Test
  void sleep_taskCancelled_notHeld() {
    for (long millis : DELAYS_MILLIS) {
      eachInACrowdAndAlone(() -> {
        var held = new Object();
        Task<Integer> task =
            scheduler()
                .spawn(() -> {
                  time().sleep(ms(millis));
                  return held.hashCode();
                });
        scheduler().step();
        task.cancel("test");
        while (!task.isDone()) {
          scheduler().step();
        }
        run(() -> {}); // replaces the last task that had a turn
        return new WeakReference<>(held);
      });
    }
  }

  @Test
  void timeout_taskEndedWithout_notHeld() {
    WeakReference<?> task = endedWithItsTimeoutArmed();
    run(() -> {});
    assertEquals(0, time().waiterCount());
    assertCollected(task);
  }

  private WeakReference<?> endedWithItsTimeoutArmed() {
    Task<Void> task = scheduler().spawn(() -> time().timeout(Duration.ofHours(1)));
    scheduler().start();
    assertTrue(task.isDone());
    return new WeakReference<>(task);
  }
}
