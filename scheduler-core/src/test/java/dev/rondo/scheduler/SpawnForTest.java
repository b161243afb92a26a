package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/// Tasks that an add-on makes for another task, which waits.
class SpawnForTest extends SchedulerTest {

  private static final TaskLocal<String> USER = TaskLocal.named("user");

  private TaskGroup<@Nullable Object> newGroup(Scheduler on) {
    return on.newGroup("group", TaskGroup.Policy.SUPERVISE);
  }

  private static Task<@Nullable Object> spawnFor(
      Scheduler on, Task<?> maker, TaskGroup<@Nullable Object> group, TaskCall<?, ?> code) {
    return TaskControl.of(on.host())
        .withoutTask(() -> TaskControl.of(on.host()).spawnFor(maker, group, "made", code));
  }

  @Test
  void spawnFor_aTaskThatWaits_isItsChildAndInheritsItsBindings() {
    runTask(() -> {
      TaskGroup<@Nullable Object> group = newGroup(scheduler);
      group.run(() -> {
        Task<@Nullable Object> maker =
            TaskLocal.where(USER, "ada").run(() -> group.spawn("maker", () -> scheduler.suspend()));
        scheduler.yield(); // it waits
        Task<@Nullable Object> made =
            spawnFor(
                scheduler,
                maker,
                group,
                () -> {
                  trace(USER.get());
                  return null;
                });
        assertEquals(OptionalLong.of(maker.id()), made.parentId());
        assertTrue(scheduler.scheduleTask(maker));
      });
    });
    assertTrace("ada");
  }

  @Test
  void spawnFor_aTaskThatWaits_inheritsItsContext() {
    MDC.clear();
    try (Scheduler own = builder().contextPropagation(ContextPropagation.mdc()).build()) {
      var _ =
          own.spawn(() -> {
            TaskGroup<@Nullable Object> group = newGroup(own);
            group.run(() -> {
              MDC.put("user", "ada");
              Task<@Nullable Object> maker = group.spawn("maker", () -> own.suspend());
              MDC.clear();
              own.yield(); // it waits
              Task<@Nullable Object> made =
                  spawnFor(own, maker, group, () -> String.valueOf(MDC.get("user")));
              assertEquals("ada", made.join());
              assertTrue(own.scheduleTask(maker));
            });
          });
      own.start();
    }
  }

  @Test
  void spawnFor_groupIsCancelled_taskIsCancelledBeforeItBegins() {
    runTask(() -> {
      TaskGroup<@Nullable Object> group = newGroup(scheduler);
      group.run(() -> {
        Task<@Nullable Object> maker = group.spawn("maker", () -> null);
        assertTrue(group.cancel("enough"));
        Task<@Nullable Object> made = spawnFor(scheduler, maker, group, () -> null);
        assertEquals(TaskState.CANCELLED, made.taskState());
      });
    });
  }

  @Test
  void spawnFor_groupIsClosed_isRefused() {
    runTask(() -> {
      TaskGroup<@Nullable Object> group = newGroup(scheduler);
      var makers = new Task<?>[1];
      group.run(() -> makers[0] = group.spawn("maker", () -> null));
      assertThrows(
          IllegalStateException.class, () -> spawnFor(scheduler, makers[0], group, () -> null));
    });
  }
}
