package dev.rondo.io.file;

import java.nio.file.Path;

/// A change in a directory that is watched. Immutable; any thread.
public sealed interface DirectoryChange {

  /// An entry was created.
  ///
  /// @param path the directory's path and the entry's name
  record Created(Path path) implements DirectoryChange {}

  /// The content or attributes of an entry have changed.
  ///
  /// @param path the directory's path and the entry's name
  record Modified(Path path) implements DirectoryChange {}

  /// An entry was deleted.
  ///
  /// @param path the directory's path and the entry's name
  record Deleted(Path path) implements DirectoryChange {}

  /// More has changed than could be kept: list the directory again.
  ///
  /// @param directory the watched directory
  record Overflow(Path directory) implements DirectoryChange {}
}
