package dev.rondo.scheduler.model;

import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;

/// A signal: wakes the tasks that wait now.
final class Event implements Source<String> {

  final WaitQueue<String> waiting = new WaitQueue<>();

  @Override
  public void arm(Waiter<? super String> waiter) {
    waiting.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super String> waiter) {
    waiting.remove(waiter);
  }

  @Override
  public boolean isEager() {
    return false;
  }
}
