package dev.rondo.scheduler.engine.thread;

import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.util.Alerts;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/// Handles the interrupts of a loop's thread in one run.
///
/// An interrupt by another thread ends the run, and is set again for the caller of the run. An
/// interrupt that a task sets on its own thread belongs to that task: the interrupt is cleared for
/// other tasks, and set again in the next turn of that task. A run that does not end at interrupts,
/// such as the run of `step()`, has no such object, and leaves the interrupt status unchanged. A
/// run that closes the scheduler continues, and the interrupt is set again for its caller.
///
/// The JDK helps to distinguish the two kinds. A thread can declare that it blocks in an operation
/// on a channel. The JDK closes that channel when *another* thread interrupts the thread, and only
/// then. So the loop's thread declares that it blocks on this channel, which has no operations.
/// Each blocking operation of the thread on a selector or another channel ends the declaration, so
/// each pass renews it. Each run has an object of its own, so that an interrupt which comes too
/// late for one run does not end the next.
///
/// Confined to the scheduler's thread.
public final class ThreadInterrupts extends AbstractInterruptibleChannel
    implements Rooms.Interrupts {

  private static final long PATIENCE_NANOS = 20_000_000;

  private final Loop loop;

  /// Whether this run has cleared an interrupt, which [#passOn()] sets again for the caller.
  private boolean taken;

  /// @param loop whose thread is interrupted
  public ThreadInterrupts(Loop loop) {
    this.loop = loop;
  }

  @Override
  public void beginPass() {
    begin(); // until the end of the run, or a blocking operation on a channel
  }

  @Override
  public void afterDeliveries() {
    if (Thread.currentThread().isInterrupted() && isOpen()) {
      var _ = Thread.interrupted();
      betweenTurns();
    }
  }

  @Override
  public void note() {
    boolean flagged = Thread.interrupted();
    if ((flagged || !isOpen()) && !taken) {
      taken = true;
      if (!loop.isClosing()) {
        Alerts.warn("the loop's thread was interrupted from outside: the run ends, as by stop()");
        loop.requestStop();
      }
    }
  }

  @Override
  public void inTurn(@Nullable TaskCore<?> task) {
    if (!isOpen() || task == null || task.thread() != null) {
      loop.passSoon();
      return;
    }
    var _ = Thread.interrupted();
    loop.keepInterrupt(task);
  }

  /// Called when code outside of tasks has interrupted the thread on which it ran. Such an
  /// interrupt is logged, and has no other effect.
  static void betweenTurns() {
    Alerts.warn("code that ran between two turns has interrupted its own thread");
  }

  /// The thread that has set the interrupt may be about to close this channel, or the channel of a
  /// later run.
  @Override
  public void passOn() {
    long began = System.nanoTime();
    while (taken && isOpen() && System.nanoTime() - began < PATIENCE_NANOS) {
      Thread.yield();
    }
    try {
      end(true);
    } catch (AsynchronousCloseException _) {
      // The exception says the same.
    }
    if (taken || !isOpen()) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void implCloseChannel() {}
}
