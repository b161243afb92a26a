package dev.rondo.application;

import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;

/// One loop's share of the connections to a port that the loops of a group share. Made by
/// [LoopGroup.Member#listen(InetSocketAddress)]; see [AcceptSharing].
///
/// Confined to the loop's thread.
public sealed interface LoopListener extends AutoCloseable
    permits ReusedPortListener, DealtPortListener {

  /// Accepts a connection, which belongs to this loop from now on. A *possible* suspension point.
  ///
  /// @return the connection, which the caller closes
  /// @throws dev.rondo.io.ChannelClosedException if the listener is closed, before or meanwhile
  /// @throws IOException if the selector of this loop has failed
  TcpSocket accept() throws IOException;

  /// {@return a wait that accepts a connection, to be awaited with a limit or as a branch of a
  /// choice} A branch that is not taken accepts nothing. The wait returns or throws what
  /// [#accept()] does.
  Waitable<TcpSocket> accepting();

  /// {@return the address that all loops share, even after closing} Never a suspension point.
  InetSocketAddress localAddress();

  /// {@return the port that all loops share, even after closing} Never a suspension point.
  default int port() {
    return localAddress().getPort();
  }

  /// Stops listening on this loop; the other loops go on. A waiting acceptor fails. The last loop
  /// to close its listener frees the address. Never a suspension point. Later calls do nothing.
  ///
  /// @throws IOException if closing fails; it counts as closed all the same
  @Override
  void close() throws IOException;
}
