package dev.rondo.io.file;

import java.nio.file.Path;

/// What has changed in a folder that is watched.
public sealed interface DirectoryChange {

  /// Something is there that was not.
  ///
  /// @param path the folder's path and the entry's name
  record Created(Path path) implements DirectoryChange {}

  /// A file's content or attributes have changed.
  ///
  /// @param path the folder's path and the entry's name
  record Modified(Path path) implements DirectoryChange {}

  /// Something is not there any more.
  ///
  /// @param path the folder's path and the entry's name
  record Deleted(Path path) implements DirectoryChange {}

  /// More has changed than could be kept: list the folder anew.
  ///
  /// @param directory which
  record Overflow(Path directory) implements DirectoryChange {}
}
