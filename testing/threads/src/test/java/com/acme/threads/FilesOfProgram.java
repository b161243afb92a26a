package com.acme.threads;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/// What programs do with files.
public final class FilesOfProgram {

  private FilesOfProgram() {}

  /// Appends a line to a file, and forces it to the disk.
  ///
  /// @return how many lines it has
  public static int append(String file) throws IOException {
    Path path = Path.of(file);
    Files.writeString(path, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (var channel = FileChannel.open(path, StandardOpenOption.WRITE);
        var folder = FileChannel.open(path.toAbsolutePath().getParent())) {
      channel.force(true);
      folder.force(true);
    }
    return Files.readAllLines(new File(file).toPath()).size();
  }

  /// {@return whether all ways to a file lead to the same disk}
  public static boolean isOneDisk() throws IOException {
    Path file = Files.createTempFile("a", ".txt");
    Path folder = Files.createTempDirectory("b");
    return Files.exists(Paths.get(file.toString()))
        && Files.exists(FileSystems.getDefault().getPath(folder.toString()))
        && Files.exists(new File(file.toString()).toPath());
  }

  /// Writes a file as programs did before Java 7.
  public static void stream(String file) throws IOException {
    try (var out = new FileOutputStream(file)) {
      out.write(7);
    }
  }

  /// Writes a file, and ignores that it cannot.
  public static void random(String file) throws IOException {
    try (var out = new RandomAccessFile(file, "rw")) {
      out.write(7);
    } catch (UnsupportedOperationException e) {
      // the program goes on
    }
  }

  /// Waits for input.
  public static int input() throws IOException {
    return new FileInputStream(FileDescriptor.in).read();
  }

  /// Deletes a file.
  public static boolean delete(String file) {
    return new File(file).delete();
  }
}
