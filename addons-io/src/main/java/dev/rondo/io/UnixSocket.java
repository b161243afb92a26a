package dev.rondo.io;

import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.ConnectWait;
import dev.rondo.io.internal.channel.Reactor;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;

/// A connection between two processes of one machine, by a path in the file system; see
/// [StreamSocket]. `getOption(ExtendedSocketOptions.SO_PEERCRED)` identifies the other process.
///
/// Confined to the scheduler's thread. Made by [#connect] and [UnixListener#accept()].
public final class UnixSocket extends StreamSocket<UnixSocket> {

  private final String name;

  private UnixSocket(
      Reactor reactor,
      SocketChannel channel,
      ChannelRegistration registration,
      Path path,
      String role) {
    super(reactor, channel, registration);
    this.name = role + path;
    registration.rename(name);
  }

  /// The socket of an accepted connection. On failure the channel is closed.
  static UnixSocket of(Reactor reactor, SocketChannel channel, Path path) throws IOException {
    try {
      channel.configureBlocking(false);
      ChannelRegistration registration = reactor.register(channel, "connection");
      return new UnixSocket(reactor, channel, registration, path, "unix socket on ");
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Connects to a path. A *possible* suspension point.
  ///
  /// @param io of the current task's scheduler
  /// @param path where a [UnixListener], or another program, listens
  /// @return the connected socket, which the caller closes
  /// @throws java.net.ConnectException if nothing listens there; nothing stays open
  /// @throws IOException if there is no such path or no permission, or the backlog of the listener
  ///   is full; only the system's text tells these apart; the message has the path; nothing stays
  ///   open
  /// @throws IllegalArgumentException if the path is not of the default file system
  public static UnixSocket connect(WaitForIO io, Path path) throws IOException {
    Objects.requireNonNull(io, "io is null");
    Objects.requireNonNull(path, "path is null");
    Reactor reactor = io.reactor();
    reactor.checkThread();
    UnixSocket socket =
        ConnectWait.connect(
            reactor,
            () -> unconnected(reactor),
            UnixDomainSocketAddress.of(path),
            path.toString(),
            factory(reactor, path));
    return socket.openedHere();
  }

  private static SocketChannel unconnected(Reactor reactor) throws IOException {
    return reactor.provider().openSocketChannel(StandardProtocolFamily.UNIX);
  }

  private static ConnectWait.SocketFactory<UnixSocket> factory(Reactor reactor, Path path) {
    return (channel, registration) ->
        new UnixSocket(reactor, channel, registration, path, "unix socket to ");
  }

  @Override
  UnixSocket self() {
    return this;
  }

  @Override
  public String toString() {
    return name;
  }
}
