package dev.rondo.application;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Shares a port by `SO_REUSEPORT`.
///
/// Confined to the loop's thread.
final class ReusedPortListener implements LoopListener {

  private final TcpListener listener;
  private final Runnable closed;

  /// @param closed called at the first close
  ReusedPortListener(TcpListener listener, Runnable closed) {
    this.listener = listener;
    this.closed = closed;
  }

  @Override
  public TcpSocket accept() throws IOException {
    return listener.accept();
  }

  @Override
  public Waitable<TcpSocket> accepting() {
    return listener.accepting();
  }

  @Override
  public InetSocketAddress localAddress() {
    return listener.localAddress();
  }

  @Override
  public void close() throws IOException {
    if (listener.isOpen()) {
      try {
        listener.close();
      } finally {
        closed.run();
      }
    }
  }

  @Override
  public String toString() {
    return listener.toString();
  }
}
