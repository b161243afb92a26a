package dev.rondo.simulation.threads.hook;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What rewritten code of programs calls for files: a simulated thread has those of its host's
/// disk.
public final class FileHook {

  /// The mode of a `RandomAccessFile` that is written, see `O_RDWR` there.
  private static final int WRITTEN = 2;

  private static final Set<String> NEVER_BLOCK =
      Set.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

  private FileHook() {}

  /// Refuses to wait for the input of the JVM, which would block all of the world.
  ///
  /// @param stream that is about to be read
  /// @throws IOException if the stream is closed
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void reading(FileInputStream stream) throws IOException {
    Program own = Hook.current();
    if (own != null && stream.getFD().equals(FileDescriptor.in)) {
      throw own.refused("System.in");
    }
  }

  /// Refuses to open a named pipe or a device, which could block all of the world.
  ///
  /// @param name of the file
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void opening(@Nullable String name) {
    Program own = Hook.current();
    if (own != null && name != null && !NEVER_BLOCK.contains(name) && isPipeOrDevice(name)) {
      throw own.refused("the named pipe or device " + name);
    }
  }

  private static boolean isPipeOrDevice(String name) {
    try {
      return Files.readAttributes(Path.of(name), BasicFileAttributes.class).isOther();
    } catch (IOException | InvalidPathException e) {
      return false; // whatever opens it says so
    }
  }

  /// {@return what `FileSystems.getDefault()` does}
  public static FileSystem files() {
    Program own = Hook.current();
    return own == null ? FileSystems.getDefault() : own.files();
  }

  /// {@return what `Path.of(..)` does}
  public static Path path(String first, String... more) {
    return files().getPath(first, more);
  }

  /// {@return what `File.toPath()` does}
  public static Path path(File file) {
    Program own = Hook.current();
    return own == null ? file.toPath() : own.files().getPath(file.getPath());
  }

  /// {@return what `Files.createTempFile(..)` does}
  ///
  /// @throws IOException if it cannot be made
  public static Path temporaryFile(
      @Nullable String prefix, @Nullable String suffix, FileAttribute<?>... attributes)
      throws IOException {
    Program own = Hook.current();
    return own == null
        ? Files.createTempFile(prefix, suffix, attributes)
        : Files.createTempFile(own.temporary(), prefix, suffix, attributes);
  }

  /// {@return what `Files.createTempDirectory(..)` does}
  ///
  /// @throws IOException if it cannot be made
  public static Path temporaryFolder(@Nullable String prefix, FileAttribute<?>... attributes)
      throws IOException {
    Program own = Hook.current();
    return own == null
        ? Files.createTempDirectory(prefix, attributes)
        : Files.createTempDirectory(own.temporary(), prefix, attributes);
  }

  /// Refuses to write a file where the simulation has none.
  ///
  /// @param mode of a `RandomAccessFile`: whether it is written is a bit of it
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void refuseWrites(int mode) {
    if ((mode & WRITTEN) != 0) {
      refuseFile("a RandomAccessFile that is written (use java.nio.file: the host's disk)");
    }
  }

  /// Refuses to change a file of the computer.
  ///
  /// @param what it asks for
  /// @throws UnsupportedOperationException if the caller is simulated, and its files are those of
  ///   its host; its run fails
  public static void refuseFile(String what) {
    Program own = Hook.current();
    if (own != null && own.hasDisk()) {
      throw own.refused(what);
    }
  }
}
