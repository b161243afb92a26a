package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayDeque;
import java.util.Deque;

/// Permits: each wait takes one, in order of arrival, and those that are left are kept.
final class Permits implements Waitable<Integer> {

  private final WaitQueue<Integer> waiting = new WaitQueue<>();
  private final Deque<Integer> available = new ArrayDeque<>();
  private int released;

  /// Returns the number of the permit.
  int release() {
    released++;
    if (!waiting.fireFirst(released)) {
      available.add(released);
    }
    return released;
  }

  @Override
  public boolean poll(Waiter<? super Integer> waiter) {
    Integer first = available.peek();
    if (first != null && waiter.fire(first)) {
      available.remove();
      return true;
    }
    return false;
  }

  @Override
  public void arm(Waiter<? super Integer> waiter) {
    if (!poll(waiter)) {
      waiting.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super Integer> waiter) {
    waiting.remove(waiter);
  }

  int available() {
    return available.size();
  }

  int waiters() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return "a permit";
  }
}
