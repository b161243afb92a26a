package dev.rondo.io.internal.linux;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import sun.nio.ch.SelChImpl;
import sun.nio.ch.SelectionKeyImpl;

/// A channel like the JDK's, with a descriptor of another file.
public final class OddChannel extends AbstractSelectableChannel implements SelChImpl {

  /// The system's action when it closes the descriptor.
  @FunctionalInterface
  public interface Killing {
    void run() throws IOException;
  }

  private final int descriptor;
  private final Killing whenKilled;

  public OddChannel(int descriptor, Killing whenKilled) throws IOException {
    super(SelectorProvider.provider());
    this.descriptor = descriptor;
    this.whenKilled = whenKilled;
    configureBlocking(false);
  }

  @Override
  public int getFDVal() {
    return descriptor;
  }

  @Override
  public void kill() throws IOException {
    whenKilled.run();
  }

  @Override
  public int validOps() {
    return SelectionKey.OP_READ;
  }

  @Override
  protected void implCloseSelectableChannel() {}

  @Override
  protected void implConfigureBlocking(boolean block) {}

  // For the JDK's selectors.

  @Override
  public FileDescriptor getFD() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean translateAndUpdateReadyOps(int ops, SelectionKeyImpl key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean translateAndSetReadyOps(int ops, SelectionKeyImpl key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int translateInterestOps(int ops) {
    throw new UnsupportedOperationException();
  }
}
