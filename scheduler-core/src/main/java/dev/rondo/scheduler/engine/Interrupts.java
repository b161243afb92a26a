package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.ReportText;
import dev.rondo.scheduler.engine.util.Alerts;
import org.jspecify.annotations.Nullable;

/// Handles the interrupts of a loop's thread.
///
/// An interrupt by another thread ends the run, and is set again for the caller of the run. An
/// interrupt that a task sets on its own thread belongs to that task: it is cleared for other
/// tasks, and set again in the next turn of that task. A run that does not end at interrupts, such
/// as that of `step()`, leaves the interrupt status unchanged.
///
/// Confined to the scheduler's thread.
final class Interrupts {

  private final Loop loop;
  private final Thread thread;
  private final Inbox inbox;

  /// Whether this run has cleared an interrupt, which [#passOn()] sets again for the caller.
  private boolean taken;

  /// Distinguishes interrupts by other threads from those by tasks; null if interrupts do not end
  /// this run.
  private @Nullable InterruptWatch watch;

  /// @param loop whose thread it is
  /// @param inbox receives the request to end the run
  Interrupts(Loop loop, Inbox inbox) {
    this.loop = loop;
    this.thread = loop.thread;
    this.inbox = inbox;
  }

  /// Makes an interrupt by another thread end the run that begins. A run that closes the scheduler
  /// continues, and the interrupt is set again for its caller.
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

  /// Clears an interrupt of the loop's thread by another thread, and requests the end of the run.
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

  /// Keeps an interrupt that a task has set on a thread which other tasks use, too, for the next
  /// turn of the task.
  static void keep(TaskCore<?> task) {
    if (task.isDone()) {
      Alerts.warn(
          "task '"
              + ReportText.escaped(task.name())
              + "' has ended after it interrupted its own thread");
    } else {
      task.extras().interrupted = true;
    }
  }

  /// Called when code outside of tasks has interrupted the thread on which it ran. Such an
  /// interrupt is logged, and has no other effect.
  static void betweenTurns() {
    Alerts.warn("code that ran between two turns has interrupted its own thread");
  }

  /// Called when a run is over. Sets an interrupt again that the run has cleared.
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
