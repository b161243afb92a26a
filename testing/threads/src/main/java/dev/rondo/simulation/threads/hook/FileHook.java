package dev.rondo.simulation.threads.hook;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What rewritten code of programs calls for files: a simulated thread has those of its host's
/// disk. The class path and the JDK are those of the computer, and not written.
public final class FileHook {

  private static final Set<String> DEVICES =
      Set.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

  private static final Set<OpenOption> READING = Set.of(READ, NOFOLLOW_LINKS);

  /// Of the computer: read before a program has properties of its own.
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private static final AtomicInteger COPIED = new AtomicInteger();

  /// Libraries of native code that were copied to the computer.
  private static final Queue<Path> COPIES = new ConcurrentLinkedQueue<>();

  private FileHook() {}

  /// {@return whether it is a device that no one waits for}
  static boolean isDevice(String name) {
    return DEVICES.contains(name);
  }

  /// Opens a file of a disk, and no directory.
  static FileChannel open(Program of, String name, Set<? extends OpenOption> options)
      throws IOException {
    Path path = of.files().getPath(name);
    if (Files.isDirectory(path)) {
      throw new FileSystemException(name, null, "Is a directory");
    }
    return FileChannel.open(path, options);
  }

  /// {@return why a file cannot be opened, as the JDK says it}
  static String reason(IOException e) {
    String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
    return e instanceof NoSuchFileException
        ? "No such file or directory"
        : reason == null ? e.toString() : reason;
  }

  // Paths.

  /// {@return what `FileSystems.getDefault()` does}
  public static FileSystem files() {
    Program own = Hook.current();
    return own == null ? FileSystems.getDefault() : own.files();
  }

  /// {@return what `Path.of(..)` does}
  public static Path path(String first, String... more) {
    Program own = Hook.current();
    if (own == null) {
      return Path.of(first, more);
    }
    Path path = own.files().getPath(first, more);
    if (!ComputerFiles.contain(path.toString())) {
      return path;
    }
    own.read("a file of the computer = ".concat(path.toString()));
    return Path.of(first, more);
  }

  /// {@return what `Path.of(..)` does}
  public static Path path(URI uri) {
    return Hook.current() == null || !"file".equalsIgnoreCase(uri.getScheme())
        ? Path.of(uri)
        : path(new File(uri).getPath());
  }

  /// {@return what `Path.toUri()` does}
  public static URI uri(Path path) {
    Program own = Hook.current();
    return own != null && path.getFileSystem() == own.files()
        ? URI.create("file://" + new File(path.toString()).toURI().getRawPath())
        : path.toUri();
  }

  /// {@return what `File.toPath()` does}
  public static Path path(File file) {
    return Hook.current() == null ? file.toPath() : path(file.getPath());
  }

  /// {@return what `Path.toFile()` does}
  ///
  /// @throws UnsupportedOperationException if the path is of another file system
  public static File file(Path path) {
    Program own = Hook.current();
    return own != null && path.getFileSystem() == own.files()
        ? new File(path.toString())
        : path.toFile();
  }

  /// A file is about to be changed.
  ///
  /// @throws UnsupportedOperationException if the caller is simulated and the file is one of the
  ///   computer; its run fails
  public static void writes(Path path) {
    Program own = Hook.current();
    if (own != null && path.getFileSystem() == FileSystems.getDefault()) {
      throw own.refused("a change of " + path + ", a file of the computer,");
    }
  }

  /// A file is about to be opened.
  ///
  /// @throws UnsupportedOperationException if the caller is simulated and the file is one of the
  ///   computer, to be changed; its run fails
  public static void opens(Path path, Set<? extends OpenOption> options) {
    if (!READING.containsAll(options)) {
      writes(path);
    }
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

  /// {@return what `Files.readAttributes(..)` does for a `ZipFile`} The JDK has one cache of those
  /// that are open, for all disks.
  ///
  /// @throws IOException if there is no such file
  public static BasicFileAttributes attributes(
      Path path, Class<BasicFileAttributes> type, LinkOption... options) throws IOException {
    Program own = Hook.current();
    String name = path.toString();
    if (own == null || ComputerFiles.contain(name)) {
      return Files.readAttributes(path, type, options);
    }
    return new OfDisk(own, Files.readAttributes(own.files().getPath(name), type, options));
  }

  /// @param program whose disk the file is on
  private record OfDisk(Program program, BasicFileAttributes of) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return of.lastModifiedTime();
    }

