package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.SettableFuture;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Many tasks that wait for one future: the future has one callback, however many there are and
/// however they come and go, so each of them costs the same.
class FutureCrowdTest extends SchedulerTest {

  private static final int CROWD = 1_000;

  private final AtomicInteger received = new AtomicInteger();

  private void crowd(Waitable<String> completion) {
    for (int i = 0; i < CROWD; i++) {
      scheduler.spawn(() -> {
        assertEquals("value", scheduler.await(completion, Duration.ofSeconds(1)));
        received.incrementAndGet();
      });
    }
  }

  private void crowdThatGivesUp(CompletableFuture<String> future) {
    for (int i = 0; i < CROWD; i++) {
      scheduler.spawn(() ->
          assertThrows(
              TimedOutException.class,
              () -> scheduler.await(scheduler.completion(future), Duration.ofSeconds(1))));
    }
    scheduler.start();
  }

  @Test
  void await_manyGiveUp_theFutureHasOneCallback() {
    var future = new CompletableFuture<String>();
    crowdThatGivesUp(future);
    assertEquals(1, future.getNumberOfDependents());
    crowdThatGivesUp(future);
    assertEquals(1, future.getNumberOfDependents());
    crowd(scheduler.completion(future));
    drive();
    assertEquals(1, future.getNumberOfDependents());
    future.complete("value");
    scheduler.start();
    assertEquals(CROWD, received.get());
  }

  @Test
  void await_completedWhileNoTaskWaited_isDeliveredToLaterWaits() {
    var future = new CompletableFuture<String>();
    crowdThatGivesUp(future);
    future.complete("value");
    crowd(scheduler.completion(future));
    scheduler.start();
    assertEquals(CROWD, received.get());
  }

  @Test
  void await_completedElsewhere_allReceiveIt() throws Exception {
    var future = new CompletableFuture<String>();
    crowd(scheduler.completion(future));
    drive();
    elsewhere(() -> future.complete("value"));
    scheduler.start();
    assertEquals(CROWD, received.get());
  }

  @Test
  void await_listenableFuture_allReceiveIt() {
    SettableFuture<String> future = SettableFuture.create();
    crowd(scheduler.completion(future));
    drive();
    future.set("value");
    scheduler.start();
    assertEquals(CROWD, received.get());
  }
}
