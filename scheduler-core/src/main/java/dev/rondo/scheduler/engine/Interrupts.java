package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.Alerts;
import org.jspecify.annotations.Nullable;

/// What becomes of an interrupt of a loop's thread.
///
/// One by another thread asks the run to end, and the caller of the run finds it again. One that a
/// task sets on its own thread belongs to that task: other tasks do not find it, and the task does
/// in its next turn. Without a run that ends at interrupts, as in `step()`, each stays where it is.
///
/// Confined to the scheduler's thread.
final class Interrupts {

  private final Loop loop;
  private final Thread thread;
  private final Inbox inbox;

  /// Whether this run has taken an interrupt that its caller is to find again.
  private boolean taken;

  /// Tells an interrupt that ends this run from one by a task; null if none ends it.
  private @Nullable InterruptWatch watch;

  /// @param loop whose thread it is
  /// @param inbox where a run is asked to end
  Interrupts(Loop loop, Inbox inbox) {
    this.loop = loop;
    this.thread = loop.thread;
    this.inbox = inbox;
  }

  /// Has an interrupt from outside end the run that begins. One that closes the scheduler goes on,
  /// and its caller finds the interrupt.
  void endRun() {
    watch = new InterruptWatch();
  }

  /// A pass begins.
  void beginPass() {
    if (watch != null) {
      watch.watch(); // first: an interrupt that came meanwhile is from outside
    }
  }

  /// What was posted has run in this pass.
  void afterDeliveries() {
    if (watch != null && thread.isInterrupted() && !InterruptWatch.isInterrupted(watch)) {
      var _ = Thread.interrupted();
      betweenTurns();
    }
  }

  /// Takes note of an interrupt of the loop's thread by another one: it is a request to stop.
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

  /// The loop's thread is interrupted at the end of a turn.
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

  /// A task has interrupted its own thread, which others use, too.
  static void keep(TaskCore<?> task) {
    if (task.isDone()) {
      Alerts.warn("task '" + task.name() + "' has ended after it interrupted its own thread");
    } else {
      task.interrupted = true;
    }
  }

  /// Code that is no turn of a task has interrupted the thread that it ran on: that ends nothing.
  static void betweenTurns() {
    Alerts.warn("code that ran between two turns has interrupted its own thread");
  }

  /// A run is over: its caller finds the interrupt again.
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
