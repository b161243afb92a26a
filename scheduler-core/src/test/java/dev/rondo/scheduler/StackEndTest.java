package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.observe.TaskInfo;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.LastFrames;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a task does at the end of its stack succeeds, or fails with a `StackOverflowError` and has
/// no other effect.
@BackendsDiffer
@Nightly("exhausts the stack at each of its last frames")
class StackEndTest extends SchedulerTest {

  /// More frames than the longest operation needs room for, also if they are compiled.
  private static final int MOST = 500;

  private static final Duration DAY = Duration.ofDays(1);

  private final WaitQueueEvent signal = new WaitQueueEvent();
  private int framesBack;
  private int turnsOfOther;
  private boolean over;

  @BeforeEach
  void onlyWhereOtherTasksHaveTheirOwnStack() {}

  private void other() {
    while (!over) {
      turnsOfOther++;
      signal.fireAll("fired");
      scheduler.yield();
    }
  }

  private void atTheEnd(TaskAction<?> operation) {
    Task<Void> other = scheduler.spawn("other", this::other);
    Task<Void> deep =
        scheduler.spawn(
            "deep",
            () -> {
              Task<?> self = scheduler.currentTask();
              operation.run(); // a class initializer that runs out of stack fails for ever
              assertTrue(new LastFrames(MOST).run(operation) > MOST);
              assertSame(self, scheduler.currentTask());
              assertEquals(TaskState.RUNNING, self.taskState());
              assertEquals(0, signal.waiters());
              assertEquals(0, time.alarms());
              int before = turnsOfOther;
              scheduler.yield();
              assertTrue(turnsOfOther > before, "the other task has no turns");
              operation.run();
              settle();
              assertEquals(
                  List.of("other", "deep"), names(), "tasks, apart from those of the add-ons");
              assertEquals(List.of(other), scheduler.queue().readyTasks());
              over = true;
            });
    scheduler.start();
    deep.join();
  }

  /// Lets the tasks end that the operation has spawned.
  private void settle() {
    for (int turns = 0; turns < 4; turns++) {
      scheduler.yield();
    }
  }

  private List<String> names() {
    return scheduler.tasks().stream().filter(task -> !task.isDaemon()).map(TaskInfo::name).toList();
  }

  @Test
  void yield_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(scheduler::yield);
  }

  @Test
  void await_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.await(signal));
  }

  @Test
  void awaitWithLimit_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.await(signal, DAY));
  }

  @Test
  void within_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.within(DAY, () -> scheduler.await(signal)));
  }

  @Test
  void select_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.select(signal, Waitable.never()));
  }

  @Test
  void spawn_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.spawn(() -> {}));
  }

  @Test
  void group_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> {
      var group = TaskGroup.<Object>create(scheduler, "group");
      group.run(() -> {
        group.spawn(() -> scheduler.yield());
      });
    });
  }

  @Test
  void join_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.spawn(() -> scheduler.yield()).join());
  }

  @Test
  void joinOfAnEndedTask_atTheEndOfTheStack_isDoneOrFails() {
    Task<Void> ended = scheduler.spawn(() -> {});
    scheduler.start();
    atTheEnd(ended::join);
  }

  @Test
  void cancel_atTheEndOfTheStack_isDoneOrFails() {
    atTheEnd(() -> scheduler.spawn(() -> scheduler.yield()).cancel("enough"));
  }

  private static void await(Scheduler scheduler, WaitQueueEvent event, List<Object> received) {
    while (true) {
      received.add(String.valueOf(scheduler.await(event)));
    }
  }

  /// Wakes tasks at the end of the stack. Each must have received the event once in all.
  private void wakeAtTheEnd(int waiters, TaskAction<?> wake) {
    List<Object> received = new ArrayList<>();
    var tasks = new ArrayList<Task<?>>();
    for (int i = 0; i < waiters; i++) {
      tasks.add(scheduler.spawn("waiter", () -> await(scheduler, signal, received)));
    }
    Task<Void> deep =
        scheduler.spawn(
            "deep",
            () -> {
              settle();
              wake.run(); // a class initializer that runs out of stack fails for ever
              settle();
              received.clear();
              assertEquals(waiters, signal.waiters());
              assertTrue(new LastFrames(MOST).run(wake) > MOST);
              settle();
              assertEquals(Collections.nCopies(waiters, "fired"), received);
              assertEquals(waiters, signal.waiters());
              tasks.forEach(each -> each.cancel("enough"));
            });
    scheduler.start();
    deep.join();
  }

  @Test
  void fireAll_atTheEndOfTheStack_isDoneOrFails() {
    wakeAtTheEnd(3, () -> signal.fireAll("fired"));
  }

  @Test
  void fireAll_manyAtTheEndOfTheStack_isDoneOrFails() {
    wakeAtTheEnd(20, () -> signal.fireAll("fired"));
  }

  @Test
  void fireAllNext_atTheEndOfTheStack_isDoneOrFails() {
    wakeAtTheEnd(3, () -> signal.fireAllNext("fired"));
  }

  @Test
  void fireFirst_atTheEndOfTheStack_isDoneOrFails() {
    wakeAtTheEnd(3, () -> signal.fireFirst("fired"));
  }

  /// Fails where a task joins the queue, once.
  private static final class FailingPolicy implements SchedulingPolicy {

    private final ArrayDeque<Task<?>> tasks = new ArrayDeque<>();
    private boolean fails;

    @Override
    public void add(Task<?> task) {
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("fake");
      }
      tasks.add(task);
    }

    @Override
    public void addFirst(Task<?> task) {
      tasks.addFirst(task);
    }

    @Override
    public void addAfter(Task<?> anchor, Task<?> task) {
      tasks.add(task);
    }

    @Override
    public void remove(Task<?> task) {
      tasks.remove(task);
    }

    @Override
    public Task<?> next() {
      return tasks.remove();
    }
  }

  @Test
  void yield_policyFails_throwsThatAndTheTurnGoesOn() {
    var policy = new FailingPolicy();
    try (Scheduler ordered = configured().policy(() -> policy).build()) {
      Task<Void> task =
          ordered.spawn(() -> {
            policy.fails = true;
            assertThrows(OutOfMemoryError.class, ordered::yield);
            assertEquals(TaskState.RUNNING, ordered.currentTask().taskState());
            ordered.yield();
          });
      ordered.start();
      task.join();
    }
  }

  /// The failure is that of the task, and the scheduler goes on.
  @Test
  void recursionWithoutEnd_thatWaitsOnItsWayBack_isTheFailureOfItsTask() {
    Task<Void> bad = scheduler.spawn("bad", () -> descendAndYieldAfter());
    Task<Void> good = scheduler.spawn("good", () -> scheduler.yield());
    scheduler.start();
    assertEquals(TaskState.SUCCEEDED, good.taskState());
    assertEquals(TaskState.FAILED, bad.taskState());
    assertTrue(
        takeFailures().stream().allMatch(StackOverflowError.class::isInstance), "other failures");
  }

  @SuppressWarnings("InfiniteRecursion")
  private void descendAndYieldAfter() {
    try {
      descendAndYieldAfter();
    } finally {
      if (framesBack++ < MOST) {
        scheduler.yield();
      }
    }
  }
}
