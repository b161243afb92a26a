package dev.rondo.application;

import dev.rondo.condition.channel.Channel;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Optional;

/// Receives the connections to a port that an acceptor deals to its loop.
///
/// Confined to the loop's thread.
final class DealtPortListener implements LoopListener {

  private final Application app;
  private final DealtPort port;
  private final Runnable closed;
  private final Channel<SocketChannel> arrived;
  private final Dealing.Share<SocketChannel> share;

  /// Keeps the scheduler alive, because a wait for a connection is not a deadlock.
  private final KeepAlive acceptor;

  /// @param closed called at the first close
  DealtPortListener(Application app, DealtPort port, Runnable closed) {
    this.app = app;
    this.port = port;
    this.closed = closed;
    this.arrived = Channel.<SocketChannel>unbounded(app.scheduler()).named(toString());
    this.acceptor = app.scheduler().keepAlive();
    this.share = port.dealing().join(app::post, arrived::trySend);
  }

  @Override
  public TcpSocket accept() throws IOException {
    return socketOf(app.await(arrived.receivingOrEnd()));
  }

  @Override
  public Waitable<TcpSocket> accepting() {
    return arrived
        .receivingOrEnd()
        .map(first -> {
          try {
            return socketOf(first);
          } catch (IOException e) {
            throw DealtPortListener.<RuntimeException>unchecked(e);
          }
        });
  }

  /// Throws a failure as it is, from the wait.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X unchecked(Throwable failure) throws X {
    throw (X) failure;
  }

  /// {@return the socket of the first connection whose peer is still there}
  private TcpSocket socketOf(Optional<SocketChannel> first) throws IOException {
    Optional<SocketChannel> connection = first;
    while (connection.isPresent()) {
      share.taken();
      try {
        return app.io().adopt(connection.get());
      } catch (IOException e) {
        connection = app.await(arrived.receivingOrEnd()); // the peer is gone already
      }
    }
    throw new ChannelClosedException("accept on " + this + ": it is closed");
  }

  @Override
  public InetSocketAddress localAddress() {
    return port.address();
  }

  @Override
  public void close() {
    app.scheduler().host().checkThread();
    if (arrived.isClosedForSend()) {
      return;
    }
    var left = new ArrayList<SocketChannel>();
    for (SocketChannel each; (each = arrived.tryReceive()) != null; ) {
      left.add(each);
    }
    arrived.close();
    share.close(left);
    acceptor.close();
    port.left();
    closed.run();
  }

  @Override
  public String toString() {
    return "dealt listener " + port.address();
  }
}
