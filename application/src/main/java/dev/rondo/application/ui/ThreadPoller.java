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
  private record Watch(@Nullable Long deadlineNanos) {}

  private final RemoteIdleStrategy idler;
  private final Runnable news;
  private final Consumer<Throwable> failed;
  private final Thread thread = new Thread(this, "rondo ui lookout");

  /// Written by the UI thread, taken by this one.
  private volatile @Nullable Watch wanted;

  private volatile boolean closed;

  /// @param news told on this thread, once for each watch
  /// @param failed told on this thread, which ends
  ThreadPoller(Scheduler scheduler, Runnable news, Consumer<Throwable> failed) {
    this.idler = new RemoteIdleStrategy(scheduler);
    this.news = news;
    this.failed = failed;
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public boolean watch(@Nullable Long deadlineNanos) {
    if (!idler.lend()) {
      return false;
    }
    wanted = new Watch(deadlineNanos);
    LockSupport.unpark(thread);
    return true;
  }

  @Override
  public void over() {
    idler.takeBack();
  }

  @Override
  public void wakeup() {
    idler.wakeup();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void abandon() {
    close();
    idler.wakeup();
  }

  // The thread.

  @Override
  public void run() {
    try {
      while (!closed) {
        Watch watch = wanted;
        if (watch == null) {
          LockSupport.park(this);
        } else {
          wanted = null;
          keep(watch);
          news.run();
        }
      }
    } catch (Throwable e) {
      failed.accept(e);
    }
  }

  private void keep(Watch watch) {
    Long deadlineNanos = watch.deadlineNanos;
    if (deadlineNanos == null) {
      idler.idle();
    } else {
      idler.idleUntil(deadlineNanos);
    }
  }
}
