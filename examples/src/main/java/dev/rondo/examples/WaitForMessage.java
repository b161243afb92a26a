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
import java.util.ArrayDeque;
import java.util.Queue;

/// Messages that a library delivers on its own thread, like a client of a message broker. This
/// add-on shows how to receive events of another thread.
///
/// Confined to the scheduler's thread, except [#deliver(String)].
final class WaitForMessage implements AddOn, Waitable<String> {

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final Queue<String> messages = new ArrayDeque<>();
  private final WaitQueue<String> waiting = new WaitQueue<>();
  private final StepTask<Void> task;

  WaitForMessage(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.task = host.install(this);
  }

  /// Delivers a message: the callback of the library. Any thread.
  ///
  /// @return false if the scheduler is closed; the message is not delivered then
  boolean deliver(String message) {
    return scheduler.post(() -> {
      if (!waiting.fireFirst(message)) {
        messages.add(message); // no task waits, so it is kept
      }
    });
  }

  /// Returns the next message. Suspends the calling task until there is one.
  String next() {
    return host.awaitEvent(this);
  }

  // The task. It does nothing itself, but idles while tasks wait: the scheduler then knows that
  // something outside will wake them, and that they are not deadlocked.

  @Override
  public StepResult turn(StepTask<Void> self) {
    return waiting.isEmpty() ? StepResult.SUSPEND : self.idle();
  }

  // The waitable.

  @Override
  public boolean poll(Waiter<? super String> waiter) {
    String message = messages.peek();
    if (message == null || !waiter.fire(message)) {
      return false;
    }
    messages.remove();
    return true;
  }

  @Override
  public void arm(Waiter<? super String> waiter) {
    waiting.add(waiter);
    task.wake();
  }

  @Override
  public void disarm(Waiter<? super String> waiter) {
    waiting.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler; // so that tasks of another one are refused
  }

  @Override
  public void describe(AddOnReport report) {
    report.gauge("messages.waiting", waiting.size()).gauge("messages.kept", messages.size());
  }

  @Override
  public String toString() {
    return "the next message"; // as in "task 'main' WAITING for the next message"
  }
}
