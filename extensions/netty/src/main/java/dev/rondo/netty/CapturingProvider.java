package dev.rondo.netty;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/// Remembers the selector that it opened last. Another provider makes the channels and selectors.
///
/// Confined to the scheduler's thread.
final class CapturingProvider extends SelectorProvider {

  private final SelectorProvider below;
  private @Nullable Selector selector;

  CapturingProvider(SelectorProvider below) {
    this.below = below;
  }

  /// The selector that was opened last; null if no selector was opened.
  @Nullable Selector selector() {
    return selector;
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    AbstractSelector opened = below.openSelector();
    selector = opened;
    return opened;
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    return below.openDatagramChannel();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    return below.openDatagramChannel(family);
  }

  @Override
  public Pipe openPipe() throws IOException {
    return below.openPipe();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    return below.openServerSocketChannel();
  }

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    return below.openSocketChannel();
  }
}
