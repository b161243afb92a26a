package dev.rondo.io;

import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.io.internal.lent.UnixNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A socket at a path of the file system that accepts connections from the same machine. A process
/// may connect if it may write to the path.
///
/// The path appears with its permissions set and the socket listening. A path that a dead process
/// has left is replaced; one on which a process listens is not. Closing removes the path, unless
/// another listener has replaced it.
///
/// Only a connection shows whether a process listens on a path. So opening a listener on the path
/// of a socket connects to that socket and closes the connection at once. A process that listens
/// there accepts one connection that carries no bytes.
///
/// Confined to the scheduler's thread. Its calls to the file system are short and run on that
/// thread.
public final class UnixListener extends Listener<UnixSocket> {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  private UnixListener(
      Reactor reactor, ServerSocketChannel channel, Path path, Closeable publication)
      throws IOException {
    super(reactor, channel, text(path), publication::close);
    this.path = path;
  }

  /// Listens at a path to which only this user may connect. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path in a directory that exists; the system allows some 90 bytes
  /// @return the listener, which the caller closes
  /// @throws BindException if a process listens there or may do so, if the path is not a socket, or
  ///   if it is too long; the path stays as it is
  /// @throws IOException if there is no such directory, or no permission; the message has the path;
  ///   nothing is left
  public static UnixListener open(WaitForIO io, Path path) throws IOException {
    return open(io, path, OWNER_ONLY);
  }

  /// [#open(WaitForIO, Path)] with other permissions. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path as for [#open(WaitForIO, Path)]
  /// @param permissions of the path: a process that may write may connect
  /// @return the listener, which the caller closes
  /// @throws BindException as that method does
  /// @throws IOException as that method does
  public static UnixListener open(WaitForIO io, Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    Objects.requireNonNull(io, "io is null");
    Objects.requireNonNull(path, "path is null");
    Objects.requireNonNull(permissions, "permissions is null");
    Arguments.requireElements(permissions, "permission is null");
    Reactor reactor = io.reactor();
    reactor.checkThread();
    ServerSocketChannel channel = null;
    Closeable publication = null;
    try {
      channel = reactor.provider().openServerSocketChannel(StandardProtocolFamily.UNIX);
      channel.configureBlocking(false);
      publication = namespace(reactor).bind(channel, path, permissions, WaitForIO.DEFAULT_BACKLOG);
      return new UnixListener(reactor, channel, path, publication);
    } catch (IOException e) {
      discard(channel, publication, e);
      throw IoFailures.INSTANCE.of("listen on " + path, e);
    } catch (RuntimeException e) {
      discard(channel, publication, e);
      throw e;
    }
  }

  /// Removes all that a failed opening has created.
  private static void discard(
      @Nullable ServerSocketChannel channel, @Nullable Closeable publication, Exception why) {
    try (publication) {
      close(channel);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private static UnixNamespace namespace(Reactor reactor) {
    return reactor.provider() instanceof UnixNamespace own ? own : UnixFiles.INSTANCE;
  }

  @Override
  UnixSocket socketOf(SocketChannel connection) throws IOException {
    return UnixSocket.of(reactor, connection, path);
  }

  private static String text(Path path) {
    return "listener " + path;
  }

  @Override
  public String toString() {
    return text(path);
  }
}
