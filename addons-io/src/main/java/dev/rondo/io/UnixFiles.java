package dev.rondo.io;

import dev.rondo.io.internal.lent.UnixNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
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

/// The paths of Unix sockets in the file system. A path is created in a directory that no other
/// user may enter, and moved to its place.
final class UnixFiles implements UnixNamespace {

  static final UnixFiles INSTANCE = new UnixFiles();

  /// The bits of a mode that say what kind of file it is: `S_IFMT`, and `S_IFSOCK` among them.
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;

  private UnixFiles() {}

  @Override
  public Closeable bind(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions, int backlog)
      throws IOException {
    requireVacant(path);
    create(channel, path, permissions, backlog);
    Object fileKey = fileKey(path);
    return () -> delete(path, fileKey);
  }

  /// A socket can be moved to a path that is too long for sockets, but no process could connect to
  /// it there.
  private static void requireVacant(Path path) throws IOException {
    boolean exists = existsAsSocket(path);
    try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // a full backlog must not block this thread
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return; // the process that listened there is dead
    } catch (SocketException e) {
      if (exists) {
        // its backlog is full, or this user may not connect
        throw new BindException("a process may listen there: " + e.getMessage());
      }
      if (String.valueOf(e.getMessage()).contains("too long")) { // in the JDK's words
        throw new BindException("the path is too long for a socket");
      }
      return;
    }
    throw new BindException("a process listens there already");
  }

  private static boolean existsAsSocket(Path path) throws IOException {
    try {
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & FILE_TYPE) == SOCKET) {
        return true;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    throw new BindException("the path exists and is not a socket");
  }

  private static void create(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions, int backlog)
      throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      throw new BindException("the path must be in a directory");
    }
    Path hidden = createHidden(directory);
    Path socket = hidden.resolve("s");
    try {
      channel.bind(UnixDomainSocketAddress.of(socket), backlog);
      Files.setPosixFilePermissions(socket, permissions);
      Files.move(socket, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(socket);
      Files.delete(hidden);
    }
  }

  private static Path createHidden(Path directory) throws IOException {
    try {
      return Files.createTempDirectory(
          directory,
          ".s",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (NoSuchFileException e) {
      throw new IOException("there is no such directory: " + directory, e);
    } catch (AccessDeniedException e) {
      throw new IOException("no permission to create a path in " + directory, e);
    }
  }

  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
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
}
