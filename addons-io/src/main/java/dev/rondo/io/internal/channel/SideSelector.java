package dev.rondo.io.internal.channel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/// A selector beside the loop's own. It has a channel only for a moment, and is opened when it is
/// first needed.
///
/// Confined to the scheduler's thread.
final class SideSelector implements Closeable {

  /// Registers a channel elsewhere.
  @FunctionalInterface
  interface Action {

    /// {@return its key}
    ///
    /// @throws IOException if it is closed, or the system refuses
    SelectionKey run() throws IOException;
  }

  private final SelectorProvider provider;
  private @Nullable Selector selector;

  /// @param provider opens it
  SideSelector(SelectorProvider provider) {
    this.provider = provider;
  }

  /// Runs an action while a channel is registered here. If it is closed meanwhile, and the action
  /// leaves it with no other selector, the system closes its descriptor at the end.
  SelectionKey holding(SelectableChannel channel, Action action) throws IOException {
    SelectionKey key = channel.register(open(), 0);
    try {
      return action.run();
    } finally {
      release(key);
    }
  }

  /// {@return whether a channel is ready for an operation}
  boolean isReady(SelectableChannel channel, int operation) throws IOException {
    SelectionKey key = channel.register(open(), operation);
    try {
      return open().selectNow(ignored -> {}) > 0;
    } finally {
      release(key);
    }
  }

  private void release(SelectionKey key) throws IOException {
    key.cancel();
    open().selectNow();
  }

  private Selector open() throws IOException {
    Selector known = selector;
    if (known == null) {
      known = provider.openSelector();
      selector = known;
    }
    return known;
  }

  @Override
  public void close() throws IOException {
    if (selector != null) {
      selector.close();
    }
  }
}
