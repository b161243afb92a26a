package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/// The attributes of a file that outlast a power failure.
record SavedAttributes(PosixFileAttributes attributes) {

  static SavedAttributes of(Path path) throws IOException {
    return new SavedAttributes(Files.readAttributes(path, PosixFileAttributes.class));
  }

  void set(Path path) throws IOException {
    Files.setPosixFilePermissions(path, attributes.permissions());
    Files.getFileAttributeView(path, BasicFileAttributeView.class)
        .setTimes(
            attributes.lastModifiedTime(), attributes.lastAccessTime(), attributes.creationTime());
  }
}
