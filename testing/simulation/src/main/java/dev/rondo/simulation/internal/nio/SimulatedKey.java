package dev.rondo.simulation.internal.nio;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import org.jspecify.annotations.Nullable;

/// A channel's registration with a selector.
final class SimulatedKey extends AbstractSelectionKey {

  private final SimulatedSelector selector;
  private final SelectableChannel channel;
  private final Selectable selectable;
  private final Runnable watcher;

  /// The order of registration, in which keys are released.
  final long number;

  // Where it is among the candidates of the selector.

  boolean isCandidate;
  @Nullable SimulatedKey previous;
  @Nullable SimulatedKey next;

  private int interest;
  private int ready;

  SimulatedKey(
      SimulatedSelector selector, SelectableChannel channel, Selectable selectable, long number) {
    this.selector = selector;
    this.channel = channel;
    this.selectable = selectable;
    this.number = number;
    this.watcher = () -> selector.mayBeReady(this);
    selectable.endpoint().watch(watcher);
  }

  @Override
  public SelectableChannel channel() {
    return channel;
  }

  @Override
  public Selector selector() {
    return selector;
  }

  Selectable selectable() {
    return selectable;
  }

  private void requireValid() {
    if (!isValid()) {
      throw new CancelledKeyException();
    }
  }

  @Override
  public int interestOps() {
    requireValid();
    return interest;
  }

  @Override
  public SelectionKey interestOps(int operations) {
    requireValid();
    if ((operations & ~channel.validOps()) != 0) {
      throw new IllegalArgumentException(
          "not all of these operations exist: operations=" + operations);
    }
    interest = operations;
    selector.mayBeReady(this);
    return this;
  }

  @Override
  public int readyOps() {
    requireValid();
    return ready;
  }

  /// {@return the operations of interest that are ready now}
  int poll() {
    return isValid() && interest != 0
        ? selectable.ready(selectable.endpoint().poll(), interest)
        : 0;
  }

  void setReady(int operations) {
    ready = operations;
  }

  /// {@return whether any of these operations was not ready before}
  boolean addReady(int operations) {
    int before = ready;
    ready |= operations;
    return ready != before;
  }

  /// Waited for, in a message.
  String text() {
    return channel + " (interest " + interest + ")";
  }

  /// The selector has released it.
  void released() {
    selectable.endpoint().unwatch(watcher);
    if (!channel.isOpen() && !channel.isRegistered()) {
      selectable.kill();
    }
  }
}
