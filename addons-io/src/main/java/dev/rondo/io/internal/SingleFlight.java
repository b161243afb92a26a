package dev.rondo.io.internal;

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
public final class SingleFlight implements Waitable<@Nullable Void> {

  /// The action.
  @FunctionalInterface
  public interface Action {

    /// Runs it.
    ///
    /// @throws IOException thrown to the caller whose action it is
    void run() throws IOException;
  }

  private final Scheduler scheduler;
  private final String name;
  private final WaitQueue<@Nullable Void> waiting = new WaitQueue<>();
  private boolean busy;

  /// How often an action has run.
  private long rounds;

  /// Nothing runs yet.
  ///
  /// @param scheduler whose tasks call
  /// @param name what the action does, for reports
  public SingleFlight(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
  }

  /// {@return whether an action runs} Never a suspension point.
  public boolean isBusy() {
    return busy;
  }

  /// Runs the action, or waits until a running action has ended. A suspension point if the action
  /// is one.
  ///
  /// @param action runs unless another one does
  /// @return whether this call ran its action
  /// @throws IOException as the action
  public boolean run(Action action) throws IOException {
    if (busy) {
      for (long round = rounds; busy && rounds == round; ) {
        var _ = scheduler.host().awaitEvent(this);
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
