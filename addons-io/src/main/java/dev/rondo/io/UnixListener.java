package dev.rondo.io;

import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.channel.Reactor;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A socket at a path of the file system that accepts connections from the same machine. A process
/// may connect if it may write to the path.
///
/// The path appears with its permissions set and the socket listening: it is created in a directory
/// that no other user may enter, and moved to its place. A path that a dead process has left is
/// replaced; one on which a process listens is not. Closing removes the path, unless another
/// listener has replaced it.
///
/// Confined to the scheduler's thread. Its calls to the file system are short and run on that
/// thread.
public final class UnixListener extends Listener<UnixSocket> {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  private UnixListener(Reactor reactor, ServerSocketChannel channel, Path path) throws IOException {
    Object fileKey = fileKey(path);
    super(reactor, channel, text(path), () -> delete(path, fileKey));
    this.path = path;
  }

  /// Listens at a path to which only this user may connect. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path in a directory that exists; the system allows some 90 bytes
  /// @return the listener, which the caller closes
  /// @throws BindException if a process listens there or may do so, or if the path is no socket; it
  ///   stays
  /// @throws IOException if there is no such directory, or no permission; the message has the path;
  ///   nothing is left
  public static UnixListener open(WaitForIO io, Path path) throws IOException {
    return open(io, path, OWNER_ONLY);
  }

  /// [#open(WaitForIO, Path)] with other permissions. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path as there
  /// @param permissions of the path: a process that may write may connect
  /// @return the listener, which the caller closes
  /// @throws BindException as there
  /// @throws IOException as there
  public static UnixListener open(WaitForIO io, Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    Objects.requireNonNull(io, "io is null");
    Objects.requireNonNull(path, "path is null");
    Objects.requireNonNull(permissions, "permissions is null");
    Arguments.requireElements(permissions, "permission is null");
    Reactor reactor = io.reactor();
    reactor.checkThread();
    ServerSocketChannel channel = null;
    try {
      requireVacant(path);
      channel = reactor.provider().openServerSocketChannel(StandardProtocolFamily.UNIX);
      channel.configureBlocking(false);
      bind(channel, path, permissions);
      return new UnixListener(reactor, channel, path);
    } catch (IOException e) {
      close(channel);
      throw IoFailures.INSTANCE.of("listen on " + path, e);
    } catch (RuntimeException e) {
      close(channel);
      throw e;
    }
  }

  private static void requireVacant(Path path) throws IOException {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return;
    }
    if (!found.isOther()) {
      throw new BindException("the path exists and is no socket");
    }
    try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // a full backlog must not block this thread
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return; // the process that listened there is dead
    } catch (SocketException e) {
      // its backlog is full, or this user may not connect
      throw new BindException("a process may listen there: " + e.getMessage());
    }
    throw new BindException("a process listens there already");
  }

  private static void bind(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      throw new BindException("the path must be in a directory");
    }
    Path hidden =
        Files.createTempDirectory(
            directory,
            ".s",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path socket = hidden.resolve("s");
    try {
      channel.bind(UnixDomainSocketAddress.of(socket), WaitForIO.DEFAULT_BACKLOG);
      Files.setPosixFilePermissions(socket, permissions);
      Files.move(socket, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(socket);
      Files.delete(hidden);
    }
  }

  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  @Override
  UnixSocket socketOf(SocketChannel connection) throws IOException {
    return UnixSocket.of(reactor, connection, path);
  }

  /// Removes the path.
  ///
  /// @param fileKey identifies the path that the listener created; null if the file system has no
  ///   keys
  private static void delete(Path path, @Nullable Object fileKey) throws IOException {
    try {
      if (fileKey != null && fileKey.equals(fileKey(path))) {
        Files.delete(path);
      }
    } catch (NoSuchFileException gone) {
      // removed by another process
    }
  }

  /// {@return the path at which it listens, even after closing} Never a suspension point.
  public Path path() {
    return path;
  }

  private static String text(Path path) {
    return "listener " + path;
  }

  @Override
  public String toString() {
    return text(path);
  }
}
