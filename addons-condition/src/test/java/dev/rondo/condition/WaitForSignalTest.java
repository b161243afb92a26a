package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WaitForSignalTest extends OnEveryBackend {

  /// A task that waits for "go" once.
  private Task<Void> waiter(String name) {
    return scheduler.spawn(
        name,
        () -> {
          Object payload = scheduler.await(signals.signal("go"));
          log.add(payload == null ? name : name + " " + payload);
        });
  }

  private void three() {
    waiter("w1");
    waiter("w2");
    waiter("w3");
    settle();
  }

  // The add-on.

  @Test
  void on_calledTwice_sameAddOn() {
    assertSame(signals, WaitForSignal.on(scheduler));
  }

  @Test
  void anyMethod_null_saysSo() {
    assertEquals(
        "scheduler is null",
        assertThrows(NullPointerException.class, () -> WaitForSignal.on(null)).getMessage());
    assertEquals(
        "name is null",
        assertThrows(NullPointerException.class, () -> signals.signalAll(null, null)).getMessage());
    assertEquals(
        "name is null",
        assertThrows(NullPointerException.class, () -> signals.signal(null)).getMessage());
    assertEquals(
        "name is null",
        assertThrows(NullPointerException.class, () -> new Signal<>(scheduler, null)).getMessage());
    assertEquals(
        "handler is null",
        assertThrows(
                NullPointerException.class,
                () -> signals.signal("go").onSignal((SignalHandler<Object>) null))
            .getMessage());
    assertEquals(
        "handler is null",
        assertThrows(
                NullPointerException.class,
                () -> signals.signal("go").onSignalOnce((SignalHandler<Object>) null))
            .getMessage());
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var thrown = new ArrayList<WrongThreadException>();
    Signal<String> typed = new Signal<>(scheduler, "typed");
    Thread.ofPlatform()
        .start(() -> {
          thrown.add(
              assertThrows(WrongThreadException.class, () -> signals.signalOne("never", null)));
          thrown.add(assertThrows(WrongThreadException.class, () -> typed.signalAll("x")));
        })
        .join();
    assertEquals(2, thrown.size());
  }

  @Test
  void waitForSignal_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, () -> scheduler.await(signals.signal("go")));
  }

  // Sending.

  @Test
  void signalOne_severalWait_firstComeFirstServed() {
    three();
    assertTrue(signals.signalOne("go", 1));
    settle();
    assertEquals(List.of("w1 1"), log);
    assertTrue(signals.signalOne("go", null));
    assertTrue(signals.signalOne("go", 3));
    assertFalse(signals.signalOne("go", 4));
    settle();
    assertEquals(List.of("w1 1", "w2", "w3 3"), log);
  }

  @Test
  void signalAll_severalWait_atTheBackInWaitingOrder() {
    three();
    scheduler.spawn(() -> log.add("x"));
    scheduler.spawn(() -> log.add("y"));
    assertEquals(3, signals.signalAll("go", null));
    scheduler.start();
    assertEquals(List.of("x", "y", "w1", "w2", "w3"), log);
  }

  @Test
  void signalAllImmediate_severalWait_atTheFrontInWaitingOrder() {
    three();
    scheduler.spawn(() -> log.add("x"));
    scheduler.spawn(() -> log.add("y"));
    assertEquals(3, signals.signalAllImmediate("go", "now"));
    scheduler.start();
    assertEquals(List.of("w1 now", "w2 now", "w3 now", "x", "y"), log);
  }

  @Test
  void signalAllImmediate_inATask_directlyBehindIt() {
    three();
    scheduler.spawn(() -> {
      assertEquals(3, signals.signalAllImmediate("go", null));
      log.add("sender");
      scheduler.yield();
      log.add("sender again");
    });
    scheduler.spawn(() -> log.add("x"));
    scheduler.start();
    assertEquals(List.of("sender", "w1", "w2", "w3", "x", "sender again"), log);
  }

  @Test
  void signalAll_inATask_senderKeepsItsTurn() {
    three();
    run(() -> {
      assertEquals(3, signals.signalAll("go", null));
      log.add("sender");
    });
    assertEquals(List.of("sender", "w1", "w2", "w3"), log);
  }

  @Test
  void signal_noWaiter_lost() {
    assertFalse(signals.signalOne("go", null));
    assertEquals(0, signals.signalAll("go", null));
    assertEquals(0, signals.signalAllImmediate("go", null));
    Task<Void> late = waiter("late");
    assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(List.of(), log);
    assertTrue(signals.signalOne("go", null));
    scheduler.start();
    assertTrue(late.isDone());
  }

  @Test
  void signalAll_oneWaitsAgainInTheSameRound_waitsForTheNext() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 2; i++) {
        log.add(scheduler.await(signals.signal("go")));
      }
    });
    waiter("other");
    run(() -> {
      scheduler.yield();
      assertEquals(2, signals.signalAll("go", 1));
      assertEquals(0, signals.signalAll("go", 2));
      scheduler.yield();
      assertEquals(1, signals.signalAll("go", 3));
    });
    assertEquals(List.of(1, "other 1", 3), log);
  }

  @Test
  void signalAll_ofAnotherName_wakesNone() {
    Task<Void> waiter = waiter("w");
    settle();
    assertEquals(0, signals.signalAll("stop", null));
    assertEquals(1, signals.waiterCount());
    waiter.cancel("test");
    scheduler.start();
  }

  @Test
  void waitForSignal_cancelled_leavesNothingAndTheNextGetsIt() {
    Task<Void> first = waiter("w1");
    waiter("w2");
    settle();
    first.cancel("test");
    assertEquals(1, signals.waiterCount());
    assertTrue(signals.signalOne("go", null));
    scheduler.start();
    assertEquals(List.of("w2"), log);
  }

  @Test
  void waitForSignal_scheduledDirectly_endsAndCanWaitAgainAtOnce() {
    Task<Void> task =
        scheduler.spawn(() -> {
          log.add(scheduler.await(signals.signal("go")));
          log.add(scheduler.await(signals.signal("go")));
        });
    settle();
    assertTrue(scheduler.scheduleTask(task, "direct"));
    assertEquals(0, signals.waiterCount());
    assertEquals(0, signals.signalAll("go", "late"));
    settle();
    assertEquals(1, signals.signalAll("go", "signal"));
    scheduler.start();
    assertEquals(List.of("direct", "signal"), log);
  }

  /// docs/inside/semantics.md, rule 32.
  @Test
  void awaitAll_ofNothing_returnsAtOnce() {
    run(() -> assertEquals(List.of(), signals.awaitAll()));
  }

  @Test
  void awaitAll_scheduledDirectly_saysThatNothingCame() {
    Signal<String> a = new Signal<>(scheduler, "a");
    Signal<String> b = new Signal<>(scheduler, "b");
    Task<Void> all =
        scheduler.spawn(() -> {
          assertThrows(ScheduledDirectlyException.class, () -> signals.awaitAll(a, b));
          var received =
              assertThrows(ScheduledDirectlyException.class, () -> signals.awaitAll(a, b))
                  .getMessage();
          assertTrue(
              received.contains("the wait for all of 'a, b' was ended by scheduleTask"), received);
        });
    settle();
    scheduler.scheduleTask(all, "direct");
    settle();
    scheduler.scheduleTask(all);
    scheduler.start();
    all.join();
    assertEquals(0, a.waiterCount() + b.waiterCount());
  }

  // As a Waitable.

  @Test
  void await_timeout_leavesNothing() {
    run(() -> {
      assertThrows(TimedOutException.class, () -> scheduler.await(signals.signal("go"), ms(10)));
      assertEquals(0, signals.waiterCount());
      assertFalse(signals.signalOne("go", null));
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void select_signalLoses_isNotConsumed() {
    scheduler.spawn(() -> {
      var won = scheduler.select(signals.signal("go"), time.after(ms(5)));
      log.add(won.index());
    });
    scheduler.spawn(() -> {
      time.sleep(ms(1));
      log.add(scheduler.await(signals.signal("go")));
    });
    run(() -> {
      time.sleep(ms(10));
      assertTrue(signals.signalOne("go", "mine"));
    });
    assertEquals(List.of(1, "mine"), log);
  }

  @Test
  void select_sameSignalTwice_oneWake() {
    scheduler.spawn(() -> {
      Signal<Object> go = signals.signal("go");
      log.add(scheduler.select(go, go).index());
    });
    settle();
    assertEquals(1, signals.signalAll("go", null));
    scheduler.start();
    assertEquals(List.of(0), log);
  }

  // Typed signals.

  @Test
  void newSignal_sameName_notTheSame() {
    Signal<Integer> a = new Signal<>(scheduler, "go");
    Signal<Integer> b = new Signal<>(scheduler, "go");
    assertNotSame(a, b);
    assertEquals("go", a.name());
    assertEquals("signal 'go'", a.toString());
    scheduler.spawn(() -> {
      int sum = scheduler.await(a) + 1;
      log.add(sum);
    });
    waiter("named");
    settle();
    assertEquals(1, a.waiterCount());
    assertFalse(b.signalOne(1));
    assertTrue(a.signalOne(41));
    settle();
    assertEquals(List.of(42), log);
    assertEquals(1, signals.signalAll("go", null));
    settle();
  }

  @Test
  void signal_sameName_same() {
    Signal<Object> go = signals.signal("go");
    assertSame(go, signals.signal("go"));
    waiter("w");
    settle();
    assertEquals(1, go.waiterCount());
    assertEquals(1, go.signalAllImmediate(null));
    scheduler.start();
    assertEquals(List.of("w"), log);
  }

  // Handlers.

  @Test
  void onSignal_sentSeveralTimes_runsEachTime() {
    HandlerRegistration registration = signals.signal("go").onSignal(payload -> log.add(payload));
    for (int i = 0; i < 3; i++) {
      assertEquals(1, signals.signalAll("go", i));
      settle();
    }
    assertEquals(List.of(0, 1, 2), log);
    assertEquals("onSignal go", registration.toString());
    assertTrue(registration.cancel());
    assertFalse(registration.cancel());
    assertEquals("onSignal go (not active)", registration.toString());
    assertEquals(0, signals.signalAll("go", 3));
    settle();
  }

  @Test
  void onSignal_withoutPayload_runs() {
    HandlerRegistration registration = signals.signal("go").onSignal(_ -> log("go"));
    signals.signalOne("go", null);
    settle();
    assertEquals(List.of("go@0"), log);
    registration.cancel();
    settle();
  }

  @Test
  void onSignalOnce_sentTwice_runsOnce() {
    HandlerRegistration registration =
        signals.signal("go").onSignalOnce(payload -> log.add(payload));
    assertTrue(registration.isActive());
    assertTrue(signals.signalOne("go", 1));
    settle();
    assertFalse(registration.isActive());
    assertFalse(signals.signalOne("go", 2));
    assertFalse(registration.cancel());
    assertEquals(List.of(1), log);
    HandlerRegistration second = signals.signal("go").onSignalOnce(_ -> log.add("second"));
    assertEquals(1, signals.signalAll("go", null));
    settle();
    assertEquals(List.of(1, "second"), log);
    assertFalse(second.isActive());
  }

  @Test
  void onSignal_nothingElseToDo_doesNotKeepTheScheduler() {
    HandlerRegistration registration = signals.signal("go").onSignal(_ -> log("go"));
    scheduler.start();
    run(() -> signals.signalAll("go", null));
    settle();
    assertEquals(List.of("go@0"), log); // still registered after the first run
    registration.cancel();
    settle();
  }

  @Test
  void onSignal_handlerSuspends_notReenteredAndMissesMeanwhile() {
    HandlerRegistration registration =
        signals
            .signal("go")
            .onSignal(payload -> {
              log.add(payload);
              time.sleep(ms(10));
              log.add(-(int) payload);
            });
    run(() -> {
      assertEquals(1, signals.signalAll("go", 1));
      time.sleep(ms(5));
      assertEquals(0, signals.signalAll("go", 2));
      time.sleep(ms(10));
      assertEquals(1, signals.signalAll("go", 3));
      time.sleep(ms(20));
      registration.cancel();
    });
    settle();
    assertEquals(List.of(1, -1, 3, -3), log);
  }

  @Test
  void onSignal_cancelWhileHandlerIsUnderWay_handlerEndsUndisturbed() {
    HandlerRegistration registration =
        signals
            .signal("go")
            .onSignal(_ -> {
              time.sleep(ms(10));
              log("end");
            });
    run(() -> {
      signals.signalAll("go", null);
      time.sleep(ms(5));
      assertTrue(registration.cancel());
      time.sleep(ms(10));
    });
    assertEquals(List.of("end@10"), log);
  }

  @Test
  void onSignal_cancelByItsOwnHandler_noFurtherRun() {
    var registration = new HandlerRegistration[1];
    registration[0] =
        signals
            .signal("go")
            .onSignal(_ -> {
              log("go");
              assertTrue(registration[0].cancel());
              scheduler.yield();
            });
    assertEquals(1, signals.signalAll("go", null));
    settle();
    assertEquals(0, signals.signalAll("go", null));
    assertEquals(List.of("go@0"), log);
  }

  @Test
  void onSignal_cancelWhenWokenButNotRun_doesNotRun() {
    HandlerRegistration first = signals.signal("go").onSignal(_ -> log("first"));
    HandlerRegistration later = signals.signal("go").onSignal(_ -> log("later"));
    assertEquals(2, signals.signalAll("go", null));
    assertTrue(first.cancel());
    settle();
    assertEquals(List.of("later@0"), log);
    assertEquals(1, signals.signalAll("go", null));
    assertTrue(later.cancel());
    settle();
    assertEquals(List.of("later@0"), log);
  }

  @Test
  void onSignal_cancelWhenTheHandlerHasSpentItsTurn_missesTheNext() {
    var typed = new Signal<String>(scheduler, "typed");
    HandlerRegistration registration =
        typed.onSignal(payload -> {
          log.add(payload);
          for (int i = 0; i < 128; i++) {
            scheduler.checkpoint();
          }
        });
    run(() -> {
      assertTrue(typed.signalOne("a"));
      scheduler.yield(); // the handler runs, and gives way before it waits again
      assertTrue(registration.cancel());
      scheduler.yield();
      assertFalse(typed.signalOne("b"));
    });
    assertEquals(List.of("a"), log);
  }

  @Test
  void onSignal_handlerFails_endsAndIsReported() {
    var failure = new IllegalStateException("on purpose");
    HandlerRegistration registration =
        signals
            .signal("go")
            .onSignal(_ -> {
              throw failure;
            });
    signals.signalAll("go", null);
    settle();
    assertEquals(List.of(failure), takeFailures());
    assertFalse(registration.isActive());
    assertEquals(0, signals.signalAll("go", null));
  }

  @Test
  void onSignal_handlerNeverReturns_othersGoOn() {
    HandlerRegistration stuck =
        signals
            .signal("go")
            .onSignal(_ -> {
              log("stuck");
              scheduler.await(Waitable.never());
            });
    HandlerRegistration other = signals.signal("go").onSignal(_ -> log("other"));
    signals.signalAll("go", null);
    settle();
    assertEquals(1, signals.signalAll("go", null));
    settle();
    assertEquals(List.of("stuck@0", "other@0", "other@0"), log);
    assertTrue(other.cancel());
    assertTrue(stuck.cancel());
    scheduler.close();
    closedByTheTest = true;
  }

  @Test
  void signal_unreferenced_nothingIsKept() {
    for (int i = 0; i < 10; i++) {
      assertNull(waitOnce("reply-" + i));
    }
    assertEquals(0, signals.waiterCount());
  }

  private Object waitOnce(String name) {
    Task<Object> waiter = scheduler.spawn(() -> scheduler.await(signals.signal(name)));
    settle();
    assertTrue(signals.signalOne(name, null));
    settle();
    return waiter.join();
  }
}
