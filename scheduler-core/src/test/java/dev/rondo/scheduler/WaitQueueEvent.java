package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// A signal, as simple as can be: wakes who waits now, is lost if nobody does.
final class WaitQueueEvent implements Waitable<@Nullable Object> {

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

  int fireAll(@Nullable Object value) {
    return waiting.fireAll(value);
  }

  int fireAllNext(@Nullable Object value) {
    return waiting.fireAllNext(value);
  }

  boolean fireFirst(@Nullable Object value) {
    return waiting.fireFirst(value);
  }

  int failAll(Throwable failure) {
    return waiting.failAll(failure);
  }

  int waiters() {
    return waiting.size();
  }
}
