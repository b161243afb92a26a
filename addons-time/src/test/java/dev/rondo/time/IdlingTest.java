package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import dev.rondo.scheduler.addon.IdleStrategy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.mockito.Mockito;

/// The loop does not wake up when nothing is due: how often it sleeps, and until when.
final class IdlingTest extends OnEveryBackend {

  /// Delegates to the clock.
  private IdleStrategy idler() {
    IdleStrategy idler = mock(IdleStrategy.class);
    Mockito.doAnswer(
            call -> {
              clock.idleUntil(call.getArgument(0));
              return null;
            })
        .when(idler)
        .idleUntil(anyLong());
    scheduler().host().idleStrategy(idler);
    return idler;
  }

  /// Apart from its sleeps the strategy sees passes only.
  private static void assertNeverSleepsElse(IdleStrategy idler) {
    verify(idler, atLeast(0)).pass();
    verify(idler, atLeast(0)).lendsThread();
    verifyNoMoreInteractions(idler);
  }

  @Test
  void start_threeSleepers_oneSleepForEachDeadline() {
    IdleStrategy idler = idler();
    long start = clock.read();
    for (int seconds : new int[] {3, 1, 2, 3}) {
      scheduler().spawn(() -> time().sleep(Duration.ofSeconds(seconds)));
    }
    scheduler().start();
    InOrder order = inOrder(idler);
    for (int seconds = 1; seconds <= 3; seconds++) {
      order.verify(idler).idleUntil(start + seconds * 1_000_000_000L);
    }
    assertNeverSleepsElse(idler);
  }

  @Test
  void start_timerCancelledMeanwhile_noSleepForIt() {
    IdleStrategy idler = idler();
    long start = clock.read();
    Timer timer = time().delay(ms(10), () -> {});
    run(() -> {
      sleep(5);
      timer.cancel();
      sleep(20);
    });
    InOrder order = inOrder(idler);
    order.verify(idler).idleUntil(start + 5_000_000);
    order.verify(idler).idleUntil(start + 25_000_000);
    assertNeverSleepsElse(idler);
  }

  @Test
  void start_earlierTimerArmedMeanwhile_sleepIsShorter() {
    IdleStrategy idler = idler();
    long start = clock.read();
    time().delay(ms(10), () -> {});
    clock.advanceBy(Duration.ZERO);
    time().delay(ms(5), () -> {});
    scheduler().start();
    InOrder order = inOrder(idler);
    order.verify(idler).idleUntil(start + 5_000_000);
    order.verify(idler).idleUntil(start + 10_000_000);
    assertNeverSleepsElse(idler);
  }

  @Test
  void start_noTimers_neverSleeps() {
    IdleStrategy idler = idler();
    run(() -> scheduler().yield());
    verify(idler, never()).idleUntil(anyLong());
    verify(idler, never()).idle();
    assertEquals(0, time().waiterCount());
  }
}
