package dev.rondo.scheduler;

/// Tokens that waits take, one each, first come first served; left over ones are kept.
final class Permits implements Waitable<Integer> {

  private final WaitQueue<Integer> waiting = new WaitQueue<>();
  private int available;
  private int released;

  void release() {
    released++;
    if (!waiting.fireFirst(released)) {
      available++;
    }
  }

  @Override
  public boolean poll(Waiter<? super Integer> waiter) {
    if (available > 0 && waiter.fire(released)) {
      available--;
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
    return available;
  }

  int waiters() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return "a permit";
  }
}
