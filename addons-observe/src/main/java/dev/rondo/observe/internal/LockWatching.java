package dev.rondo.observe.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;

/// Lets the [LockWatch] watch each scheduler's thread, without any setting.
public final class LockWatching implements Instrument {

  /// For the service loader.
  public LockWatching() {}

  @Override
  public void open(Scheduler scheduler) {
    LoopView loop = LoopView.of(scheduler);
    LockWatch.watch(loop);
    loop.add(
        new EngineListener() {
          @Override
          public boolean seesTurns() {
            return false;
          }

          @Override
          public void closed() {
            LockWatch.unwatch(loop);
          }
        });
  }
}
