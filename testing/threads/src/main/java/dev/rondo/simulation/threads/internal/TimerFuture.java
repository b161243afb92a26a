package dev.rondo.simulation.threads.internal;

import dev.rondo.scheduler.addon.TimerHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// A timer of a host, as the JDK keeps it: it may be cancelled, and nothing else is asked of it.
final class TimerFuture extends CompletableFuture<Void> implements ScheduledFuture<Void> {

  private final TimerHandle handle;

  TimerFuture(TimerHandle handle) {
    this.handle = handle;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return handle.cancel();
  }

  @Override
  public long getDelay(TimeUnit unit) {
    throw new UnsupportedOperationException("getDelay");
  }

  @Override
  public int compareTo(Delayed other) {
    throw new UnsupportedOperationException("compareTo");
  }
}
