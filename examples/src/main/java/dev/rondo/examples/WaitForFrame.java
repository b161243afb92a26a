package dev.rondo.examples;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;

/// Your own add-on, complete: a frame clock, as games have one. Tasks wait for the next frame and
/// receive its number; all that wait for a frame receive it in the same round.
final class WaitForFrame implements AddOn, Waitable<Long> {

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final long periodNanos;
  private final long firstNanos;
  private final WaitQueue<Long> waiting = new WaitQueue<>();
  private final StepTask<Void> task;
  private long frame;

  WaitForFrame(Scheduler scheduler, Duration period) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.periodNanos = period.toNanos();
    this.firstNanos = host.nowNanos();
    this.task = host.install(this); // suspended until a task waits: it costs nothing
  }

  /// Suspends the calling task until the next frame, and returns its number.
  long nextFrame() {
    return host.awaitEvent(this);
  }

  // The task. Each turn is one pass: wake those whose frame has come, say when to look again.

  @Override
  public StepResult turn(StepTask<Void> self) {
    if (host.nowNanos() - nextFrameNanos() >= 0) {
      frame = (host.nowNanos() - firstNanos) / periodNanos; // skips those that were missed
      waiting.fireAll(frame);
    }
    return waiting.isEmpty() ? StepResult.SUSPEND : self.idleUntil(nextFrameNanos());
  }

  private long nextFrameNanos() {
    return firstNanos + (frame + 1) * periodNanos;
  }

  // The waitable: waiters are in the queue. Cancelling, timeouts and select come with it.

  @Override
  public void arm(Waiter<? super Long> waiter) {
    if (waiting.isEmpty()) {
      frame = (host.nowNanos() - firstNanos) / periodNanos; // not counted meanwhile
    }
    waiting.add(waiter);
    task.wake();
  }

  @Override
  public void disarm(Waiter<? super Long> waiter) {
    waiting.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler; // so that tasks of another one are refused
  }

  // What dumps, JMX and meters show.

  @Override
  public void describe(AddOnReport report) {
    report.gauge("frames.waiting", waiting.size()).line(() -> "next is " + this);
  }

  @Override
  public String toString() {
    return "frame " + (frame + 1);
  }
}
