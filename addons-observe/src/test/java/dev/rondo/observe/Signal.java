package dev.rondo.observe;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// The simplest signal: wakes the tasks that wait now, and is lost if there are none.
final class Signal implements Waitable<@Nullable Object> {

  private final WaitQueue<@Nullable Object> waiting = new WaitQueue<>();

  @Override
  public void arm(Waiter<? super @Nullable Object> waiter) {
    waiting.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super @Nullable Object> waiter) {
    waiting.remove(waiter);
  }

  boolean fireFirst(@Nullable Object value) {
    return waiting.fireFirst(value);
  }

  int fireAll(@Nullable Object value) {
    return waiting.fireAll(value);
  }

  @Override
  public String toString() {
    return "a signal";
  }
}
