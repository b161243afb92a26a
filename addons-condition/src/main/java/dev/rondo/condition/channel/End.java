package dev.rondo.condition.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;

/// The end of a channel, to wait for without receiving. The event comes, with the [Closing], when
/// the channel is closed or cancelled while its buffer is empty. It does not come when the buffer
/// is emptied later: only the waiting task itself receives.
///
/// Confined to the scheduler's thread.
final class End implements Waitable<Object> {

  private final Channel<?> channel;
  private final WaitQueue<Object> watchers = new WaitQueue<>();

  End(Channel<?> channel) {
    this.channel = channel;
  }

  void come(Closing reason) {
    var _ = watchers.fireAll(reason);
  }

  @Override
  public boolean poll(Waiter<? super Object> waiter) {
    Closing closed = channel.closing;
    return closed != null && channel.isClosedForReceive() && waiter.fire(closed);
  }

  @Override
  public void arm(Waiter<? super Object> waiter) {
    if (!poll(waiter)) {
      watchers.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super Object> waiter) {
    var _ = watchers.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return channel.scheduler;
  }

  @Override
  public String toString() {
    return "end of " + channel;
  }
}
