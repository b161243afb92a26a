package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class QueuedSignalTest extends OnEveryBackend {

  private QueuedSignal<Integer> queued;

  @BeforeEach
  void makeSignal() {
    queued = new QueuedSignal<>(scheduler, "q");
  }

  private Task<Void> waiter(String name) {
    return scheduler.spawn(name, () -> log(name + scheduler.await(queued)));
  }

  @Test
  void signalOne_noWaiter_isKeptInOrderEachForOne() {
    assertFalse(queued.signalOne(1));
    assertFalse(queued.signalOne(2));
    assertEquals(2, queued.kept());
    waiter("a");
    waiter("b");
    waiter("c");
    settle();
    assertEquals(0, queued.kept());
    assertEquals(List.of("a1@0", "b2@0"), log);
    assertTrue(queued.signalOne(3));
    scheduler.start();
    assertEquals(List.of("a1@0", "b2@0", "c3@0"), log);
    assertEquals("queued signal 'q'", queued.toString());
  }

  @Test
  void signalAll_someWait_allGetItAndItIsNotKept() {
    waiter("a");
    waiter("b");
    settle();
    assertEquals(2, queued.signalAll(1));
    assertEquals(0, queued.signalAll(null));
    assertEquals(1, queued.kept());
    waiter("c");
    scheduler.start();
    assertEquals(List.of("a1@0", "b1@0", "cnull@0"), log);
  }

  @Test
  void signalOne_waiterLeftMeanwhile_isKeptForTheNext() {
    Task<Void> cancelled = waiter("cancelled");
    settle();
    cancelled.cancel("test");
    assertFalse(queued.signalOne(1));
    waiter("next");
    scheduler.start();
    assertEquals(List.of("next1@0"), log);
  }

  @Test
  void onSignal_slowHandler_missesNothing() {
    queued.signalOne(1);
    HandlerRegistration registration =
        queued.onSignal(value -> {
          time.sleep(ms(10));
          log("handled " + value);
        });
    run(() -> {
      time.sleep(ms(5));
      queued.signalOne(2);
      queued.signalOne(3);
      time.sleep(ms(30));
      registration.cancel();
    });
    settle();
    assertEquals(List.of("handled 1@10", "handled 2@20", "handled 3@30"), log);
  }

  @Test
  void onSignal_cancelledWithASignalInHand_leavesItToTheNext() {
    for (int handledBefore = 0; handledBefore < 2; handledBefore++) {
      HandlerRegistration registration = queued.onSignal(value -> log("handled " + value));
      for (int i = 0; i < handledBefore; i++) {
        queued.signalOne(0);
        settle();
      }
      assertTrue(queued.signalOne(1));
      queued.signalOne(2);
      assertTrue(registration.cancel());
      assertFalse(registration.isActive());
      settle();
      assertEquals(2, queued.kept());
      waiter("a");
      waiter("b");
      scheduler.start();
    }
    assertEquals(List.of("a1@0", "b2@0", "handled 0@0", "a1@0", "b2@0"), log);
  }

  @Test
  void onSignal_cancelledWithASignalInHand_nextWaiterReceivesIt() {
    HandlerRegistration registration = queued.onSignal(value -> log("handled " + value));
    waiter("a");
    settle();
    assertTrue(queued.signalOne(null));
    registration.cancel();
    scheduler.start();
    assertEquals(List.of("anull@0"), log);
    assertEquals(0, queued.kept());
  }

  @Test
  void onSignal_cancelledWhileItWaits_nothingIsKept() {
    HandlerRegistration registration = queued.onSignal(value -> log("handled " + value));
    queued.signalOne(1);
    settle();
    registration.cancel();
    settle();
    assertEquals(0, queued.kept());
    assertEquals(List.of("handled 1@0"), log);
  }

  @Test
  void onSignal_cancelledInTheMiddleOfAHandler_nothingIsKept() {
    HandlerRegistration registration =
        queued.onSignal(value -> {
          time.sleep(ms(5));
          log("handled " + value);
        });
    queued.signalOne(1);
    run(() -> {
      time.sleep(ms(5));
      registration.cancel();
    });
    settle();
    assertEquals(0, queued.kept());
    assertEquals(List.of("handled 1@5"), log);
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, () -> queued.signalOne(1));
              assertThrows(WrongThreadException.class, () -> queued.signalAll(1));
              assertThrows(WrongThreadException.class, queued::kept);

              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
    assertEquals(0, queued.kept());
  }
}
