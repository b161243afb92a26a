package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// An event that comes at the end of a time span. The span begins with the wait. A delay uses the
/// timer service of the scheduler: it is for add-ons, which do not depend on the time add-on.
///
/// Confined to the scheduler's thread.
public final class Delay implements Source<@Nullable Void> {

  private final Duration delay;
  private final long delayNanos;

  private Delay(Duration delay) {
    this.delay = delay;
    this.delayNanos = Durations.nanos(delay, "delay");
  }

  /// {@return an event that comes when the wait has lasted that long} A wait fails with
  /// `IllegalStateException` if its scheduler has no [TimerService].
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  public static Delay of(Duration delay) {
    return new Delay(delay);
  }

  @Override
  public void arm(Waiter<? super @Nullable Void> waiter) {
    Loop loop = WaiterCore.loopOf(waiter);
    Attachment.set(
        waiter, loop.after(delayNanos, () -> WaiterCore.settle(waiter, null, null, Place.BACK)));
  }

  @Override
  public void disarm(Waiter<? super @Nullable Void> waiter) {
    if (Attachment.of(waiter) instanceof TimerHandle handle) {
      handle.cancel();
    }
  }

  /// False: a wait observes time, and takes nothing.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return "the end of " + ReportText.duration(delay);
  }
}
