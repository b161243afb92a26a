package dev.rondo.simulation;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Names, links, directories and attributes.
final class FileNamesContractTest extends FileContract {

  private FileSystem system() {
    return folder.getFileSystem();
  }

  private Path directory(String name) throws IOException {
    return Files.createDirectory(path(name));
  }

  // Creating and deleting.

  @Test
  void createFile_there_fails() throws IOException {
    Files.createFile(path("file"));
    fails(FileAlreadyExistsException.class, () -> Files.createFile(path("file")));
  }

  @Test
  void createDirectory_thereOrWithoutParent_fails() throws IOException {
    directory("a");
    fails(FileAlreadyExistsException.class, () -> directory("a"));
    fails(NoSuchFileException.class, () -> directory("b/c"));
    file("file", "");
    fails(FileAlreadyExistsException.class, () -> directory("file"));
    fails(FileSystemException.class, () -> directory("file/below"));
  }

  @Test
  void createDirectories_someThere_createsTheRest() throws IOException {
    directory("a");
    Files.createDirectories(path("a/b/c"));
    Files.createDirectories(path("a/b/c"));
    assertTrue(Files.isDirectory(path("a/b/c")));
    file("file", "");
    fails(FileAlreadyExistsException.class, () -> Files.createDirectories(path("file")));
  }

  @Test
  void createTempFile_hasPrefixAndSuffix() throws IOException {
    Path made = Files.createTempFile(folder, "pre", ".suf");
    assertTrue(made.getFileName().toString().matches("pre.*\\.suf"));
    assertTrue(Files.isDirectory(Files.createTempDirectory(folder, "d")));
  }

  @Test
  void delete_file_isGone() throws IOException {
    Files.delete(file("file", "abc"));
    assertTrue(Files.notExists(path("file")));
    fails(NoSuchFileException.class, () -> Files.delete(path("file")));
    assertFalse(Files.deleteIfExists(path("file")));
  }

  @Test
  void delete_directory_mustBeEmpty() throws IOException {
    directory("a");
    file("a/file", "");
    fails(DirectoryNotEmptyException.class, () -> Files.delete(path("a")));
    Files.delete(path("a/file"));
    Files.delete(path("a"));
    assertEquals(List.of(), names(folder));
  }

  @Test
  void delete_belowAFile_fails() throws IOException {
    file("file", "");
    fails(FileSystemException.class, () -> Files.delete(path("file/below")));
  }

  // Moving.

  @Test
  void move_renames() throws IOException {
    Files.move(file("a", "abc"), path("b"));
    assertEquals(List.of("b"), names(folder));
    assertEquals("abc", Files.readString(path("b")));
  }

  @Test
  void move_targetThere_fails() throws IOException {
    file("a", "a");
    file("b", "b");
    fails(FileAlreadyExistsException.class, () -> Files.move(path("a"), path("b")));
    Files.move(path("a"), path("b"), REPLACE_EXISTING);
    assertEquals("a", Files.readString(path("b")));
    assertEquals(List.of("b"), names(folder));
  }

  @Test
  void move_atomic_replaces() throws IOException {
    file("a", "a");
    file("b", "b");
    Files.move(path("a"), path("b"), ATOMIC_MOVE);
    assertEquals("a", Files.readString(path("b")));
    assertEquals(List.of("b"), names(folder));
  }

  @Test
  void move_noSuchFile_fails() throws IOException {
    file("b", "b");
    fails(NoSuchFileException.class, () -> Files.move(path("a"), path("b"), REPLACE_EXISTING));
    fails(NoSuchFileException.class, () -> Files.move(path("a"), path("b"), ATOMIC_MOVE));
    assertEquals("b", Files.readString(path("b")));
    fails(NoSuchFileException.class, () -> Files.move(path("b"), path("none/b")));
  }

  @Test
  void move_toItself_changesNothing() throws IOException {
    file("a", "a");
    Files.move(path("a"), path("a"));
    Files.move(path("a"), path("a"), REPLACE_EXISTING);
    Files.move(path("a"), path("a"), ATOMIC_MOVE);
    assertEquals("a", Files.readString(path("a")));
  }

  @Test
  void move_directoryWithContent_moves() throws IOException {
    directory("a");
    file("a/file", "abc");
    Files.move(path("a"), path("b"));
    assertEquals("abc", Files.readString(path("b/file")));
    file("b/next", "x");
    assertEquals(List.of("file", "next"), names(path("b")));
  }

  @Test
  void move_overADirectory_mustBeEmpty() throws IOException {
    directory("a");
    directory("b");
    file("b/file", "");
    fails(
        DirectoryNotEmptyException.class, () -> Files.move(path("a"), path("b"), REPLACE_EXISTING));
    Files.delete(path("b/file"));
    Files.move(path("a"), path("b"), REPLACE_EXISTING);
    assertEquals(List.of("b"), names(folder));
  }

