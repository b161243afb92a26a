package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.Alerts;
import org.jspecify.annotations.Nullable;

/// Decides what becomes of an interrupt of a loop's thread.
///
/// An interrupt by another thread asks the run to end, and the caller of the run finds it again. An
/// interrupt that a task sets on its own thread belongs to that task, which finds it in its next
/// turn; other tasks do not. In a run that does not end at interrupts, as that of `step()`, the
/// interrupt status is left alone.
///
/// Confined to the scheduler's thread.
final class Interrupts {

  private final Loop loop;
  private final Thread thread;
  private final Inbox inbox;

  /// Whether this run has cleared an interrupt that its caller is to find again.
  private boolean taken;

  /// Tells an interrupt that ends this run from one by a task; null if interrupts do not end this
  /// run.
  private @Nullable InterruptWatch watch;

  /// @param loop whose thread it is
  /// @param inbox where a run is asked to end
  Interrupts(Loop loop, Inbox inbox) {
    this.loop = loop;
    this.thread = loop.thread;
    this.inbox = inbox;
  }

  /// Makes an interrupt by another thread end the run that begins. A run that closes the scheduler
  /// goes on, and its caller finds the interrupt.
  void endRun() {
    watch = new InterruptWatch();
  }

  /// Called at the beginning of a pass.
  void beginPass() {
    if (watch != null) {
      watch.watch(); // first: an interrupt that came meanwhile is from outside
    }
  }

  /// Called when the posted actions of a pass have run.
  void afterDeliveries() {
    if (watch != null && thread.isInterrupted() && !InterruptWatch.isInterrupted(watch)) {
      var _ = Thread.interrupted();
      betweenTurns();
    }
  }

  /// Takes note of an interrupt of the loop's thread by another one, which is a request to stop.
  void note() {
    boolean flagged = Thread.interrupted();
    if ((flagged || InterruptWatch.isInterrupted(watch)) && !taken) {
      taken = true;
      if (!loop.isClosing()) {
        Alerts.warn("the loop's thread was interrupted from outside: the run ends, as by stop()");
        inbox.requestStop();
      }
    }
  }

  /// Called when the loop's thread is interrupted at the end of a turn.
  ///
  /// @param task null if it was never made
  void inTurn(@Nullable TaskCore<?> task) {
    if (watch == null) {
      return; // the caller of step() finds it
    }
    if (InterruptWatch.isInterrupted(watch) || task == null || task.thread() != null) {
      loop.passSoon();
      return;
    }
    var _ = Thread.interrupted();
    keep(task);
  }

  /// Keeps the interrupt that a task has set on its own thread, which others use, too.
  static void keep(TaskCore<?> task) {
    if (task.isDone()) {
      Alerts.warn("task '" + task.name() + "' has ended after it interrupted its own thread");
    } else {
      task.interrupted = true;
    }
  }

  /// Called when code that is no turn of a task has interrupted the thread on which it ran. That
  /// ends nothing.
  static void betweenTurns() {
    Alerts.warn("code that ran between two turns has interrupted its own thread");
  }

  /// Called when a run is over: sets the interrupt that its caller is to find again.
  void passOn() {
    InterruptWatch own = watch;
    watch = null;
    boolean found = taken;
    taken = false;
    if (own != null) {
      found |= own.end(found);
    }
    if (found) {
      Thread.currentThread().interrupt();
    }
  }
}
