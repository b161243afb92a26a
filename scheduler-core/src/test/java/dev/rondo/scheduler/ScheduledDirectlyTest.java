package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.engine.Inside;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a wait does when its task is scheduled directly: one rule, see [Scheduler#scheduleTask].
class ScheduledDirectlyTest extends SchedulerTest {

  private final WaitQueueEvent signal = new WaitQueueEvent();

  /// Has a task wait, schedules it, and returns what the wait failed with.
  private ScheduledDirectlyException endedBy(@Nullable Object value, TaskAction<?> wait) {
    Task<ScheduledDirectlyException> task =
        scheduler.spawn("waits", () -> assertThrows(ScheduledDirectlyException.class, wait::run));
    drive();
    assertTrue(scheduler.scheduleTask(task, value));
    drive();
    return ((Outcome.Success<ScheduledDirectlyException>) task.outcome()).value();
  }

  @Test
  void select_scheduledWithAValue_failsWithItAndLeavesNothing() {
    var ended = endedBy("direct", () -> scheduler.select(Waitable.never(), signal));
    assertEquals("direct", ended.value());
    assertEquals(
        "the wait for any of [never, a signal] was ended by scheduleTask; to receive its value,"
            + " wait with suspend() or await(..)",
        ended.getMessage());
    assertEquals(0, signal.waiters());
  }

  /// A program knows what its guard made, and may have made no guard itself.
  @Test
  void awaitEvent_aGuard_isNamedByWhatTheGuardMade() {
    Waitable<Object> guard = Waitable.guard(() -> signal);
    var one = endedBy(1, () -> scheduler.host().awaitEvent(guard));
    assertTrue(one.getMessage().startsWith("the wait for a signal was ended"), one.getMessage());
    var several = endedBy(1, () -> scheduler.select(guard, Waitable.never()));
    assertTrue(
        several.getMessage().startsWith("the wait for any of [a signal, never] was ended"),
        several.getMessage());
  }

  @Test
  void select_scheduledWithASelection_failsToo() {
    var given = new Selection<>(7, "given");
    assertEquals(given, endedBy(given, () -> scheduler.select(Waitable.never(), signal)).value());
  }

  @Test
  void awaitEvent_scheduledWithoutAValue_failsWithNull() {
    assertNull(endedBy(null, () -> scheduler.host().awaitEvent(signal)).value());
    assertEquals(0, signal.waiters());
  }

  @Test
  void awaitEvent_scheduledOnAnotherEvent_failsWithWhatThatDelivered() {
    Task<@Nullable Object> task =
        scheduler.spawn(() ->
            assertThrows(
                    ScheduledDirectlyException.class,
                    () -> scheduler.host().awaitEvent(Waitable.never()))
                .value());
    drive();
    assertTrue(scheduler.queue().scheduleOn(task, signal.map(value -> value + " mapped")));
    signal.fireAll("other");
    scheduler.start();
    assertEquals("other mapped", task.join());
  }

  /// Between the event and its turn, the task only waits longer.
  @Test
  void awaitEvent_hasComeAndThenScheduledOnAnother_returns() {
    Task<Void> task =
        scheduler.spawn(() -> {
          var _ = scheduler.host().awaitEvent(signal);
          trace("came");
        });
    drive();
    assertEquals(1, signal.fireAll(null));
    var other = new WaitQueueEvent();
    assertTrue(scheduler.queue().scheduleOn(task, other));
    drive();
    other.fireAll(null);
    scheduler.start();
    assertTrace("came");
  }

  @Test
  void awaitEvent_hasComeThenUnscheduledThenScheduledWithAValue_failsWithIt() {
    Task<@Nullable Object> task =
        scheduler.spawn(() ->
            assertThrows(
                    ScheduledDirectlyException.class, () -> scheduler.host().awaitEvent(signal))
                .value());
    drive();
    assertEquals(1, signal.fireAll(null));
    assertTrue(scheduler.queue().unschedule(task));
    assertTrue(scheduler.scheduleTask(task, "direct"));
    scheduler.start();
    assertEquals("direct", task.join());
  }

  private void scheduleAnew(Task<?> task) {
    assertTrue(scheduler.queue().unschedule(task));
    assertTrue(scheduler.scheduleTask(task, "direct"));
  }

  /// Ways to schedule a waiting task without a value.
  private List<Consumer<Task<?>>> waysWithoutAValue(Task<?> ready) {
    TaskQueue queue = scheduler.queue();
    return List.of(
        task -> assertTrue(scheduler.scheduleTask(task)),
        task -> assertTrue(queue.scheduleNext(task)),
        task -> assertTrue(queue.scheduleAfter(task, ready)),
        task -> {
          assertTrue(queue.unschedule(task));
          assertTrue(scheduler.scheduleTask(task));
        },
        task -> {
          assertTrue(queue.scheduleOn(task, Waitable.never()));
          assertTrue(scheduler.scheduleTask(task));
        });
  }

  private static final int WAYS_WITHOUT_A_VALUE = 5;

  private void endsAWaitUnder(Consumer<Object> driver, TaskAction<?> wait) {
    for (int way = 0; way < WAYS_WITHOUT_A_VALUE; way++) {
      Task<Void> task = scheduler.spawn("waits", wait);
      drive();
      Task<Void> ready = scheduler.spawn("ready", () -> {});
      waysWithoutAValue(ready).get(way).accept(task);
      driver.accept("the driver's");
      assertTrue(task.isDone(), "way " + way);
    }
  }

  private void stepToTheEnd(Object value) {
    while (scheduler.queue().readyTasks().stream().anyMatch(task -> !task.isDaemon())) {
      var _ = scheduler.step(value);
    }
  }

  /// docs/inside/semantics.md, rule 41: the driver's value is the result of no wait.
  @Test
  void awaitEvent_scheduledWithoutAValueAndDrivenWithOne_failsWithNull() {
    TaskAction<?> wait =
        () ->
            trace(
                assertThrows(
                        ScheduledDirectlyException.class,
                        () -> scheduler.host().awaitEvent(signal.map(value -> "mapped")))
                    .value());
    endsAWaitUnder(scheduler::run, wait);
    assertTrace("null null null null null");
    endsAWaitUnder(this::stepToTheEnd, wait);
    assertTrace("null null null null null");
    assertEquals(0, signal.waiters());
  }

  @Test
  void await_scheduledWithoutAValueAndDrivenWithOne_returnsNull() {
    TaskAction<?> wait = () -> trace(scheduler.<@Nullable Object>await(signal));
    endsAWaitUnder(scheduler::run, wait);
    assertTrace("null null null null null");
    endsAWaitUnder(this::stepToTheEnd, wait);
    assertTrace("null null null null null");
  }

  @Test
  void stepTask_scheduledWithoutAValueAndDrivenWithOne_receivesNull() {
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "steps",
                self -> {
                  if (!Inside.hasBegun(self) || !fired) {
                    fired = true;
                    return self.await(signal);
                  }
                  trace(self.received());
                  return StepResult.DONE;
                });
    drive();
    assertTrue(scheduler.scheduleTask(task));
    assertNull(scheduler.step("the driver's"));
    assertTrace("null");
  }

  /// A wait whose source is asked by code that a driver's value could reach in its middle.
  @Test
  void select_scheduledWithoutAValueAfterAYieldWithOne_failsWithNull() {
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.yield("product"));
          trace(
              assertThrows(
                      ScheduledDirectlyException.class,
                      () -> scheduler.select(Waitable.never(), signal))
                  .value());
          trace(scheduler.yield("product"));
        });
    assertEquals("product", scheduler.step("first"));
    assertNull(scheduler.step("second"));
    assertTrue(scheduler.scheduleTask(task));
    assertEquals("product", scheduler.step("third"));
    assertNull(scheduler.step("fourth"));
    assertTrace("second null fourth");
  }

  /// What a task has received when it goes on after it gave way.
  private @Nullable Object received(TaskAction<?> givingWay, Consumer<Task<?>> meanwhile) {
    Task<@Nullable Object> task =
        scheduler.spawn(() -> {
          givingWay.run();
          return scheduler.received();
        });
    scheduler.spawn(() -> meanwhile.accept(task));
    scheduler.start();
    return task.join();
  }

  @Test
  void yield_unscheduledAndScheduledWithAValue_hasReceivedIt() {
    assertEquals("direct", received(() -> scheduler.yield(), this::scheduleAnew));
  }

  @Test
  void yield_scheduledOnAnEvent_hasReceivedWhatThatDelivered() {
    Object got =
        received(
            () -> scheduler.yield(),
            task -> {
              Waitable<String> mapped = signal.map(value -> value + " mapped");
              assertTrue(scheduler.queue().scheduleOn(task, mapped));
              signal.fireAll("came");
            });
    assertEquals("came mapped", got);
  }

  @Test
  void yield_steppedWithAValue_hasReceivedIt() {
    Task<@Nullable Object> task =
        scheduler.spawn(() -> {
          scheduler.yield();
          return scheduler.received();
        });
    assertNull(scheduler.step("first"));
    assertEquals("second", scheduler.step("second"));
    assertEquals("second", task.join());
  }

  @Test
  void checkpoint_givesWayAndIsScheduledWithAValue_hasReceivedIt() {
    var scheduled = new boolean[1];
    Object got =
        received(
            () -> {
              while (!scheduled[0]) {
                scheduler.checkpoint();
              }
            },
            task -> {
              scheduleAnew(task);
              scheduled[0] = true;
            });
    assertEquals("direct", got);
  }

  @Test
  void await_givesWayAndIsScheduledWithAValue_returnsIt() {
    Task<String> task =
        scheduler.spawn(() -> {
          String got;
          do {
            got = scheduler.await(Waitable.always("own"));
          } while (got.equals("own"));
          return got;
        });
    scheduler.spawn(() -> scheduleAnew(task));
    scheduler.start();
    assertEquals("direct", task.join());
  }

  @Test
  void awaitEvent_givesWayAndIsScheduledWithAValue_failsWithIt() {
    Task<@Nullable Object> task =
        scheduler.spawn(() ->
            assertThrows(
                    ScheduledDirectlyException.class,
                    () -> {
                      while (true) {
                        scheduler.host().awaitEvent(Waitable.always("own"));
                      }
                    })
                .value());
    scheduler.spawn(() -> scheduleAnew(task));
    scheduler.start();
    assertEquals("direct", task.join());
  }

  @Test
  void await_givesWayAndIsSteppedWithAValue_goesOn() {
    Task<Void> task =
        scheduler.spawn(() -> {
          while (true) {
            assertEquals("own", scheduler.await(Waitable.always("own")));
          }
        });
    assertNull(scheduler.step("first"));
    assertNull(scheduler.step("second"));
    assertEquals(TaskState.READY, task.taskState());
    assertTrue(task.cancel("seen enough"));
    scheduler.start();
  }

  @Test
  void group_ownerWaitsForItsTasks_cannotBeScheduled() {
    TaskGroup<@Nullable Object> group = scheduler.newGroup("group");
    var children = new ArrayList<Task<?>>();
    Task<?> owner =
        scheduler.spawn(
            () -> group.run(() -> children.add(group.spawn(() -> trace(scheduler.suspend())))));
    drive();
    assertFalse(scheduler.scheduleTask(owner, "direct"));
    assertFalse(scheduler.queue().scheduleNext(owner));
    assertFalse(scheduler.queue().scheduleOn(owner, signal));
    assertFalse(scheduler.queue().unschedule(owner));
    assertEquals(TaskState.WAITING, owner.taskState());
    assertTrue(scheduler.scheduleTask(children.getFirst(), "end"));
    scheduler.start();
    assertTrace("end");
    assertTrue(owner.isDone());
  }

  @Test
  void idle_scheduledWithAValue_isReceived() {
    var begun = new AtomicBoolean();
    StepTask<Void> idling =
        scheduler
            .host()
            .spawnSteps(
                "idling",
                self -> {
                  if (!begun.getAndSet(true)) {
                    return self.idle();
                  }
                  trace(self.received());
                  return StepResult.DONE;
                });
    drive();
    assertTrue(scheduler.scheduleTask(idling, "direct"));
    scheduler.start();
    assertTrace("direct");
  }

  @Test
  void await_mappedFiredThenUnscheduledThenScheduledWithAValue_isRefused() {
    Task<?> task =
        scheduler.spawn(
            "mapped", () -> trace(scheduler.<Object>await(signal.map(value -> value + " mapped"))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.scheduleTask(task, "direct"));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("fired mapped");
  }

  @Test
  void await_choiceFiredThenUnscheduledThenScheduledWithAValue_isRefused() {
    Task<?> task =
        scheduler.spawn(
            "choosing",
            () ->
                trace(scheduler.<Object>await(Waitable.anyOf(List.of(signal, Waitable.never())))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleNext(task, "direct"));
    assertTrue(scheduler.queue().scheduleNext(task));
    scheduler.start();
    assertTrace("fired");
  }

  @Test
  void await_firedThenUnscheduledThenScheduled_answersWhatItHadReceived() {
    Task<?> task =
        scheduler.spawn(
            "mapped", () -> trace(scheduler.<Object>await(signal.map(value -> value + " mapped"))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("fired mapped");
  }

  @Test
  void otherwise_aBranchIsThere_whatTheTurnWasHandedStays() {
    Task<?> task =
        scheduler.newTask(
            "first turn",
            () -> {
              Select.biased()
                  .on(Waitable.always("there"), this::trace)
                  .otherwise(() -> trace("nothing"))
                  .run();
              trace(scheduler.received());
              assertNull(scheduler.received());
            });
    scheduler.scheduleTask(task, "handed");
    scheduler.start();
    assertTrace("there handed");
  }

  @Test
  void otherwise_inAStepTaskThatHasNotTakenItsEvent_theEventStays() {
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              if (!Inside.hasBegun(self)) {
                throw new AssertionError("a turn is an entry");
              }
              if (signal.waiters() == 0 && !fired) {
                fired = true;
                return self.await(Waitable.anyOf(List.of(signal, Waitable.never())));
              }
              Select.biased()
                  .on(Waitable.always("there"), this::trace)
                  .otherwise(() -> trace("nothing"))
                  .run();
              trace(self.received());
              return StepResult.DONE;
            });
    drive();
    assertEquals(1, signal.fireAll("event"));
    scheduler.start();
    assertTrace("there event");
  }

  private boolean fired;
}
