package dev.rondo.io;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A socket at a path of the file system that accepts connections from the same machine. Who may
/// connect is said by the permission to write to the path.
///
/// The path appears with its permissions set, and ready to be connected to: it is made in a folder
/// that nobody else may enter, and moved to its place. A path that a dead process has left there is
/// replaced; one where somebody listens is not. Closing removes the path, unless another listener
/// has taken it over.
///
/// Confined to the scheduler's thread. Its calls on the file system are short and are made on that
/// thread.
public final class UnixListener extends Listener<UnixSocket> {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  /// Tells whether the path is still ours; null if the file system has no such thing.
  private final @Nullable Object fileKey;

  private UnixListener(Reactor reactor, ServerSocketChannel channel, Path path) throws IOException {
    super(reactor, channel, text(path));
    this.path = path;
    this.fileKey = fileKey(path);
  }

  /// Listens at a path that only this user may connect to. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path in a folder that exists; some 90 bytes long at most, for the system's sake
  /// @return the listener, its caller's to close
  /// @throws BindException if somebody listens there, or may do so and cannot be asked, or there is
  ///   something that is no socket; it stays
  /// @throws IOException if there is no such folder, or no permission; the message has the path;
  ///   nothing stays
  public static UnixListener open(WaitForIO io, Path path) throws IOException {
    return open(io, path, OWNER_ONLY);
  }

  /// [#open(WaitForIO, Path)] with other permissions. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param path as there
  /// @param permissions of the path: who may write may connect
  /// @return the listener, its caller's to close
  /// @throws BindException as there
  /// @throws IOException as there
  public static UnixListener open(WaitForIO io, Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    Reactor reactor = io.reactor();
    reactor.checkThread();
    ServerSocketChannel channel = null;
    try {
      requireVacant(path);
      channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
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
      throw new BindException("there is something that is no socket");
    }
    try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // a full backlog must not block us
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException nobody) {
      return; // whoever listened there is dead
    } catch (SocketException e) {
      // too many wait there to be accepted, or we may not connect
      throw new BindException("somebody may listen there: " + e.getMessage());
    }
    throw new BindException("somebody listens there already");
  }

  private static void bind(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null) {
      throw new BindException("a path in a folder is needed");
    }
    Path hidden =
        Files.createTempDirectory(
            folder,
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

  /// Stops listening and removes the path. As [Listener#close()] otherwise.
  ///
  /// @throws IOException if the path cannot be removed; it is closed all the same
  @Override
  public void close() throws IOException {
    boolean wasOpen = isOpen();
    super.close();
    if (wasOpen) {
      try {
        if (fileKey != null && fileKey.equals(fileKey(path))) {
          Files.delete(path);
        }
      } catch (NoSuchFileException gone) {
        // somebody was faster
      }
    }
  }

  /// {@return where it listens, also after it was closed} Never a suspension point.
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
