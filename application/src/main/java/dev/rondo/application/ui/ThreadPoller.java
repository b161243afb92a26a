package dev.rondo.application.ui;

import dev.rondo.io.RemoteIdleStrategy;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A daemon thread that blocks in the IO add-on's selector.
///
/// It and the UI thread take turns: between [#watch] and the news the selector is this thread's,
/// otherwise the UI thread's. The volatile writes of `wanted` and whatever the news do to reach the
/// UI thread publish what either has done.
final class ThreadPoller implements BackgroundPoller, Runnable {

  /// @param deadlineNanos null for no limit
  private record Request(@Nullable Long deadlineNanos) {}

  private final RemoteIdleStrategy idleStrategy;
  private final Runnable onPolled;
  private final Consumer<Throwable> onFailure;
  private final Thread thread = new Thread(this, "rondo ui poller");

  /// Written by the UI thread, taken by this one.
  private volatile @Nullable Request requested;

  private volatile boolean closed;

  /// @param news told on this thread, once for each watch
  /// @param failed told on this thread, which ends
  ThreadPoller(Scheduler scheduler, Runnable news, Consumer<Throwable> failed) {
    this.idleStrategy = new RemoteIdleStrategy(scheduler);
    this.onPolled = news;
    this.onFailure = failed;
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public boolean start(@Nullable Long deadlineNanos) {
    if (!idleStrategy.lend()) {
      return false;
    }
    requested = new Request(deadlineNanos);
    LockSupport.unpark(thread);
    return true;
  }

  @Override
  public void finish() {
    idleStrategy.takeBack();
  }

  @Override
  public void wakeup() {
    idleStrategy.wakeup();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void abandon() {
    close();
    idleStrategy.wakeup();
  }

  // The thread.

  @Override
  public void run() {
    try {
      while (!closed) {
        Request watch = requested;
        if (watch == null) {
          LockSupport.park(this);
        } else {
          requested = null;
          poll(watch);
          onPolled.run();
        }
      }
    } catch (Throwable e) {
      onFailure.accept(e);
    }
  }

  private void poll(Request watch) {
    Long deadlineNanos = watch.deadlineNanos;
    if (deadlineNanos == null) {
      idleStrategy.idle();
    } else {
      idleStrategy.idleUntil(deadlineNanos);
    }
  }
}
