package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.internal.rooms.WaitClaim.PromisedEvent;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A wait whose claim another thread has taken is promised: it ends with what that thread brings.
class WaitClaimTest extends SchedulerTest {

  /// Keeps the last waiter and its claim, as a source that several threads share does.
  private static class Shared implements Waitable<String> {
    Waiter<? super String> kept;
    WaitClaim claim;
    int disarmed;

    @Override
    public void arm(Waiter<? super String> waiter) {
      kept = waiter;
      claim = WaitClaim.of(waiter);
    }

    @Override
    public void disarm(Waiter<? super String> waiter) {
      disarmed++;
    }

    boolean deliver(String value) {
      return claim.fire(kept, value);
    }
  }

  private final Shared source = new Shared();
  private final List<Boolean> delivered = new ArrayList<>();

  private Task<Object> waiting() {
    Task<Object> task =
        scheduler.spawn(
            "waits",
            () -> {
              trace(scheduler.await(source));
              scheduler.yield();
              return null;
            });
    drive();
    return task;
  }

  @Test
  void claim_ofOneWait_isOneForAllBranches() {
    var other = new Shared();
    Task<?> task = scheduler.spawn(() -> trace(scheduler.select(source, other).value()));
    drive();
    assertTrue(source.claim.tryTake());
    assertFalse(other.claim.tryTake());
    assertFalse(other.kept.fire("other"), "promised to the first");
    assertTrue(source.deliver("first"));
    assertEquals(1, other.disarmed);
    scheduler.start();
    assertTrue(task.isDone());
    assertTrace("first");
  }

  /// All branches of a select share one claim. To hold it and then to wait for it would never end.
  @Test
  void tryTakeBoth_theSameTwice_isRefused() {
    var claim = new WaitClaim();
    String told =
        assertThrows(IllegalArgumentException.class, () -> WaitClaim.tryTakeBoth(claim, claim))
            .getMessage();
    assertTrue(told.contains("the same"), told);
    assertTrue(claim.tryTake(), "it is open as before");
  }

  @Test
  void cancel_promised_isToldAtTheNextSuspensionPoint() {
    Task<Object> task = waiting();
    assertTrue(source.claim.tryTake());
    task.cancel("too late");
    drive();
    assertFalse(task.isDone());
    assertTrue(source.deliver("promised"));
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrace("promised");
    assertEquals(0, source.disarmed);
  }

  @Test
  void cancel_notPromised_takesTheClaim() {
    Task<Object> task = waiting();
    task.cancel("in time");
    assertFalse(source.claim.tryTake());
    assertFalse(source.deliver("never"));
    scheduler.start();
    assertTrue(task.isCancelled());
    assertEquals(1, source.disarmed);
  }

