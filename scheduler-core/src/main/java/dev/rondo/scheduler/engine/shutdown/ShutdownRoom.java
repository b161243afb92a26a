package dev.rondo.scheduler.engine.shutdown;

import dev.rondo.scheduler.engine.MassCancellation;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.Shutdowns;

/// What the kernel asks of this room.
public final class ShutdownRoom extends Shutdowns {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public ShutdownRoom() {}

  @Override
  protected Course course(SchedulerCore scheduler, MassCancellation massCancellation) {
    return new Shutdown(scheduler, massCancellation);
  }
}
