package dev.rondo.ui;

import dev.rondo.io.WaitForIO;
import dev.rondo.io.internal.lent.RemoteIdleStrategy;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A daemon thread that blocks in the IO add-on's selector.
///
/// It and the UI thread take turns: between [#start] and the callback this thread owns the
/// selector, otherwise the UI thread does. The volatile write of `requested`, and the callback's
/// way back to the UI thread, publish the state that each thread leaves to the other.
final class ThreadPoller implements BackgroundPoller, Runnable {

  /// @param deadlineNanos null for none
  private record Request(@Nullable Long deadlineNanos) {}

  private final RemoteIdleStrategy idleStrategy;
  private final Runnable onPolled;
  private final Consumer<Throwable> onFailure;
  private final Thread thread = new Thread(this, "rondo ui poller");

  /// Written by the UI thread, cleared by this one.
  private volatile @Nullable Request requested;

  private volatile boolean closed;

  /// @param news runs on this thread, once for each wait
  /// @param failed runs on this thread, which then ends
  ThreadPoller(Scheduler scheduler, Runnable news, Consumer<Throwable> failed) {
    var _ = WaitForIO.on(scheduler);
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
