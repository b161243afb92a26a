package dev.rondo.io.tls;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Runs an action on behalf of all callers, one at a time: a caller that arrives while it runs
/// waits for it to finish and then re-checks.
///
/// Confined to the scheduler's thread.
final class SingleFlight implements Waitable<@Nullable Void> {

  /// The action.
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  private final Scheduler scheduler;
  private final String name;
  private final WaitQueue<@Nullable Void> waiting = new WaitQueue<>();
  private boolean busy;

  /// How often an action has run.
  private long rounds;

  SingleFlight(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
  }

  boolean isBusy() {
    return busy;
  }

  /// Runs the action, or waits until the one that runs has ended. A suspension point if the action
  /// is one.
  ///
  /// @return whether this call ran its action
  boolean run(Action action) throws IOException {
    if (busy) {
      for (long round = rounds; busy && rounds == round; ) {
        scheduler.await(this);
      }
      return false;
    }
    busy = true;
    try {
      action.run();
      return true;
    } finally {
      busy = false;
      rounds++;
      waiting.fireAll(null);
    }
  }

  @Override
  public void arm(Waiter<? super @Nullable Void> waiter) {
    waiting.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super @Nullable Void> waiter) {
    waiting.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return name;
  }
}
