package dev.rondo.http.files.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The file or folder that a name stands for. Runs on a thread that may block.
public sealed interface FoundFile {

  /// A body up to this length is read at once, with the file.
  int SMALL_BYTES = 64 << 10;

  /// The number of times that a file is opened again because it was replaced meanwhile.
  int ATTEMPTS = 5;

  /// No file that can be sent.
  record Missing() implements FoundFile {}

  /// A folder whose name lacks the slash at its end.
  record Folder() implements FoundFile {}

  /// A file whose content is not needed, or was read.
  ///
  /// @param name that shows the type
  /// @param content the bytes to be sent; may be empty
  @SuppressWarnings("ArrayRecordComponent") // handed over
  record Known(String name, FileFacts facts, FilePlan plan, byte[] content) implements FoundFile {}

  /// A file that is to be sent from the disk, and whose channel the receiver closes.
  ///
  /// @param name that shows the type
  /// @param path that was opened
  record Opened(String name, Path path, FileFacts facts, FilePlan plan, FileChannel channel)
      implements FoundFile {}

  /// Finds a file in a folder.
  ///
  /// @param name within the folder, checked; with a slash at its end, or empty, for a folder
  /// @param headOnly whether the content is not needed
  static FoundFile in(ServedFolder files, String name, FileConditions conditions, boolean headOnly)
      throws IOException {
    Path folder = real(files.folder());
    Path found = folder == null ? null : within(files, folder, folder.resolve(name));
    if (folder == null || found == null) {
      return new Missing();
    }
    boolean asFolder = name.isEmpty() || name.endsWith("/");
    if (!Files.isDirectory(found)) {
      return asFolder ? new Missing() : openReal(found, fileName(name), conditions, headOnly);
    }
    String indexName = files.index();
    Path index = indexName.isEmpty() ? null : within(files, folder, found.resolve(indexName));
    if (index == null) {
      return new Missing();
    }
    return asFolder ? openReal(index, indexName, conditions, headOnly) : new Folder();
  }

  private static String fileName(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /// {@return the real path; null if it is outside of the folder, or does not exist}
  private static @Nullable Path within(ServedFolder files, Path folder, Path path)
      throws IOException {
    Path real = real(path);
    return real == null || files.areLinksFollowed() || real.startsWith(folder) ? real : null;
  }

  /// {@return the real path; null if it does not exist} A name that is too long, a name behind a
  /// file, and a cycle of links have no exception types of their own.
  private static @Nullable Path real(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (FileSystemException e) {
      return null;
    }
  }

  /// Opens a file that the program names.
  static FoundFile at(Path path, FileConditions conditions, boolean headOnly) throws IOException {
    return opened(path, String.valueOf(path.getFileName()), conditions, headOnly);
  }

  private static FoundFile openReal(
      Path path, String name, FileConditions conditions, boolean headOnly) throws IOException {
    return opened(path, name, conditions, headOnly, LinkOption.NOFOLLOW_LINKS);
  }

  private static FoundFile opened(
      Path path, String name, FileConditions conditions, boolean headOnly, LinkOption... links)
      throws IOException {
    try {
      return open(path, name, conditions, headOnly, links);
    } catch (NoSuchFileException | AccessDeniedException e) {
      return new Missing();
    }
  }

  /// @param links whether the path may be a symbolic link
  private static FoundFile open(
      Path path, String name, FileConditions conditions, boolean headOnly, LinkOption... links)
      throws IOException {
    OpenOption[] options = new OpenOption[links.length + 1];
    System.arraycopy(links, 0, options, 0, links.length);
    options[links.length] = StandardOpenOption.READ;
    for (int i = 0; i < ATTEMPTS; i++) {
      BasicFileAttributes before = attributes(path, links);
      if (!before.isRegularFile()) {
        return new Missing(); // to open a pipe would wait for a writer
      }
      FileChannel channel = FileChannel.open(path, options);
      boolean kept = false;
      try {
        BasicFileAttributes after = attributes(path, links);
        if (Objects.equals(before.fileKey(), after.fileKey())) {
          FoundFile found = found(path, name, after, channel, conditions, headOnly);
          kept = found instanceof Opened;
          return found;
        }
      } finally {
        if (!kept) {
          channel.close();
        }
      }
    }
    throw new FileSystemException(path.toString(), null, "it is replaced all the time");
  }

  private static BasicFileAttributes attributes(Path path, LinkOption... links) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, links);
  }

  private static FoundFile found(
      Path path,
      String name,
      BasicFileAttributes attributes,
      FileChannel channel,
      FileConditions conditions,
      boolean headOnly)
      throws IOException {
    var facts = new FileFacts(attributes.size(), attributes.lastModifiedTime().toInstant());
    FilePlan plan = conditions.plan(facts);
    if (headOnly || plan.lengthBytes() == 0) {
      return new Known(name, facts, plan, new byte[0]);
    }
    if (plan.lengthBytes() > SMALL_BYTES) {
      return new Opened(name, path, facts, plan, channel);
    }
    byte[] content = new byte[(int) plan.lengthBytes()];
    readFully(channel, ByteBuffer.wrap(content), plan.from(), path);
    return new Known(name, facts, plan, content);
  }

  /// Fills a buffer.
  static void readFully(FileChannel channel, ByteBuffer buffer, long from, Path path)
      throws IOException {
    for (long at = from; buffer.hasRemaining(); ) {
      int count = channel.read(buffer, at);
      if (count < 0) {
        throw shortened(path);
      }
      at += count;
    }
  }

  static IOException shortened(Path path) {
    return new FileSystemException(path.toString(), null, "it was shortened while it was sent");
  }
}
