package dev.rondo.ui;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// One wait for one modal dialog, see [UiHost#dialog]. The dialog's nested event loop runs in an
/// event of its own, on no task's stack; the slices of the application are events within it.
final class DialogWait<T extends @Nullable Object> implements Waitable<T> {

  private final Scheduler scheduler;
  private final EventLoop eventLoop;
  private final Callable<? extends T> open;
  private final Runnable close;

  /// Null before and after the wait.
  private @Nullable Waiter<? super T> waiter;

  private boolean showing;

  DialogWait(Scheduler scheduler, EventLoop eventLoop, Callable<? extends T> open, Runnable close) {
    this.scheduler = scheduler;
    this.eventLoop = eventLoop;
    this.open = open;
    this.close = close;
  }

  @Override
  public void arm(Waiter<? super T> armed) {
    eventLoop.post(this::show);
    waiter = armed;
  }

  @Override
  public void disarm(Waiter<? super T> armed) {
    waiter = null;
    if (showing) {
      eventLoop.post(this::hide);
    }
  }

  private void show() {
    if (waiter == null) {
      return; // the wait was given up before the dialog opened
    }
    showing = true;
    T answer;
    try {
      answer = open.call();
    } catch (Throwable e) {
      showing = false;
      fail(e);
      return;
    }
    showing = false;
    Waiter<? super T> asking = waiter;
    waiter = null;
    if (asking != null) {
      asking.fire(answer);
    }
  }

  private void hide() {
    if (showing) {
      try {
        close.run();
      } catch (Throwable e) {
        scheduler.host().report("closing a dialog that no task waits for any more", e);
      }
    }
  }

  private void fail(Throwable failure) {
    Waiter<? super T> asking = waiter;
    waiter = null;
    if (asking != null) {
      asking.fail(failure);
    } else {
      scheduler.host().report("a dialog that no task waits for any more", failure);
    }
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return "a dialog";
  }
}
