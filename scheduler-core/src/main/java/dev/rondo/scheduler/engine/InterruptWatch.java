package dev.rondo.scheduler.engine;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Distinguishes an interrupt by another thread from an interrupt that a thread sets on itself.
///
/// A thread can declare that it blocks in a selector. The JDK wakes that selector when *another*
/// thread interrupts the thread, and only then. So the loop's thread declares that it blocks in
/// this selector, which has no channel and is never selected. Each blocking operation of the thread
/// on a selector or an interruptible channel ends the declaration, so each pass renews it. Each run
/// has a watch of its own, so that an interrupt which comes too late for one run does not end the
/// next.
final class InterruptWatch extends AbstractSelector {

  private static final long PATIENCE_NANOS = 20_000_000;

  /// Written by the interrupting thread, after it has set the interrupt status of the watched one.
  private volatile boolean interrupted;

  InterruptWatch() {
    super(null); // registers no channel, so it needs no provider
  }

  /// Watches the calling thread until [#end(boolean)] or a blocking operation on a channel. A
  /// thread that is interrupted already counts as interrupted by another one.
  void watch() {
    begin();
  }

  /// Whether another thread is known to have interrupted the watched one. It may have set the
  /// interrupt status and not be seen here yet.
  static boolean isInterrupted(@Nullable InterruptWatch watch) {
    return watch != null && watch.interrupted;
  }

  /// Ends the watch.
  ///
  /// @param flagged whether the thread has found its interrupt status set: the thread that has set
  ///   it may be about to wake this selector, or the one of a later run
  /// @return whether another thread has interrupted the watched one
  boolean end(boolean flagged) {
    long begin = System.nanoTime();
    while (flagged && !interrupted && System.nanoTime() - begin < PATIENCE_NANOS) {
      Thread.yield();
    }
    end();
    return interrupted;
  }

  @Override
  public Selector wakeup() {
    interrupted = true;
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
