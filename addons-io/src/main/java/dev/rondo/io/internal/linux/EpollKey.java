package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import org.jspecify.annotations.Nullable;
import sun.nio.ch.SelChImpl;

/// A channel of an [EpollSelector].
final class EpollKey extends AbstractSelectionKey {

  static final int INWARD = OP_READ | OP_ACCEPT;
  private static final int OUTWARD = OP_WRITE | OP_CONNECT;

  private final EpollSelector selector;
  private final SelectableChannel channel;
  final int descriptor;

  /// Written under the selector's lock of changes; read by any thread.
  private volatile int interest;

  /// Used by the selecting thread, as the next field is.
  private int ready;

  /// The events registered with the system; 0 if the channel is not registered.
  private int registered;

  /// The failure with which the system refused to register the interest; null if it has not.
  private @Nullable IOException refusal;

  /// Whether the next select must register the interest. Guarded by the lock of changes.
  private boolean changed;

  EpollKey(EpollSelector selector, SelectableChannel channel) {
    this.selector = selector;
    this.channel = channel;
    this.descriptor = ((SelChImpl) channel).getFDVal();
  }

  @Override
  public SelectableChannel channel() {
    return channel;
  }

  @Override
  public EpollSelector selector() {
    return selector;
  }

  @Override
  public int interestOps() {
    requireValid();
    return interest;
  }

  @Override
  public EpollKey interestOps(int operations) {
    requireValid();
    if ((operations & ~channel.validOps()) != 0) {
      throw new IllegalArgumentException(
          channel + " has no such operation: operations=" + operations);
    }
    selector.changeInterest(this, operations);
    return this;
  }

  @Override
  public int readyOps() {
    requireValid();
    return ready;
  }

  private void requireValid() {
    if (!isValid()) {
      throw new CancelledKeyException();
    }
  }

  // For the selector.

  /// {@return whether this is the first change since the last select}
  boolean interest(int operations) {
    interest = operations;
    boolean first = !changed;
    changed = true;
    return first;
  }

  /// {@return the events registered with the system}
  int registered() {
    return registered;
  }

  /// {@return the events of interest}
  int wantedEvents() {
    int operations = interest;
    return ((operations & INWARD) == 0 ? 0 : Libc.EPOLLIN)
        | ((operations & OUTWARD) == 0 ? 0 : Libc.EPOLLOUT);
  }

  /// The events of interest are registered with the system.
  void register(int wantedEvents) {
    changed = false;
    registered = wantedEvents;
  }

  /// The system has refused to register the events of interest.
  void refuse(IOException why) {
    changed = false;
    refusal = why;
    ready = interest;
  }

  boolean isRefused() {
    return refusal != null;
  }

  @Nullable IOException takeRefusal() {
    IOException why = refusal;
    refusal = null;
    return why;
  }

  /// Notes the events that the system has found. A broken connection is ready for every operation,
  /// which then fails. An event before the channel is registered belongs to the channel that had
  /// the descriptor before.
  ///
  /// @return whether it is ready for an operation of interest
  boolean found(int events) {
    boolean broken = (events & (Libc.EPOLLERR | Libc.EPOLLHUP)) != 0;
    int able =
        (broken || (events & Libc.EPOLLIN) != 0 ? INWARD : 0)
            | (broken || (events & Libc.EPOLLOUT) != 0 ? OUTWARD : 0);
    ready = registered == 0 ? 0 : able & interest;
    return ready != 0;
  }
}