  @Test
  void schedule_promised_isRefused() {
    Task<Object> task = waiting();
    assertTrue(source.claim.tryTake());
    assertFalse(scheduler.scheduleTask(task));
    assertFalse(scheduler.scheduleTask(task, "value"));
    assertFalse(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertTrue(source.deliver("promised"));
    scheduler.start();
    assertTrace("promised");
  }

  @Test
  void schedule_notPromised_takesTheClaim() {
    Task<Object> task = waiting();
    assertTrue(scheduler.scheduleTask(task, "value"));
    assertFalse(source.claim.tryTake());
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_refused_leavesTheClaimOpen() {
    Task<Object> task = waiting();
    assertFalse(scheduler.queue().scheduleOn(task, source), "it waits for just this");
    assertTrue(source.claim.tryTake());
    assertTrue(source.deliver("promised"));
    scheduler.start();
    assertTrace("promised");
  }

  @Test
  void timeout_promised_comesTooLate() {
    Task<?> task = scheduler.spawn(() -> trace(scheduler.await(source, Duration.ofSeconds(1))));
    drive(); // until the clock is about to jump
    Task<?> late =
        scheduler.spawn(() -> {
          scheduler.await(Delay.of(Duration.ofSeconds(2)));
          assertTrue(source.deliver("promised"));
        });
    assertTrue(source.claim.tryTake());
    scheduler.start();
    assertTrue(task.isDone() && late.isDone());
    assertTrace("promised");
  }

  @Test
  void within_promised_isToldAfterTheValue() {
    scheduler.spawn(() ->
        assertThrows(
            TimedOutException.class,
            () ->
                scheduler.within(
                    Duration.ofSeconds(1),
                    () -> {
                      trace(scheduler.await(source));
                      scheduler.yield();
                      trace("not reached");
                    })));
    scheduler.spawn(() -> {
      assertTrue(source.claim.tryTake());
      scheduler.await(Delay.of(Duration.ofSeconds(2)));
      assertTrue(source.deliver("promised"));
    });
    scheduler.start();
    assertTrace("promised");
  }

  @Test
  void stepTask_cancelledWhilePromised_refusesTheValue() {
    var task = scheduler.host().spawnSteps("steps", self -> self.await(source));
    drive();
    assertTrue(source.claim.tryTake());
    task.cancel("at once");
    assertTrue(task.isCancelled());
    assertFalse(source.deliver("given back"));
  }

  @Test
  void stepTask_dropsThePromisedWait_refusesTheValue() {
    var task =
        scheduler
            .host()
            .<Void>spawnSteps(
                "steps",
                self -> {
                  self.await(source);
                  assertTrue(source.claim.tryTake());
                  return StepResult.DONE;
                });
    drive();
    assertTrue(task.isDone());
    assertFalse(source.deliver("given back"));
  }

  @Test
  void claim_settledOrOver_isRefused() {
    waiting();
    assertTrue(source.kept.fire("fired"));
    assertFalse(source.claim.tryTake());
    assertThrows(IllegalStateException.class, () -> WaitClaim.of(source.kept));
    drive();
    assertThrows(IllegalStateException.class, () -> WaitClaim.of(source.kept));
    assertFalse(source.deliver("late"));
    assertTrace("fired");
  }

  @Test
  void fireTaken_claimOfAnEarlierWait_isRefused() {
    Task<?> task =
        scheduler.spawn(() -> {
          trace(scheduler.await(source));
          trace(scheduler.await(source));
        });
    drive();
    WaitClaim first = source.claim;
    assertTrue(source.kept.fire("first"));
    drive();
    assertFalse(first.fire(source.kept, "late"));
    assertTrue(source.kept.fire("second"));
    scheduler.start();
    assertTrue(task.isDone());
    assertTrace("first second");
  }

  @Test
  void tryTakeBoth_oneTaken_takesNone() {
    var open = new WaitClaim();
    var taken = new WaitClaim();
    assertTrue(taken.tryTake());
    assertFalse(WaitClaim.tryTakeBoth(open, taken));
    assertFalse(WaitClaim.tryTakeBoth(taken, open));
    assertFalse(open.isTaken());
    assertTrue(WaitClaim.tryTakeBoth(open, new WaitClaim()));
    assertTrue(open.isTaken());
  }

  @Test
  void claim_taskOfAClosedScheduler_isTaken() {
    var own = new Shared();
    Scheduler other = newScheduler();
    other.spawn(() -> other.await(own));
    other.step();
    other.close();
    assertFalse(own.claim.tryTake());
  }

  /// An add-on that is closed brings the event of a task that has no turn any more.
  @Test
  void close_promisedAfterTheLastTurn_isRefused() {
    var own = new Shared();
    Scheduler other = Scheduler.builder().failureHandler((_, _) -> {}).build();
    other.host().install(new Late(other, own, delivered));
    other.spawn(() -> other.shielded(() -> other.await(own)));
    while (other.step()) {}
    other.close();
    assertEquals(List.of(false), delivered);
  }

  /// Promises an event when it is closed.
  private record Late(Scheduler scheduler, Shared source, List<Boolean> delivered)
      implements AddOn, PromisedEvent {

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    public void close() {
      assertTrue(claim().tryTake());
      assertTrue(scheduler.post(this));
    }

    @Override
    public WaitClaim claim() {
      return source.claim;
    }

    @Override
    public void run() {
      delivered.add(source.deliver("late"));
    }
  }

  @Test
  void tryTake_holderIsPreempted_sleepsInsteadOfSpinning() throws Exception {
    var claim = new WaitClaim();
    Field state = WaitClaim.class.getDeclaredField("state");
    Field held = WaitClaim.class.getDeclaredField("HELD");
    state.setAccessible(true);
    held.setAccessible(true);
    Object open = state.get(claim);
    state.set(claim, held.get(null));
    var taken = new AtomicBoolean();
    Thread taker = Thread.ofPlatform().start(() -> taken.set(claim.tryTake()));
    while (taker.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertFalse(taken.get());
    state.set(claim, open);
    taker.join();
    assertTrue(taken.get());
  }
}
