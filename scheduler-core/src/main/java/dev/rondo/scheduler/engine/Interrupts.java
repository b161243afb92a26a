package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.ReportText;
import dev.rondo.scheduler.engine.util.Alerts;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Handles the interrupts of a loop's thread in one run.
///
/// An interrupt by another thread ends the run, and is set again for the caller of the run. An
/// interrupt that a task sets on its own thread belongs to that task: it is cleared for other
/// tasks, and set again in the next turn of that task. A run that does not end at interrupts, such
/// as that of `step()`, has no such object, and leaves the interrupt status unchanged. A run that
/// closes the scheduler continues, and the interrupt is set again for its caller.
///
/// To distinguish the two, a thread can declare that it blocks in a selector. The JDK wakes that
/// selector when *another* thread interrupts the thread, and only then. So the loop's thread
/// declares that it blocks in this selector, which has no channel and is never selected. Each
/// blocking operation of the thread on a selector or an interruptible channel ends the declaration,
/// so each pass renews it. Each run has an object of its own, so that an interrupt which comes too
/// late for one run does not end the next.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
final class Interrupts extends AbstractSelector {

  private static final long PATIENCE_NANOS = 20_000_000;

  private final Loop loop;

  /// Whether this run has cleared an interrupt, which [#passOn()] sets again for the caller.
  private boolean taken;

  /// Whether another thread is known to have interrupted the loop's. It may have set the interrupt
  /// status and not be seen here yet.
  private volatile boolean fromOutside;

  /// @param loop whose thread it is
  Interrupts(Loop loop) {
    super(null); // registers no channel, so it needs no provider
    this.loop = loop;
  }

  /// Called at the beginning of a pass. A thread that is interrupted already counts as interrupted
  /// by another one.
  void beginPass() {
    begin(); // until the end of the run, or a blocking operation on a channel
  }

  /// Called when the posted actions of a pass have run.
  void afterDeliveries() {
    if (Thread.currentThread().isInterrupted() && !fromOutside) {
      var _ = Thread.interrupted();
      betweenTurns();
    }
  }

  /// Clears an interrupt of the loop's thread by another thread, and requests the end of the run.
  void note() {
    boolean flagged = Thread.interrupted();
    if ((flagged || fromOutside) && !taken) {
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
    if (fromOutside || task == null || task.thread() != null) {
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
  /// has set it may be about to wake this selector, or the one of a later run.
  void passOn() {
    long began = System.nanoTime();
    while (taken && !fromOutside && System.nanoTime() - began < PATIENCE_NANOS) {
      Thread.yield();
    }
    end();
    if (taken || fromOutside) {
      Thread.currentThread().interrupt();
    }
  }

  /// Called by the interrupting thread, after it has set the interrupt status.
  @Override
  public Selector wakeup() {
    fromOutside = true;
    return this;
  }

  // It is never selected.

  @Override
  protected void implCloseSelector() {}

  @Override
  protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
    throw neverUsed();
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    throw neverUsed();
  }

  @Override
  public int select(long timeout) {
    throw neverUsed();
  }

  @Override
  public int select() {
    throw neverUsed();
  }

  private static UnsupportedOperationException neverUsed() {
    return new UnsupportedOperationException("no channel is registered here, and nothing selects");
  }
}
