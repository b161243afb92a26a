package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rondo.scheduler.coroutine.PinnedException;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.internal.rooms.WaitClaim.PromisedEvent;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.PinnedFrame;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Suspending under a native frame: a clear error, and no other effect.
@BackendsDiffer
class PinnedTest extends SchedulerTest {

  @BeforeEach
  void onlyWherePinnedStacksExist() {
    assumeFalse(backend.name().equals("HANDOFF"), "HANDOFF parks a thread, which works anywhere");
  }

  private boolean outside;

  private void pinned(TaskAction<?> code) {
    Task<Void> task =
        scheduler.spawn(
            "pinned",
            () -> {
              PinnedFrame.run(() -> {
                try {
                  code.run();
                } catch (Exception e) {
                  trace(e);
                }
              });
              trace("after");
              outside = true;
              trace(scheduler.suspend());
            });
    scheduler.spawn(() -> {
      while (!outside) {
        scheduler.yield();
      }
      scheduler.scheduleTask(task, "clean");
    });
    scheduler.start();
    assertTrace("after clean");
    assertEquals(TaskState.SUCCEEDED, task.taskState());
  }

  @Test
  void yieldAndSuspend_pinned_throwAndChangeNothing() {
    pinned(() -> {
      assertThrows(PinnedException.class, scheduler::yield);
      assertThrows(PinnedException.class, () -> scheduler.yield("v"));
      assertThrows(PinnedException.class, scheduler::suspend);
      assertThrows(PinnedException.class, () -> scheduler.halt("v"));
      assertEquals(TaskState.RUNNING, scheduler.currentTask().taskState());
    });
  }

  @Test
  void await_pinned_throwsAndLeavesNothing() {
    var signal = new WaitQueueEvent();
    pinned(() -> {
      assertThrows(PinnedException.class, () -> scheduler.await(signal));
      assertEquals(0, signal.waiters());
      assertThrows(PinnedException.class, () -> scheduler.await(signal, Duration.ofSeconds(1)));
      assertThrows(PinnedException.class, () -> scheduler.select(signal, Waitable.never()));
      assertEquals(0, signal.waiters());
      assertEquals(0, time.alarms());
    });
  }

  @Test
  void await_pinnedAndThere_isDeliveredWithoutGivingWay() {
    Task<Integer> ended = scheduler.spawn(() -> 7);
    drive();
    pinned(() -> {
      assertEquals(7, ended.join());
      assertEquals("there", scheduler.await(Waitable.anyOf(List.of(new FiresWhenArmed("there")))));
    });
  }

  /// The event of a wait that was promised, as its thread posts it.
  private record Promised(Waiter<? super String> waiter, WaitClaim claim, Shared source)
      implements PromisedEvent {
    @Override
    public void run() {
      if (source.failures-- > 0) {
        throw new IllegalArgumentException("the event failed");
      }
      source.fired.add(claim.fire(waiter, "promised"));
    }
  }

  /// Another thread takes the claim as soon as there is a wait, and posts the event later.
  private static final class Shared implements Waitable<String> {

    private final List<Boolean> fired = new ArrayList<>();

    /// How many times its event fails.
    private int failures;

    @Override
    public void arm(Waiter<? super String> waiter) {
      var promised = new Promised(waiter, WaitClaim.of(waiter), this);
      TaskRunner own = waiter.scheduler();
      assertTrue(promised.claim().tryTake());
      assertTrue(own.post(() -> fired.add(null))); // what is posted earlier stays where it is
      Thread.ofPlatform().start(() -> own.post(promised));
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {}
  }

  @Test
  void await_pinnedAndPromised_receivesTheEvent() {
    var source = new Shared();
    pinned(() -> {
      assertEquals("promised", scheduler.await(source));
      assertEquals(List.of(true), source.fired);
      assertEquals("promised", scheduler.select(source, Waitable.never()).value());
    });
    assertEquals(Arrays.asList(true, true, null, null), source.fired);
  }

  @Test
  void await_pinnedAndPromisedByAnEventThatFails_fails() {
    var source = new Shared();
    source.failures = 1;
    List<Task<?>> others = new ArrayList<>();
    pinned(() -> {
      others.add(scheduler.spawn(() -> scheduler.yield()));
      others.add(scheduler.spawn(() -> scheduler.yield()));
      assertThrows(IllegalArgumentException.class, () -> scheduler.await(source));
      assertEquals(List.of(), source.fired);
    });
    scheduler.start();
    assertEquals(Arrays.asList(null, false), source.fired);
    others.forEach(other -> assertTrue(other.isDone()));
  }

  @Test
  void product_ofACallThatWasPinned_isNotHandedOutByALaterOne() {
    for (TaskAction<?> call :
        List.<TaskAction<?>>of(
            () -> scheduler.yield("stale"),
            () -> scheduler.suspend("stale"),
            () -> scheduler.halt("stale"))) {
      scheduler.spawn(() -> {
        PinnedFrame.run(() -> assertThrows(PinnedException.class, call::run));
        scheduler.yield();
      });
      assertNull(scheduler.step("in"));
      scheduler.start();
    }
  }

  /// Takes something only in `arm`.
  private record FiresWhenArmed(String value) implements Waitable<String> {
    @Override
    public void arm(Waiter<? super String> waiter) {
      waiter.fire(value);
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {}
  }
}
