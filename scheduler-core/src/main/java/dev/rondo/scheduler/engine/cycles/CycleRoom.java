package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.addon.TaskWait;
import dev.rondo.scheduler.engine.Cycles;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the kernel asks of this room.
public final class CycleRoom extends Cycles {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public CycleRoom() {}

  @Override
  protected Watch watch(Loop loop) {
    return new CycleWatch(loop);
  }

  @Override
  protected DeadlockException deadlock(
      List<TaskCore<?>> left, long nowNanos, boolean endsBySignal) {
    return Deadlocks.of(left, nowNanos, endsBySignal);
  }

  @Override
  protected @Nullable TaskWait heldWait(TaskCore<?> task, long nowNanos) {
    return HeldWaits.of(task, nowNanos);
  }
}