  @Test
  void move_atomicOfOtherKinds_fails() throws IOException {
    directory("a");
    file("b", "");
    assertThrows(FileSystemException.class, () -> Files.move(path("a"), path("b"), ATOMIC_MOVE));
    assertThrows(FileSystemException.class, () -> Files.move(path("b"), path("a"), ATOMIC_MOVE));
    assertEquals(List.of("a", "b"), names(folder));
  }

  @Test
  void move_intoItself_fails() throws IOException {
    directory("a");
    assertThrows(FileSystemException.class, () -> Files.move(path("a"), path("a/b")));
    assertEquals(List.of("a"), names(folder));
  }

  // Copying.

  @Test
  void copy_file_isAnother() throws IOException {
    file("a", "abc");
    Files.copy(path("a"), path("b"));
    file("a", "x");
    assertEquals("abc", Files.readString(path("b")));
    fails(FileAlreadyExistsException.class, () -> Files.copy(path("a"), path("b")));
    Files.copy(path("a"), path("b"), REPLACE_EXISTING, COPY_ATTRIBUTES);
    assertEquals("x", Files.readString(path("b")));
    fails(NoSuchFileException.class, () -> Files.copy(path("none"), path("b")));
  }

  @Test
  void copy_directory_isEmpty() throws IOException {
    directory("a");
    file("a/file", "");
    Files.copy(path("a"), path("b"));
    assertEquals(List.of(), names(path("b")));
  }

  @Test
  void copy_symbolicLink_copiesTheTarget() throws IOException {
    file("file", "abc");
    Files.createSymbolicLink(path("link"), system().getPath("file"));
    Files.copy(path("link"), path("a"));
    Files.copy(path("link"), path("b"), NOFOLLOW_LINKS);
    assertFalse(Files.isSymbolicLink(path("a")));
    assertTrue(Files.isSymbolicLink(path("b")));
  }

  // Links.

  @Test
  void link_isTheSameFile() throws IOException {
    file("a", "abc");
    Files.createLink(path("b"), path("a"));
    file("b", "x");
    assertEquals("x", Files.readString(path("a")));
    assertTrue(Files.isSameFile(path("a"), path("b")));
    assertEquals(2, Files.getAttribute(path("a"), "unix:nlink"));
    Files.delete(path("a"));
    assertEquals("x", Files.readString(path("b")));
    fails(FileAlreadyExistsException.class, () -> Files.createLink(path("b"), path("b")));
    fails(NoSuchFileException.class, () -> Files.createLink(path("c"), path("none")));
  }

  @Test
  void symbolicLink_mayDangle() throws IOException {
    Files.createSymbolicLink(path("link"), system().getPath("none"));
    assertTrue(Files.isSymbolicLink(path("link")));
    assertFalse(Files.exists(path("link")));
    assertTrue(Files.exists(path("link"), NOFOLLOW_LINKS));
    assertEquals(system().getPath("none"), Files.readSymbolicLink(path("link")));
    fails(NoSuchFileException.class, () -> Files.size(path("link")));
    Files.delete(path("link"));
    assertEquals(List.of(), names(folder));
  }

  @Test
  void symbolicLink_toADirectory_isFollowed() throws IOException {
    directory("a");
    Files.createSymbolicLink(path("link"), system().getPath("a"));
    Path made = file("link/file", "abc");
    assertEquals("abc", Files.readString(path("a/file")));
    assertEquals(path("a/file"), made.toRealPath());
    assertTrue(Files.isDirectory(path("link")));
    assertFalse(Files.isDirectory(path("link"), NOFOLLOW_LINKS));
  }

  @Test
  void readSymbolicLink_ofAFile_fails() throws IOException {
    file("file", "");
    fails(NotLinkException.class, () -> Files.readSymbolicLink(path("file")));
  }

  // Directories.