    @Override
    public FileTime lastAccessTime() {
      return of.lastAccessTime();
    }

    @Override
    public FileTime creationTime() {
      return of.creationTime();
    }

    @Override
    public boolean isRegularFile() {
      return of.isRegularFile();
    }

    @Override
    public boolean isDirectory() {
      return of.isDirectory();
    }

    @Override
    public boolean isSymbolicLink() {
      return of.isSymbolicLink();
    }

    @Override
    public boolean isOther() {
      return of.isOther();
    }

    @Override
    public long size() {
      return of.size();
    }

    @Override
    public Object fileKey() {
      return List.of(program, of.fileKey());
    }
  }

  /// {@return a file of the computer with a library of native code}
  ///
  /// @param name of the file, which may be on the disk of a host
  /// @throws UnsatisfiedLinkError if it cannot be read
  public static String library(String name) {
    Program own = Hook.current();
    if (own == null || ComputerFiles.contain(name) || !Files.exists(own.files().getPath(name))) {
      return name; // the JDK says so
    }
    try {
      // no name that would be drawn from the run
      String made = "rondo-" + ProcessHandle.current().pid() + "-" + COPIED.incrementAndGet();
      Path copy = TEMPORARY.resolve(System.mapLibraryName(made));
      COPIES.add(copy);
      ComputerFiles.add(copy);
      // by the provider, since a program must not change files of the computer
      try (OutputStream out =
          copy.getFileSystem().provider().newOutputStream(copy, CREATE_NEW, WRITE)) {
        long _ = Files.copy(own.files().getPath(name), out);
      }
      return copy.toString();
    } catch (IOException e) {
      var failure = new UnsatisfiedLinkError("cannot copy " + name);
      failure.initCause(e);
      throw failure;
    }
  }

  /// A library is loaded, whose copy is needed no more.
  public static void loaded(String name) {
    Path copy = Path.of(name);
    if (COPIES.contains(copy)) {
      try {
        copy.getFileSystem().provider().delete(copy);
      } catch (IOException e) {
        return; // until the end of the JVM, as on Windows
      }
      boolean _ = COPIES.remove(copy);
      ComputerFiles.remove(copy);
    }
  }

  /// Deletes the copies of libraries. For the end of the JVM.
  public static void deleteCopies() {
    for (Path each : COPIES) {
      boolean _ = each.toFile().delete();
    }
  }

  // Methods of `File`.

  /// {@return whether the caller has the file on its disk}
  public static boolean isOnDisk(File file) {
    Program own = Hook.current();
    return own != null && !ComputerFiles.contain(file.getPath());
  }

  /// {@return whether the caller may change none but the files of its disk}
  public static boolean isSimulated(File file) {
    return Hook.current() != null;
  }

  private static Path of(File file) {
    return files().getPath(file.getPath());
  }

  @FunctionalInterface
  private interface Change {
    void make(Path path) throws IOException;
  }

  /// {@return whether a file of the disk was changed}
  private static boolean changed(File file, Change change) {
    if (!isOnDisk(file)) {
      return false;
    }
    try {
      change.make(of(file));
      return true;
    } catch (IOException e) {
      return false; // as File does
    }
  }

  /// {@return the path from the root}
  public static String getAbsolutePath(File file) {
    return of(file).toAbsolutePath().toString();
  }

  /// {@return the path from the root, without links as far as there are files}
  public static String getCanonicalPath(File file) throws IOException {
    Path path = of(file).toAbsolutePath().normalize();
    for (Path each = path; each != null; each = each.getParent()) {
      if (Files.exists(each)) {
        return each.toRealPath().resolve(each.relativize(path)).normalize().toString();
      }
    }
    return path.toString();
  }

  /// {@return whether there is one}
  public static boolean exists(File file) {
    return !file.getPath().isEmpty() && Files.exists(of(file));
  }

  /// {@return whether it is a directory}
  public static boolean isDirectory(File file) {
    return !file.getPath().isEmpty() && Files.isDirectory(of(file));
  }

  /// {@return whether it is a file}
  public static boolean isFile(File file) {
    return Files.isRegularFile(of(file));
  }

  /// {@return whether its name begins with a dot}
  public static boolean isHidden(File file) {
    return file.getName().startsWith(".");
  }

  /// {@return whether it can be read}
  public static boolean canRead(File file) {
    return Files.isReadable(of(file));
  }

  /// {@return whether it can be written}
  public static boolean canWrite(File file) {
    return isOnDisk(file) && Files.isWritable(of(file));
  }

  /// {@return whether it can be run}
  public static boolean canExecute(File file) {
    return Files.isExecutable(of(file));
  }

  /// {@return when it was written; 0 if there is none}
  public static long lastModified(File file) {
    try {
      return Files.getLastModifiedTime(of(file)).toMillis();
    } catch (IOException e) {
      return 0; // as File does
    }
  }

  /// {@return its size in bytes; 0 if there is none}
  public static long length(File file) {
    try {
      return Files.size(of(file));
    } catch (IOException e) {
      return 0; // as File does
    }
  }

  /// {@return the names in a directory; null if it is none}
  public static String @Nullable [] list(File file) {
    var names = new ArrayList<String>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(of(file))) {
      entries.forEach(each -> names.add(String.valueOf(each.getFileName())));
    } catch (IOException e) {
      return null; // as File does
    }
    return names.toArray(String[]::new);
  }

  /// {@return whether it was made now}
  ///
  /// @throws IOException if it cannot be made
  public static boolean createNewFile(File file) throws IOException {
    if (!isOnDisk(file)) {
      throw new IOException("Read-only: " + file);
    }
    try {
      Path _ = Files.createFile(of(file));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (FileSystemException e) {
      throw new IOException(reason(e), e);
    }
  }

  /// {@return a new file; null if the JDK makes it}
  ///
  /// @param folder null for that of temporary files
  /// @throws IOException if it cannot be made
  public static @Nullable File createTempFile(
      String prefix, @Nullable String suffix, @Nullable File folder) throws IOException {
    Program own = Hook.current();
    if (own == null || prefix.length() < 3) { // the JDK says so
      return null;
    }
    Path parent = folder == null ? own.temporary() : path(folder);
    String name = new File(prefix).getName();
    return new File(Files.createTempFile(parent, name, suffix).toString());
  }

  /// {@return whether it was deleted}
  public static boolean delete(File file) {
    return changed(file, Files::delete);
  }

  /// The file is to be deleted when the process ends in order.
  public static void deleteOnExit(File file) {
    Program own = Hook.current();
    if (own != null && !ComputerFiles.contain(file.getPath())) {
      own.deleteOnExit(of(file));
    }
  }

  /// {@return whether it was made}
  public static boolean mkdir(File file) {
    return changed(file, Files::createDirectory);
  }

  /// {@return whether it has the new name}
  public static boolean renameTo(File file, File name) {
    return isOnDisk(name) && changed(file, path -> Files.move(path, of(name), ATOMIC_MOVE));
  }

  /// {@return whether the time was set}
  public static boolean setLastModified(File file, long millis) {
    return changed(file, path -> Files.setLastModifiedTime(path, FileTime.fromMillis(millis)));
  }

  /// {@return whether there is such a file: a disk does not enforce permissions}
  public static boolean setReadOnly(File file) {
    return isOnDisk(file) && exists(file);
  }

  /// {@return whether there is such a file: a disk does not enforce permissions}
  public static boolean setPermission(File file, boolean allowed, boolean ofOwner) {
    return setReadOnly(file);
  }

  /// {@return the size of the disk in bytes}
  public static long getTotalSpace(File file) {
    return space(file, FileStore::getTotalSpace);
  }

  /// {@return how many bytes are free}
  public static long getFreeSpace(File file) {
    return space(file, FileStore::getUnallocatedSpace);
  }

  /// {@return how many bytes are free}
  public static long getUsableSpace(File file) {
    return space(file, FileStore::getUsableSpace);
  }

  @FunctionalInterface
  private interface Space {
    long of(FileStore store) throws IOException;
  }

  private static long space(File file, Space which) {
    try {
      return which.of(Files.getFileStore(of(file)));
    } catch (IOException e) {
      return 0; // as File does
    }
  }
}
