package dev.rondo.simulation.threads.internal;

import dev.rondo.scheduler.addon.TimerHandle;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// The timers of virtual threads: those of simulated threads belong to their host, all others stay
/// with the JDK.
///
/// Any thread.
final class VirtualTimers extends AbstractExecutorService implements ScheduledExecutorService {

  /// A timer of a host, as the JDK keeps it: it may be cancelled, and nothing else is asked of it.
  static final class TimerFuture extends CompletableFuture<Void> implements ScheduledFuture<Void> {

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

  private final ScheduledExecutorService real;

  VirtualTimers(ScheduledExecutorService real) {
    this.real = real;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    ThreadLoop loop = ThreadLoop.ofCarrier();
    return loop == null
        ? real.schedule(command, delay, unit)
        : loop.timer(unit.toNanos(delay), command);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return real.schedule(callable, delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return real.scheduleAtFixedRate(command, initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return real.scheduleWithFixedDelay(command, initialDelay, delay, unit);
  }

  @Override
  public void execute(Runnable command) {
    real.execute(command);
  }

  @Override
  public void shutdown() {
    real.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return real.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return real.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return real.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return real.awaitTermination(timeout, unit);
  }
}