  @Test
  void list_givesNamesAndFilters() throws IOException {
    file("a.txt", "");
    file("b.log", "");
    directory("c");
    assertEquals(List.of("a.txt", "b.log", "c"), names(folder));
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.log")) {
      for (Path each : found) {
        assertEquals(path("b.log"), each);
      }
    }
  }

  @Test
  void list_notADirectory_fails() throws IOException {
    file("file", "");
    fails(NotDirectoryException.class, () -> names(path("file")));
    fails(NoSuchFileException.class, () -> names(path("none")));
  }

  @Test
  void walk_visitsAll() throws IOException {
    Files.createDirectories(path("a/b"));
    file("a/b/file", "");
    var seen = new ArrayList<String>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            seen.add(folder.relativize(file).toString());
            return FileVisitResult.CONTINUE;
          }
        });
    assertEquals(List.of("a/b/file"), seen);
    try (Stream<Path> all = Files.walk(folder)) {
      assertEquals(4, all.count());
    }
  }

  // Attributes.

  @Test
  void attributes_ofAFile() throws IOException {
    BasicFileAttributes file = Files.readAttributes(file("file", "abc"), BasicFileAttributes.class);
    assertTrue(file.isRegularFile());
    assertFalse(file.isDirectory());
    assertFalse(file.isSymbolicLink());
    assertEquals(3, file.size());
    assertNotNull(file.fileKey());
    assertNotEquals(
        file.fileKey(),
        Files.readAttributes(file("other", ""), BasicFileAttributes.class).fileKey());
    fails(
        NoSuchFileException.class,
        () -> Files.readAttributes(path("none"), BasicFileAttributes.class));
  }

  @Test
  void times_canBeSet() throws IOException {
    FileTime time = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));
    Path file = file("file", "abc");
    Files.setLastModifiedTime(file, time);
    assertEquals(time, Files.getLastModifiedTime(file));
    Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(null, time, null);
    assertEquals(time, Files.readAttributes(file, BasicFileAttributes.class).lastAccessTime());
    assertEquals(time, Files.getAttribute(file, "lastModifiedTime"));
  }

  @Test
  void permissions_canBeSet() throws IOException {
    Path file =
        Files.createFile(
            path("file"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assertEquals(
        "r--r-----",
        PosixFilePermissions.toString(
            Files.readAttributes(file, PosixFileAttributes.class).permissions()));
    assertNotNull(Files.getOwner(file));
  }

  @Test
  void existence_isFoundOut() throws IOException {
    file(".hidden", "");
    assertTrue(Files.exists(folder));
    assertTrue(Files.isHidden(path(".hidden")));
    assertTrue(Files.isReadable(path(".hidden")));
    assertTrue(Files.isWritable(path(".hidden")));
    assertTrue(Files.notExists(path("none")));
    assertTrue(Files.isSameFile(path("none"), path("none")));
    fails(NoSuchFileException.class, () -> Files.isSameFile(path("none"), path(".hidden")));
    assertTrue(Files.getFileStore(folder).getUsableSpace() > 0);
  }

  @Test
  void mismatch_findsTheFirstDifference() throws IOException {
    assertEquals(-1, Files.mismatch(file("a", "abc"), file("b", "abc")));
    assertEquals(1, Files.mismatch(path("a"), file("c", "axc")));
    assertEquals(List.of("abc"), Files.readAllLines(path("a")));
  }

  // Paths.

  @Test
  void paths_behaveAsUnix() {
    Path path = system().getPath("/a/b/../c");
    assertEquals("/a/c", path.normalize().toString());
    assertEquals("/", path.getRoot().toString());
    assertEquals("c", path.getFileName().toString());
    assertEquals("/a/b/..", path.getParent().toString());
    assertEquals(4, path.getNameCount());
    assertEquals("b/..", path.subpath(1, 3).toString());
    assertTrue(path.startsWith("/a"));
    assertTrue(path.endsWith("c"));
    assertTrue(path.isAbsolute());
    assertFalse(system().getPath("a").isAbsolute());
    assertTrue(system().getPath("a").toAbsolutePath().isAbsolute());
    assertEquals("../x", system().getPath("/a").relativize(system().getPath("/x")).toString());
    assertEquals("/x", path.resolve("/x").toString());
    assertEquals("/a/b/../x", path.resolveSibling("x").toString());
    assertEquals(path, system().getPath("/a", "b", "..", "c"));
    assertEquals(path.hashCode(), system().getPath("/a/b/../c").hashCode());
    assertTrue(system().getPath("/a").compareTo(path) < 0);
    assertTrue(system().getPathMatcher("glob:/a/**").matches(path));
    var names = new ArrayList<String>();
    path.forEach(each -> names.add(each.toString()));
    assertEquals(List.of("a", "b", "..", "c"), names);
    assertThrows(ProviderMismatchException.class, () -> path.resolve(foreign()));
    assertNotEquals(path, foreign());
  }

  /// {@return a path of another kind of file system}
  private Path foreign() {
    return medium == Medium.KERNEL
        ? new SimulatedDisk(new SplittableRandom(1)).path("/a/b/../c")
        : Path.of("/a/b/../c");
  }

  @Test
  void closeOfTheFileSystem_isRefused() {
    assertThrows(UnsupportedOperationException.class, () -> system().close());
    assertTrue(system().isOpen());
    assertEquals("/", system().getSeparator());
    assertTrue(system().supportedFileAttributeViews().containsAll(List.of("basic", "posix")));
  }
}
