package dev.rondo.condition.channel;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;

/// Waiting for the end of a channel without receiving: it comes, with the [Closing], when the
/// channel is closed or cancelled and nothing is left in it. Not when the last that is left is
/// received: whoever waits for this is the one to do that.
///
/// Confined to the scheduler's thread.
final class End implements Waitable<Object> {

  private final Channel<?> channel;
  private final WaitQueue<Object> watchers = new WaitQueue<>();

  End(Channel<?> channel) {
    this.channel = channel;
  }

  /// It has come.
  void tell(Closing reason) {
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
  public String toString() {
    return "end of " + channel;
  }
}
