package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;

/// The result of a quick check that is made when a wait begins: whether the wait closes a cycle of
/// tasks that wait for each other. If the wait closes a cycle, or may close one, the [CycleWatch]
/// examines it later.
enum CycleCheck {

  /// The wait closes no cycle.
  NO_CYCLE,

  /// The wait closes a cycle of tasks, each of which waits only for the next.
  CYCLE,

  /// The wait may close a long cycle, or a cycle that contains choices or groups.
  POSSIBLE_CYCLE,

  /// The wait may close a cycle through other loops: the task waits for a task of another loop, or
  /// for a task of its own loop that waits for another loop.
  CROSS_LOOP;

  /// The number of waits after which the check gives up.
  private static final int MOST_FOLLOWED = 64;

  /// Checks a wait that a task begins, by following the waits from holder to holder.
  static CycleCheck of(TaskCore<?> task, Waitable<?> awaited) {
    Waitable<?> wait = awaited;
    try {
      for (int i = 0; i < MOST_FOLLOWED && wait != null; i++) {
        Task<?> holder = wait.holder();
        if (holder == task) {
          return CYCLE;
        }
        if (holder == null) {
          if (!(wait instanceof HeldWait<?> held)) {
            return NO_CYCLE;
          }
          if (held.isHeldLater()) {
            return CROSS_LOOP; // by a task that has not begun
          }
          return held.isHeld(each -> each.loop.isCaller()) ? POSSIBLE_CYCLE : NO_CYCLE;
        }
        TaskCore<?> next = TaskCore.of(holder);
        if (!next.loop.isCaller()) {
          return CROSS_LOOP;
        }
        wait = next.awaited();
      }
    } catch (Throwable e) {
      return NO_CYCLE; // a holder() has failed: the description of the task says so
    }
    return wait == null ? NO_CYCLE : POSSIBLE_CYCLE;
  }
}
