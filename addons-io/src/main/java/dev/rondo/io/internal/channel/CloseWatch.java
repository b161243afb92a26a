package dev.rondo.io.internal.channel;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Notices when a program closes its own channel, on any thread. No selector reports that. But a
/// channel cancels its keys when it is closed, and to do so it asks each key for its selector. This
/// selector selects nothing; it exists for its keys, which notice that call.
///
/// The system closes a descriptor when the last selector of the channel releases it, and only the
/// JDK's selectors and [dev.rondo.io.internal.linux.EpollSelector] can do that. So a key of this
/// selector is registered before the key of the loop's selector, cancelled before it, and released
/// at once.
///
/// Confined to the scheduler's thread, except the keys.
final class CloseWatch extends AbstractSelector {

  private final Runnable wakeup;
  private final SideSelector side;

  /// The keys of channels that were closed, and that [#failClosed()] has not seen. Written by any
  /// thread; taken by the loop.
  final Queue<Key> closed = new ConcurrentLinkedQueue<>();

  /// @param wakeup makes the loop call [#failClosed()]; called on any thread
  CloseWatch(Runnable wakeup, SideSelector side) {
    super(SelectorProvider.provider());
    this.wakeup = wakeup;
    this.side = side;
  }

  /// Begins to watch a channel, and registers it with the loop's selector.
  ///
  /// @param registering registers it
  /// @throws ClosedChannelException if it was closed on another thread just now
  SelectionKey register(ChannelRegistration registration, SideSelector.Action registering)
      throws IOException {
    SelectableChannel channel = registration.channel;
    return side.holding(
        channel,
        () -> {
          var own = (Key) channel.register(this, 0, registration);
          try {
            return registering.run();
          } catch (IOException | RuntimeException e) {
            own.abandoned = true;
            own.release();
            throw e;
          }
        });
  }

  /// Fails the waits on channels that were closed. The loop must not sleep after that: its selector
  /// must release the channels, and the closing threads may not have notified it yet.
  void failClosed() {
    Set<SelectionKey> cancelled = cancelledKeys();
    synchronized (cancelled) {
      cancelled.clear(); // they are released
    }
    List<Key> closing = new ArrayList<>();
    for (Key each; (each = closed.poll()) != null; ) {
      if (!each.abandoned) {
        each.registration.failIfClosed();
        if (each.registration.isRegistered()) {
          closing.add(each);
        }
      }
    }
    if (!closing.isEmpty()) {
      closed.addAll(closing);
      Thread.yield(); // to threads that are about to cancel the other keys
    }
  }

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
    return new Key(channel, (ChannelRegistration) requireNonNull(attachment));
  }

  private void released(AbstractSelectionKey key) {
    deregister(key);
  }

  final class Key extends AbstractSelectionKey {

    private final SelectableChannel channel;
    private final ChannelRegistration registration;
    private final AtomicBoolean released = new AtomicBoolean();

    /// Whether the loop's selector has refused the channel. Used by the loop.
    private boolean abandoned;

    Key(SelectableChannel channel, ChannelRegistration registration) {
      this.channel = channel;
      this.registration = registration;
    }

    /// The channel's `close` calls this on its thread, after it has marked the channel as closed.
    @Override
    public Selector selector() {
      if (!channel.isOpen() && release()) {
        closed.add(this);
        wakeup.run();
      }
      return CloseWatch.this;
    }

    boolean release() {
      boolean first = released.compareAndSet(false, true);
      if (first) {
        released(this);
      }
      return first;
    }

    @Override
    public SelectableChannel channel() {
      return channel;
    }

    @Override
    public int interestOps() {
      return 0;
    }

    @Override
    public SelectionKey interestOps(int operations) {
      return this;
    }

    @Override
    public int readyOps() {
      return 0;
    }
  }

  // Methods that each selector must have.

  @Override
  protected void implCloseSelector() {}

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
    return 0;
  }

  @Override
  public int select(long millis) {
    return 0;
  }

  @Override
  public int select() {
    return 0;
  }

  @Override
  public int selectNow(Consumer<SelectionKey> action) {
    return 0;
  }

  @Override
  public Selector wakeup() {
    return this;
  }
}
