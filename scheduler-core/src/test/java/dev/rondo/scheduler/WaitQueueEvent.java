package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// The simplest signal: wakes the tasks that wait now, and is lost if there are none.
public final class WaitQueueEvent implements Source<@Nullable Object> {

  private final WaitQueue<@Nullable Object> waiting = new WaitQueue<>();

  @Override
  public void arm(Waiter<? super @Nullable Object> waiter) {
    waiting.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super @Nullable Object> waiter) {
    waiting.remove(waiter);
  }

  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return "a signal";
  }

  public int fireAll(@Nullable Object value) {
    return waiting.fireAll(value);
  }

  public int fireAllNext(@Nullable Object value) {
    return waiting.fireAllNext(value);
  }

  public boolean fireFirst(@Nullable Object value) {
    return waiting.fireFirst(value);
  }

  public int failAll(Throwable failure) {
    return waiting.failAll(failure);
  }

  public int waiters() {
    return waiting.size();
  }
}
