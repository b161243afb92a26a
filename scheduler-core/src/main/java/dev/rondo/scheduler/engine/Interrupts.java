package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.ReportText;
import dev.rondo.scheduler.engine.util.Alerts;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/// Handles the interrupts of a loop's thread in one run.
///
/// An interrupt by another thread ends the run, and is set again for the caller of the run. An
/// interrupt that a task sets on its own thread belongs to that task: it is cleared for other
/// tasks, and set again in the next turn of that task. A run that does not end at interrupts, such
/// as that of `step()`, has no such object, and leaves the interrupt status unchanged. A run that
/// closes the scheduler continues, and the interrupt is set again for its caller.
///
/// To distinguish the two, a thread can declare that it blocks in an operation on a channel. The
/// JDK closes that channel when *another* thread interrupts the thread, and only then. So the
/// loop's thread declares that it blocks on this channel, which has no operations. Each blocking
/// operation of the thread on a selector or another channel ends the declaration, so each pass
/// renews it. Each run has an object of its own, so that an interrupt which comes too late for one
/// run does not end the next.
///
/// Confined to the scheduler's thread.
final class Interrupts extends AbstractInterruptibleChannel {

  private static final long PATIENCE_NANOS = 20_000_000;

  private final Loop loop;

  /// Whether this run has cleared an interrupt, which [#passOn()] sets again for the caller.
  private boolean taken;

  /// @param loop whose thread it is
  Interrupts(Loop loop) {
    this.loop = loop;
  }

  /// Called at the beginning of a pass. A thread that is interrupted already counts as interrupted
  /// by another one.
  void beginPass() {
    begin(); // until the end of the run, or a blocking operation on a channel
  }

  /// Called when the posted actions of a pass have run.
  void afterDeliveries() {
    if (Thread.currentThread().isInterrupted() && isOpen()) {
      var _ = Thread.interrupted();
      betweenTurns();
    }
  }

  /// Clears an interrupt of the loop's thread by another thread, and requests the end of the run.
  void note() {
    boolean flagged = Thread.interrupted();
    if ((flagged || !isOpen()) && !taken) {
      taken = true;
      if (!loop.isClosing()) {
        Alerts.warn("the loop's thread was interrupted from outside: the run ends, as by stop()");
        Inbox inbox = loop.inbox;
        inbox.requestStop();
      }
    }
  }

  /// Called when the loop's thread is interrupted at the end of a turn.
  ///
  /// @param task null if it was never made
  void inTurn(@Nullable TaskCore<?> task) {
    if (!isOpen() || task == null || task.thread() != null) {
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

  /// Called when the run is over. Sets an interrupt again that the run has cleared: the thread that
  /// has set it may be about to close this channel, or that of a later run.
  void passOn() {
    long began = System.nanoTime();
    while (taken && isOpen() && System.nanoTime() - began < PATIENCE_NANOS) {
      Thread.yield();
    }
    try {
      end(true);
    } catch (AsynchronousCloseException _) {
      // It says the same.
    }
    if (taken || !isOpen()) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void implCloseChannel() {}
}
